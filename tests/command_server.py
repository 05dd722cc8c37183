"""Started by `commands.py`: imports hyloop once, then runs `python -m hyloop` in a fork of itself whenever it is asked.

It is asked through the socket whose number is the argument: the command as JSON, with three files to be its standard
input, output and errors. It answers with the exit status. A fork is a fresh process in all but the imports.
"""

import json
import os
import runpy
import socket
import sys
import warnings

import hyloop.cli  # noqa: F401  (what takes long)

warnings.filterwarnings("ignore", category=DeprecationWarning, module="__main__")  # of forks, from Python 3.12 on


def next_command() -> dict:
    """In a fork: what to run. The parent stays here until nobody can ask any more."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    while True:
        asked, files, *_ = socket.recv_fds(channel, 1 << 20, 3)
        if not asked:
            os._exit(0)
        child = os.fork()
        if child == 0:
            channel.close()
            for number, file in enumerate(files):
                os.dup2(file, number)
            return json.loads(asked)
        for file in files:
            os.close(file)
        channel.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


command = next_command()
os.chdir(command["folder"])
os.environ.clear()
os.environ.update(command["environment"])
sys.argv = ["hyloop", *command["arguments"]]
runpy.run_module("hyloop", run_name="__main__", alter_sys=True)
