"""A `hearth serve` with triggers."""

import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("HEARTH_BINARY", str(ROOT / ".build" / "debug" / "hearth"))
_numbers = itertools.count(1)


def eventually(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.01)


class Server:
    def __init__(self, folder, triggers, arguments=(), project="demo-events"):
        self.folder, self.project = str(folder), project
        self.file = os.path.join(self.folder, "events.json")
        self.arguments = list(arguments) or ["--in-memory"]
        self.log = os.path.join(self.folder, "serve.log")
        self.write(triggers)
        self.start()

    def write(self, triggers):
        self.write_text(json.dumps({"triggers": triggers}, indent=1))

    def write_text(self, text):
        with open(self.file + ".new", "w") as file:
            file.write(text)
        os.replace(self.file + ".new", self.file)

    def start(self):
        port_file = os.path.join(self.folder, f"port-{next(_numbers)}")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--port-file", port_file, "--project", self.project, "--events", self.file,
             "--no-console", *self.arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.log, "a"))
        end = time.monotonic() + 60
        while not os.path.exists(port_file):
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise RuntimeError(f"hearth serve did not start: {open(self.log).read()}")
            time.sleep(0.01)
        self.address = f"127.0.0.1:{int(open(port_file).read())}"

    def logged(self, text):
        with open(self.log) as file:
            return text in file.read()

    def client(self):
        from google.cloud import firestore

        os.environ["FIRESTORE_EMULATOR_HOST"] = self.address
        return firestore.Client(project=self.project)

    def metrics(self):
        return urllib.request.urlopen(f"http://{self.address}/metrics").read().decode()

    def placed(self):
        """Waits until each trigger has found its place: from then on, changes are events."""
        with open(self.file) as file:
            names = [trigger["name"] for trigger in json.load(file)["triggers"]]
        eventually("the triggers are there", lambda: all(f'hearth_events_pending{{' in self.metrics() and name in self.metrics()
                                                         for name in names))
        # The metrics are there shortly after the runner has started; its place is stored first of all.
        time.sleep(1)
        return self

    def command(self, *words):
        return subprocess.run(
            [BINARY, "events", *words, "--server", self.address, "--project", self.project], capture_output=True, text=True, timeout=60)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)

    def __enter__(self):
        return self

    def __exit__(self, *arguments):
        self.stop()
