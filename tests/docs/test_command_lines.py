"""Every command line of the pages, and of the commands' own help, does what it says: it is run, and ends as it should.

`command_lines.py` collects them, and has the tables of those that take long (tests/thorough/docs runs these) and of the
few that are not run, with reasons.
"""

import pytest

from docs.command_lines import LONG, NOT_RUN, STATUS, every_command, execute, in_page, is_mention, prepare, to_run


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    prepare(folder)
    return folder


@pytest.mark.parametrize("each", to_run(long=False), ids=str)
def test_it_runs(each, prepared, tmp_path):
    status, errors = execute(each, prepared, tmp_path)
    assert (status, "Traceback" in errors) == (STATUS.get(each.text, 0), False), errors


def test_the_tables_speak_of_commands_that_exist():
    assert {*LONG, *NOT_RUN, *STATUS} <= {each.text for each in every_command()}
    assert all(LONG.values())
    assert all(NOT_RUN.values())


PAGE = """
Say `hyloop run` or `hyloop  check
X --random 3`.

```console
$ hyloop info dijkstra --layers   # a comment
hyloop prints this
$ make test
```

```
  hyloop not at the beginning
hyloop view
```

```python
hyloop = 1
```
"""


def test_what_counts_as_a_command():
    found = [each.text for each in in_page("a page", PAGE)]
    assert found == [
        "hyloop run",
        "hyloop check X --random 3",
        "hyloop info dijkstra --layers",
        "hyloop prints this",
        "hyloop view",
    ]


@pytest.mark.parametrize(
    ("words", "mention"),
    [
        ("run", True),
        ("paper", True),
        ("paper run", True),
        ("veiw", False),
        ("paper algorithms", False),
        ("run x", False),
    ],
)
def test_a_mention_names_a_command_that_needs_more(words, mention):
    assert is_mention(words.split()) is mention
