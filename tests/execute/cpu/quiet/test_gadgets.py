"""Steps and tents in sums of ReLUs."""

from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.quiet.gadgets import Gadget, Linear, shape

NUMBER, FLAG, ROW = (Ref("column", at) for at in range(3))


def found(weights, arguments):
    """The shape of a sum of ReLUs; `NUMBER` is a number of the iteration."""
    of = Linear(3, tuple((Ref("node", at), weight) for at, weight in enumerate(weights)))

    def sways(ref):
        return ref == NUMBER or (ref.space == "node" and any(sways(each) for each, _ in arguments[ref.number].terms))

    return shape(of, lambda ref: arguments[ref.number], sways, lambda inner: inner.terms[0][0] == ROW)


def shifted(*terms):
    return Linear(0, ((ROW, 1), (NUMBER, -1), *terms))


def test_a_comparison_of_rows_with_a_number_is_a_tent():
    arguments = [shifted((FLAG, 1)), shifted(), shifted((FLAG, -1))]
    assert found([5, -10, 5], arguments).gadgets == (Gadget("tent", 5, 1, Linear(0, ((FLAG, 1),)), True),)
    assert not found([5, -10, 5], arguments).plain


def test_a_threshold_is_a_step():
    arguments = [shifted(), Linear(-1, shifted().terms)]
    assert found([2, -2], arguments).gadgets == (Gadget("step", 2, 0, Linear(1, ()), True),)


def test_terms_of_other_weights_or_other_numbers_are_left_alone():
    assert not found([2, -1], [shifted(), Linear(-1, shifted().terms)]).gadgets
    assert not found([1, -1], [shifted(), Linear(0, ((ROW, 1), (NUMBER, -2)))]).gadgets
    lopsided = [shifted((FLAG, 1)), shifted(), shifted((FLAG, -2))]
    assert [each.kind for each in found([1, -2, 1], lopsided).gadgets] == []


def test_what_no_number_moves_needs_no_gadget():
    still = [Linear(0, ((ROW, 1),)), Linear(-1, ((ROW, 1),))]
    assert found([1, -1], still).plain == ((Ref("node", 0), 1), (Ref("node", 1), -1))
