"""The end of a scan: its lanes are reduced with row 0, and the averages are written."""

from __future__ import annotations

from hyloop.execute.cpu.native.emit import CodeLines, Context, Function
from hyloop.execute.cpu.native.rows import Running


def finish(context: Context, text: CodeLines, running: Running, row_zero: list[str], offset: int) -> list[str]:
    """Write the averages of a scan; returns, for each, the name of a flag that is set if it is not an integer.

    `offset` is where its layer's numbers begin. `row_zero` holds the score of row 0, and for each value that of row 0
    and, if all rows of the body share it, theirs.
    """
    f, parts, lanes = context.function, running.leaving, context.function.lanes
    while lanes > 1:
        parts, lanes = _halved(f, text, parts, lanes), lanes // 2
    best, count, *sums = (text.let(f"extractelement <1 x {f.number}> {part}, i32 0") for part in parts)
    score = row_zero[0]
    body_wins = text.let(f"fcmp oge {f.number} {best}, {score}")
    first_wins = text.let(f"fcmp oge {f.number} {score}, {best}")

    def kept(condition: str, value: str) -> str:
        return text.let(f"select i1 {condition}, {f.number} {value}, {f.number} {f.constant(0)}")

    from_body = kept(body_wins, count)
    counted = text.let(f"fadd {f.number} {from_body}, {kept(first_wins, f.constant(1))}")
    flags = []
    for number in range(len(running.scan.values)):
        first, shared = row_zero[1 + 2 * number : 3 + 2 * number]
        if number in running.accumulated:
            body = kept(body_wins, sums[running.accumulated.index(number)])
        else:
            body = text.let(f"fmul {f.number} {from_body}, {shared}")
        total = text.let(f"fadd {f.number} {body}, {kept(first_wins, first)}")
        average = text.let(f"fdiv {f.number} {total}, {counted}")
        flags.append(text.let(f"fcmp une {f.number} {f.floor(text, average)}, {average}"))
        for slot, to in (("brought_first", running.scan.to_first), ("brought_rest", running.scan.to_body)):
            for each in to[number : number + 1]:
                text.do(f"store {f.number} {average}, ptr {context.element(text, slot, offset + each)}")
    return flags


def _halved(f: Function, text: CodeLines, parts: list[str], lanes: int) -> list[str]:
    """Best scores, counts and sums of half as many lanes."""
    half = lanes // 2
    kind, small = f"<{lanes} x {f.number}>", f"<{half} x {f.number}>"

    def side(part: str, start: int) -> str:
        mask = ", ".join(f"i32 {lane}" for lane in range(start, start + half))
        return text.let(f"shufflevector {kind} {part}, {kind} poison, <{half} x i32> <{mask}>")

    pairs = [(side(part, 0), side(part, half)) for part in parts]
    low, high = pairs[0]
    above = text.let(f"fcmp oge {small} {low}, {high}")
    below = text.let(f"fcmp oge {small} {high}, {low}")
    condition = f"<{half} x i1>"
    found = [text.let(f"select {condition} {above}, {small} {low}, {small} {high}")]
    for a, b in pairs[1:]:
        left = text.let(f"select {condition} {above}, {small} {a}, {small} zeroinitializer")
        right = text.let(f"select {condition} {below}, {small} {b}, {small} zeroinitializer")
        found.append(text.let(f"fadd {small} {left}, {right}"))
    return found
