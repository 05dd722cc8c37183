"""What stands in for `python` where a test starts a process: asks the server for a fork, and ends as that ends.

`commands.python()` has the words. It imports little, so that it starts soon. Signals are passed on.
"""

import json
import os
import select
import signal
import socket
import sys

PASSED_ON = {signal.SIGINT, signal.SIGTERM}

signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)  # until there is a process to tell
channel = socket.socket(socket.AF_UNIX)
channel.connect(sys.argv[1])
asked = {"arguments": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ)}  # noqa: PTH109  (pathlib starts late)
socket.send_fds(channel, [b" "], [0, 1, 2])
channel.sendall(json.dumps(asked).encode())
channel.shutdown(socket.SHUT_WR)
for number in range(3):
    os.close(number)  # the fork has them, and who reads shall see when that closes them
answers = channel.makefile("rb", buffering=0)
process = int(answers.readline())
told, tell = socket.socketpair()  # a signal just before `select` waits would be told only after it
tell.setblocking(False)
signal.set_wakeup_fd(tell.fileno())
for number in PASSED_ON:
    signal.signal(number, lambda number, _: os.kill(process, number))
signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
while channel not in select.select([channel, told], [], [])[0]:
    told.recv(1)
status = int(answers.readline())
if status < 0:
    if -status != signal.SIGKILL:  # which cannot be caught
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status)
