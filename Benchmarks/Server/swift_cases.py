"""An app in Swift at the server, against the official Python client and against what the server can do."""

import statistics
import subprocess
import sys
import time

import documents
from client_cases import connected
from counting_client import CountingClient
from measuring import interleaved, rates, times, percentiles
from processes import Child, load_rate

PYTHON = "official Python client"


def gets(machine, rounds):
    """One document at a time, decoded into what the language has for it."""
    server = machine.load(machine.hearth())
    app = machine.probe("app", str(server.port), "gets")
    collection = connected(server).collection(documents.COLLECTION)

    def python_get(count):
        took = []
        for number in range(count):
            start = time.perf_counter()
            collection.document(documents.document_id(number)).get().to_dict()
            took.append((time.perf_counter() - start) * 1e6)
        return statistics.median(took)

    app.measure(500)
    python_get(100)
    ours, peer = interleaved(rounds, lambda: app.measure(2_000), lambda: python_get(300))
    machine.stop(app)
    yield times("getDocument(as:), one at a time", "µs", ours, PYTHON, peer, 3)


def tasks(machine, rounds):
    server = machine.load(machine.hearth())
    app = machine.probe("app", str(server.port), "tasks")
    body = documents.get(7)
    app.measure(1)
    ours, peer = interleaved(
        rounds, lambda: app.measure(2), lambda: load_rate(machine, server.port, documents.GET, body, in_flight=64)
    )
    machine.stop(app)
    yield rates("getDocument(as:), 64 tasks, one connection", "calls/s", ours, "h2load, undecoded", peer, 0.4)


def adds(machine, rounds):
    server = machine.hearth()
    sides = [machine.probe("app", str(server.port), how) for how in ("unawaited", "awaited")]
    for side in sides:
        side.measure(100)
    ours, peer = interleaved(rounds, lambda: sides[0].measure(1_000), lambda: sides[1].measure(200))
    for side in sides:
        machine.stop(side)
    yield rates("1,000 documents added, then waitForPendingWrites", "docs/s", ours, "one by one, awaited", peer, 10)


class PythonListener(Child):
    """Another process in which the official Python client listens."""

    def __init__(self, port, directory):
        super().__init__([sys.executable, __file__, str(port)], directory, stdout=subprocess.PIPE, text=True)

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise self.failure("ended")
        return line.strip()


def listeners(machine, rounds, count=300):
    """From a write in this process to the callback in another: the same writes for both listeners, one at a time."""
    server = machine.hearth()
    writer = CountingClient(server.port)
    writer.check(documents.COMMIT, documents.tick(0))
    number = 0

    def latencies(listener):
        nonlocal number
        took = []
        for _ in range(count):
            number += 1
            body = documents.tick(number)
            start = time.perf_counter()
            writer.check(documents.COMMIT, body)
            took.append((float(listener.line()) - start) * 1e6)
        return took

    ours, peer = [], []
    for _ in range(max(3, rounds // 2)):
        app = machine.probe("app", str(server.port), "listen")
        app.line()
        ours.append(latencies(app))
        machine.stop(app)
        python = machine.add(PythonListener(server.port, machine.directory))
        python.line()
        peer.append(latencies(python))
        machine.stop(python)
    writer.close()
    name = "write to listener in another process"
    middles = [[statistics.median(took) for took in side] for side in (ours, peer)]
    yield times(f"{name}, Swift, p50", "µs", middles[0], PYTHON, middles[1], 3)
    yield percentiles(f"{name}, Swift", [value for took in ours for value in took])[1]
    yield percentiles(f"{name}, Python", [value for took in peer for value in took])[1]


def listen(port):
    from types import SimpleNamespace

    def told(snapshots, changes, read_time):
        if snapshots and snapshots[0].exists:
            print(time.perf_counter(), flush=True)

    client = connected(SimpleNamespace(port=port))
    client.document("ticks/" + documents.document_id(0)).on_snapshot(told)
    # Until the driver ends the process.
    while True:
        time.sleep(3_600)


if __name__ == "__main__":
    listen(int(sys.argv[1]))
