"""The other processes: servers, probes, load generators. All of them end with this one."""

import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zlib

import documents
from counting_client import CallFailed, CountingClient

EMULATOR_PACKAGE = "google-cloud-cli-firestore-emulator"
HOST = "127.0.0.1"


class Absent(Exception):
    """A peer or tool that this machine does not have."""


class Failed(Exception):
    pass


def dies_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class Child:
    """A process whose output goes to a file, shown when something fails."""

    def __init__(self, command, directory, environment=None, **streams):
        self.command = command
        self.log = tempfile.NamedTemporaryFile(dir=directory, prefix="log-", delete=False)
        streams.setdefault("stdout", self.log)
        self.process = subprocess.Popen(
            command, stderr=self.log, preexec_fn=dies_with_parent, env={**os.environ, **(environment or {})}, **streams
        )

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def failure(self, problem):
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            tail = "".join(file.readlines()[-20:])
        return Failed(f"{' '.join(self.command)}: {problem}\n{tail}")


class Server(Child):
    """A server on a port of its own."""

    def __init__(self, command, directory, environment=None):
        self.port = free_port()
        self.started = time.perf_counter()
        super().__init__([part.replace("PORT", str(self.port)) for part in command], directory, environment)

    def first_answer(self, timeout=60):
        """Seconds from the start of the process to the answer to a first call."""
        while time.perf_counter() - self.started < timeout:
            if self.process.poll() is not None:
                raise self.failure(f"ended with {self.process.returncode}")
            try:
                client = CountingClient(self.port)
                client.socket.settimeout(timeout)
                # "Not found" will do.
                client.call(documents.GET, documents.get())
                elapsed = time.perf_counter() - self.started
                client.close()
                return elapsed
            except (OSError, CallFailed):
                time.sleep(0.001)
        raise self.failure("does not answer")

    def resident_megabytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024

    def processor_seconds(self):
        """The processor time that the server has used, the kernel's included."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Probe(Child):
    """A process that measures something each time it is given a number."""

    def __init__(self, command, directory):
        super().__init__(command, directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            self.process.wait()
            raise self.failure("did not start")

    def line(self):
        """The next line it says by itself."""
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            raise self.failure("ended")
        return line.strip()

    def measure(self, number=1.0):
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        return float(self.line())


class Machine:
    """Starts what the cases ask for, once, and ends it."""

    def __init__(self, build):
        self.build = build
        self.directory = tempfile.mkdtemp(prefix="hearth-bench-server-")
        self.children = []
        self.shared = {}

    def close(self):
        for child in self.children:
            child.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def add(self, child):
        self.children.append(child)
        return child

    def stop(self, child):
        child.stop()
        self.children.remove(child)
        self.shared = {key: other for key, other in self.shared.items() if other is not child}

    def terminate(self, child):
        """Asks it to end in good order."""
        child.process.terminate()
        child.process.wait(30)
        self.stop(child)

    def once(self, key, make):
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]

    def fresh_directory(self):
        return tempfile.mkdtemp(dir=self.directory)

    def new_hearth(self, *options, data=None):
        command = [f"{self.build}/hearth", "serve", "--data", data or self.fresh_directory(), "--port", "PORT", *options]
        return self.add(Server(command, self.directory))

    def new_emulator(self, *options):
        jar = emulator_jar()
        command = [
            "java", "-cp", jar, "com.google.cloud.datastore.emulator.firestore.CloudFirestore", "start",
            f"--host={HOST}", "--port=PORT", *options,
        ]  # fmt: skip
        return self.add(Server(command, self.directory))

    def probe(self, *arguments):
        return self.add(Probe([f"{self.build}/ServerProbe", *arguments], self.directory))

    def echo(self, answer):
        """Our transport, answering every call with the same bytes."""
        return self.add(Server([f"{self.build}/ServerProbe", "echo", "PORT", answer], self.directory))

    def ready(self, server):
        server.first_answer()
        return server

    def hearth(self):
        """A server with the default durability, shared by the cases."""
        return self.once("hearth", lambda: self.ready(self.new_hearth()))

    def relaxed_hearth(self):
        return self.once("relaxed", lambda: self.ready(self.new_hearth("--durability", "relaxed")))

    def cold_emulator(self):
        """One that has served no call yet, for this case alone."""
        return self.ready(self.new_emulator())

    def load(self, server, count=10_000):
        """The server, with documents of 1 KB in it."""

        def fill():
            client = CountingClient(server.port)
            for body in documents.set_batches(count):
                client.check(documents.COMMIT, body)
            client.close()
            return server

        return self.once((server.process.pid, count), fill)

    def file(self, name, content):
        path = os.path.join(self.directory, name)
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(content)
        return path


def emulator_jar():
    listed = subprocess.run(["dpkg", "-L", EMULATOR_PACKAGE], capture_output=True, text=True, check=False).stdout
    jars = [line for line in listed.splitlines() if line.endswith("cloud-firestore-emulator.jar")]
    if not jars or not shutil.which("java"):
        raise Absent(f"no official emulator (Debian package {EMULATOR_PACKAGE})")
    return jars[0]


def load_rate(machine, port, path, body, in_flight=32, seconds=2, warm_up=1, connections=1, token=None):
    """Calls per second with so many in flight on all connections together, all of them the same, made by h2load."""
    tool = shutil.which("h2load")
    if not tool:
        raise Absent("no h2load (Debian package nghttp2-client)")
    # h2load sees no gRPC status: one call before and one behind the load must be answered by a message.
    client = CountingClient(port, token=token)
    client.check(path, body)
    # Length and flag are part of what h2load sends.
    framed = b"\0" + len(body).to_bytes(4, "big") + body
    file = machine.file(f"body-{zlib.crc32(path.encode() + body):08x}", framed)
    run = subprocess.run(
        [
            tool, f"-c{connections}", f"-m{in_flight // connections}", "-t1", "-D", str(seconds),
            f"--warm-up-time={warm_up}", "-d", file, "-H", "content-type: application/grpc", "-H", "te: trailers",
            *(["-H", f"authorization: Bearer {token}"] if token else []), f"http://{HOST}:{port}{path}",
        ],
        capture_output=True, text=True, check=False, preexec_fn=dies_with_parent,
    )  # fmt: skip
    client.check(path, body)
    client.close()
    counts = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored", run.stdout)
    rate = re.search(r"finished in [^,]*, ([0-9.]+) req/s", run.stdout)
    if run.returncode or not counts or not rate or int(counts[2]) or int(counts[3]):
        raise Failed(f"h2load: {run.stdout[-800:]}{run.stderr[-400:]}")
    return float(rate[1])
