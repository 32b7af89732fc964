"""Starts the emulator and `hearth serve` on free ports of 127.0.0.1, and ends them whatever happens."""

import atexit
import ctypes
import http.client
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PACKAGE = "google-cloud-cli-firestore-emulator"
MAIN = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"


def emulator_jar():
    """The emulator's archive, or None where it cannot be run."""
    if not shutil.which("java") or not shutil.which("dpkg"):
        return None
    listing = subprocess.run(["dpkg", "-L", PACKAGE], capture_output=True, text=True, check=False).stdout
    return next((line for line in listing.splitlines() if line.endswith("/cloud-firestore-emulator.jar")), None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Server:
    """A process that answers on `address` once `wait` has returned."""

    running = []

    def __init__(self, name, command, port=None, port_file=None):
        self.name = name
        self.log = tempfile.NamedTemporaryFile(prefix=f"oracle-{name}-", suffix=".log")
        self.port_file = port_file
        self.address = f"127.0.0.1:{port}" if port else None
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, preexec_fn=_die_with_parent)
        Server.running.append(self)

    def wait(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit(f"oracle: {self.name} ended with {self.process.returncode}:\n{self.output()}")
            if self._find_address() and self._answers():
                return self
            time.sleep(0.05)
        raise SystemExit(f"oracle: {self.name} did not answer within {seconds} s:\n{self.output()}")

    def _find_address(self):
        if not self.address and self.port_file and os.path.exists(self.port_file):
            with open(self.port_file) as file:
                text = file.read().strip()
            if text:
                self.address = f"127.0.0.1:{int(text)}"
        return self.address

    def _answers(self):
        try:
            connection = http.client.HTTPConnection(self.address, timeout=2)
            connection.request("GET", "/")
            connection.getresponse().read()
            connection.close()
            return True
        except OSError:
            return False

    def output(self):
        with open(self.log.name, errors="replace") as file:
            return file.read()[-4000:]

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self in Server.running:
            Server.running.remove(self)

    @staticmethod
    def stop_all():
        for server in list(Server.running):
            server.stop()


def emulator(jar, name="emulator"):
    port = free_port()
    flags = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    return Server(name, ["java", *flags, "-cp", jar, MAIN, "start", "--host=127.0.0.1", f"--port={port}"], port=port)


def hearth(binary):
    folder = tempfile.mkdtemp(prefix="oracle-hearth-")
    atexit.register(shutil.rmtree, folder, True)
    port_file = os.path.join(folder, "port")
    command = [binary, "serve", "--in-memory", "--host", "127.0.0.1", "--port", "0", "--port-file", port_file]
    return Server("hearth", command, port_file=port_file)


atexit.register(Server.stop_all)
for _number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(_number, lambda number, frame: exit(128 + number))
