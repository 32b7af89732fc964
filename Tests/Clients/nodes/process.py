"""Processes that end with this one, also if it is killed."""

import os
import random
import signal
import socket
import subprocess

# A line on the input means that the process was ended; the end of the input without one, that this program is gone. The
# shell becomes the process, and what waits is a grandchild, because PostgreSQL minds children that it did not start.
SCRIPT = """
signal=$1; shift
exec 3<&0
( { read -r line <&3 || kill -s "$signal" $$; } >/dev/null 2>&1 & )
exec "$@" </dev/null 3<&-
"""


def free_port():
    """A port outside of the range from which systems give ports to clients: still free after a restart."""
    for _ in range(100):
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RuntimeError("no free port was found")


class GuardedProcess:
    """A running program with its output in a file."""

    def __init__(self, words, log, last_signal="KILL", **options):
        with open(log, "ab") as output:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", SCRIPT, "sh", last_signal, *map(str, words)], stdin=subprocess.PIPE, stdout=output,
                stderr=subprocess.STDOUT, **options)

    @property
    def pid(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process.poll() is None

    def send(self, number):
        if self.is_running:
            os.kill(self.pid, number)

    def end(self, number=signal.SIGKILL, seconds=30):
        """Sends a signal and waits for the end; kills what does not end in time. Returns the exit code."""
        self.send(number)
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.send(signal.SIGKILL)
            code = self._process.wait()
        self._dismiss_guard()
        return code

    def _dismiss_guard(self):
        if self._process.stdin.closed:
            return
        try:
            self._process.stdin.write(b"ended\n")
            self._process.stdin.close()
        except OSError:
            pass  # The guard is gone as well.
