"""The command before anything is imported."""

import os
import subprocess
import sys

INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
import hyloop_command
hyloop_command.main()
"""


def test_ctrl_c_while_it_starts_is_a_sentence():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped: interrupted.\n")


def test_completion_without_a_shell_is_a_sentence():
    given = {key: value for key, value in os.environ.items() if not key.startswith("COMP_")}
    for more in ({}, {"COMP_WORDS": "hyloop ru"}, {"COMP_WORDS": "hyloop ru", "COMP_CWORD": "x"}):
        done = subprocess.run(
            [sys.executable, "-m", "hyloop"],
            env={**given, "_HYLOOP_COMPLETE": "complete_bash", **more},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Error: _HYLOOP_COMPLETE is for a shell that completes a command")
