"""Hints against the interpreter: every state and every named local, after every iteration."""

import numpy as np

from hyloop.data.read import steps_of
from hyloop.interpreter import interpret
from hyloop.lang.kinds import Kind


def in_storage(type_, value, infinity):
    """A value of the interpreter as the format says: from 0, and -1 for none and for infinity."""
    found = np.atleast_1d(np.asarray(value))
    assert found.dtype != object
    if type_.kind.is_pointer:
        return found - 1
    return np.where(found == infinity, -1, found) if type_.kind is Kind.LENGTH else found


def named(program, section, name):
    """The last operation of that name in a section."""
    return max(number for number, op in enumerate(program.section(section).ops) if op.label == name)


def wanted(program, step, document):
    """What each variable should hold after an iteration: those that it computes, and all states."""
    for each in document["variables"]:
        if each["role"] == "state":
            yield each["name"], program.state(each["name"]).type, step.states[each["name"]]
        elif each["section"] == step.section:
            op = named(program, step.section, each["name"].removesuffix(":before"))
            yield each["name"], program.section(step.section).ops[op].type, step.values[op]


def compared(program, document, example, given):
    """Compare an example with the interpreter, iteration by iteration; how many values were compared."""
    found, count = steps_of(document, example), 0
    next(found)  # before the first iteration
    steps = interpret(program, given.hypergraph, given.inputs, given.weights)
    for step, values in zip(steps, found, strict=True):
        for name, type_, value in wanted(program, step, document):
            assert np.array_equal(values[name], in_storage(type_, value, step.infinity)), (step.iteration, name)
            count += 1
    return count
