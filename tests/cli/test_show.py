"""Output of the command line: cells of tables."""

from hyloop.cli.show import cell


def test_different_labels_are_shown_differently():
    shown = {"1": '"1"', '"1"': r'"\"1\""', r'"\"1\""': r'"\"\\\"1\\\"\""', '"a"': '"a"', "a": "a", "01": "01"}
    assert {label: cell(label) for label in shown} == shown
    assert cell(1) == "1"
    assert len({*shown.values()}) == len(shown)
