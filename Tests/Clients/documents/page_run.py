"""Runs the commands of one page in one shell and an empty folder, for __main__.py; with --inside in namespaces of its own."""

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

from . import given, pages

HERE = Path(__file__).resolve().parent
END = "\x01"


def prepare_namespaces(folder):
    """A network of the page's own, and copies of the folders of the system that it writes to."""
    with socket.socket() as control:
        # SIOCSIFFLAGS with IFF_UP and IFF_RUNNING.
        fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
    for path in ("/etc", "/var/lib", "/usr/local/bin"):
        original, copy = folder / "original" / path[1:], folder / "copy" / path[1:]
        original.mkdir(parents=True)
        copy.mkdir(parents=True)
        names = os.listdir(path)
        subprocess.run(["mount", "--rbind", path, original], check=True)
        for name in names:
            (copy / name).symlink_to(original / name)
        if path == "/etc":
            (copy / "hosts").unlink(missing_ok=True)
            (copy / "hosts").write_text("127.0.0.1 localhost db.internal\n::1 localhost\n")
        subprocess.run(["mount", "--bind", copy, path], check=True)


class Shell:
    """One bash that runs the commands of a page; what one of them exports, the next ones see."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            ["bash"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, text):
        self.process.stdin.write(f"{{ {text}\n}} </dev/null\nprintf '{END}%s\\n' $?\n")
        self.process.stdin.flush()
        output = ""
        while END not in output:
            line = self.process.stdout.readline()
            if not line:
                return output, None
            output += line
        output, code = output.split(END)
        return output, int(code)


def matches(printed, expected):
    """Whether a line is what a page shows, in which … replaces any text, and is the end of a line that the page cuts."""
    at = 0
    for part in expected.split("…"):
        at = printed.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def run(page, folder):
    """The failures of the page, one sentence each."""
    failures = []
    work = folder / "work"
    work.mkdir()
    (folder / "servers").mkdir()
    # Where `hearth console` finds no browser of this machine.
    (folder / "browser").write_text("#!/bin/sh\nexit 0\n")
    (folder / "browser").chmod(0o755)
    os.environ.update(
        PATH=f"{HERE}:{os.environ['PATH']}", SERVERS=str(folder / "servers"), BROWSER=str(folder / "browser"), HOME=str(work),
        XDG_RUNTIME_DIR=str(folder / "runtime"), TMPDIR=str(folder))
    (folder / "runtime").mkdir(mode=0o700)
    os.chdir(work)
    shell = Shell(work)
    for command in pages.commands(page.read_text(encoding="utf-8")):
        try:
            given.provide(command.given)
        except subprocess.CalledProcessError as error:
            failures.append(f"{page}:{command.line}: what is given could not be made: {error} {error.stderr}")
            break
        if command.reason:
            continue
        output, code = shell.run(command.text)
        if code != 0:
            failures.append(f"{page}:{command.line}: {command.text}\n  ended with {code}: {output.strip()}")
        for line in command.output:
            if not any(matches(printed, line) for printed in output.split("\n")):
                failures.append(f"{page}:{command.line}: {command.text}\n  printed {output.strip()!r} instead of {line!r}")
    shell.process.stdin.close()
    shell.process.wait()
    stopped = subprocess.run([HERE / "stop"], capture_output=True, text=True)
    if stopped.returncode != 0:
        failures.append(f"{page}: {stopped.stderr}")
    return failures


if __name__ == "__main__":
    page, folder = Path(sys.argv[1]), Path(sys.argv[2])
    # The caller removes the folder once the namespaces are gone: while they are mounted, its subfolders are the system's.
    if "--inside" in sys.argv:
        prepare_namespaces(folder)
    print(json.dumps(run(page, folder)))
