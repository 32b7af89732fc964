"""A node: `hearth serve` over the PostgreSQL servers."""

import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("HEARTH_BINARY", str(ROOT / ".build" / "debug" / "hearth"))


class Node:
    def __init__(self, name, store, folder):
        self.name = name
        self.log = folder / f"node-{name}.log"
        port_file = folder / f"node-{name}.port"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--store", store, "--host", "127.0.0.1", "--port", "0", "--port-file", str(port_file),
                 "--development"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + 60
        while not port_file.exists():
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise RuntimeError(f"hearth serve did not start: {self.log.read_text()[-2000:]}")
            time.sleep(0.02)
        self.address = f"127.0.0.1:{int(port_file.read_text())}"

    @property
    def is_running(self):
        return self.process.poll() is None

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def initialize(store):
    """Creates the tables."""
    subprocess.run([BINARY, "store", "init", "--store", store], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
