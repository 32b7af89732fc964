"""A node: a process of `hearth serve --store`."""

import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from .process import GuardedProcess

ROOT = pathlib.Path(__file__).resolve().parents[3]
_numbers = itertools.count(1)


def hearth_binary():
    """HEARTH_BINARY, or the debug build of this clone."""
    return os.environ.get("HEARTH_BINARY", str(ROOT / ".build" / "debug" / "hearth"))


def run_hearth(*words, binary=None, seconds=60, environment=None):
    """Runs a command of hearth to its end and returns what it printed."""
    result = subprocess.run(
        [binary or hearth_binary(), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=seconds, env={**os.environ, **(environment or {})})
    if result.returncode != 0:
        output = result.stderr.strip() or result.stdout
        raise RuntimeError(f"hearth {' '.join(map(str, words))}: status {result.returncode}: {output}")
    return result.stdout


def initialize(url, binary=None):
    """Creates the tables, once per PostgreSQL database."""
    return run_hearth("store", "init", "--store", url, binary=binary)


def deploy(url, rules_file, binary=None, seconds=60, environment=None):
    """Returns when no node grants by the rules of before any more."""
    return run_hearth(
        "rules", "deploy", "--store", url, rules_file, binary=binary, seconds=seconds, environment=environment)


class Node:
    """`arguments` are those of `hearth serve` besides the store and the address; without any, development mode."""

    def __init__(self, url, *arguments, binary=None, name=None, folder=None, environment=None):
        self.url, self.arguments = url, list(arguments or ["--development", "--no-console"])
        self.binary = binary or hearth_binary()
        self.name = name or f"node-{next(_numbers)}"
        self._owns_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="hearth-node-")
        self.log = os.path.join(self.folder, f"{self.name}.log")
        self.port = 0
        self.is_paused = False
        self._environment = {**os.environ, **(environment or {})}
        self._process = None

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process is not None and self._process.is_running

    def start(self, seconds=60):
        """Waits until the node listens. A node that was started before keeps its port."""
        port_file = os.path.join(self.folder, f"{self.name}.port")
        if os.path.exists(port_file):
            os.remove(port_file)
        words = [
            self.binary, "serve", "--store", self.url, "--host", "127.0.0.1", "--port", self.port,
            "--port-file", port_file, *self.arguments]
        self._process = GuardedProcess(words, self.log, env=self._environment)
        end = time.monotonic() + seconds
        while not (text := _content(port_file)):
            if not self.is_running or time.monotonic() > end:
                self._process.end()
                raise RuntimeError(f"{self.name} does not start: {self.last_log()}")
            time.sleep(0.01)
        self.port = int(text)
        return self

    def kill(self):
        """SIGKILL, also for a node that is paused."""
        if self._process:
            self._process.end(signal.SIGKILL)
        self.is_paused = False

    def stop(self, seconds=30):
        """Ends the node as an operator does; returns its exit code."""
        self.resume()
        return self._process.end(signal.SIGTERM, seconds) if self._process else 0

    def pause(self):
        self._process.send(signal.SIGSTOP)
        self.is_paused = True

    def resume(self):
        if self.is_paused:
            self._process.send(signal.SIGCONT)
            self.is_paused = False

    def restart(self):
        """On the same port, after `kill`, `stop`, or neither."""
        if self.is_running:
            self.stop()
        return self.start()

    def last_log(self, length=2_000):
        return (_content(self.log) or "(no log)")[-length:]

    def remove(self):
        """Kills the node and deletes its files, if the folder is its own."""
        self.kill()
        if self._owns_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.remove()


def _content(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""
