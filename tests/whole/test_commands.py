"""The forks that stand in for `python` in these tests begin and end as `python` does."""

import os
import signal
import subprocess
import sys

import pytest

import commands

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")


def ended(words: list[str], code: str, *arguments: str) -> tuple[int, str, str]:
    command = [*words, "-c", code, *arguments]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(command, input="given", capture_output=True, text=True, check=False, env=buffered)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import sys; print(sys.argv, __name__, sys.stdin.read())",
        "import sys; sys.exit(300)",
        "import sys; sys.exit('a sentence')",
        "import atexit; atexit.register(print, 'the end'); raise SystemExit",
        "import os; os._exit(7)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import os; os.close(1); print('nowhere')",
    ],
)
def test_it_ends_like_python(code):
    ours, theirs = ended(commands.python(), code, "a", "b"), ended([sys.executable], code, "a", "b")
    assert ours[:2] == theirs[:2]
    assert ours[2].splitlines()[:1] == theirs[2].splitlines()[:1] or theirs[0] == 120  # that one is told in two lines


@pytest.mark.parametrize("error", ["ValueError('wrong')", "KeyboardInterrupt"])
def test_what_nobody_catches_is_a_traceback(error):
    ours, theirs = ended(commands.python(), f"raise {error}"), ended([sys.executable], f"raise {error}")
    assert ours[0] == theirs[0]
    assert ours[2].splitlines()[-1] == theirs[2].splitlines()[-1]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 3)])
def test_signals_are_passed_on(number, status):
    # Short sleeps: a signal just before one is told only after it.
    waiting = "print('ready', flush=True); [time.sleep(0.1) for _ in range(600)]"
    code = f"import sys, time\ntry: {waiting}\nexcept KeyboardInterrupt: sys.exit(3)"
    with subprocess.Popen([*commands.python(), "-c", code], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "ready\n"
        run.send_signal(number)
        assert run.wait(timeout=60) == status
