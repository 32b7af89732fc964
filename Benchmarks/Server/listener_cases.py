"""From a write to those who listen."""

import selectors
import statistics
import subprocess
import sys
import time

import documents
from counting_client import CountingClient
from measuring import allowed, percentiles, times
from processes import Child

# Tag of `ListenResponse.document_change`.
CHANGE = 0x1A


class Listener(Child):
    """Another process that listens to one document and reports each change."""

    def __init__(self, port, directory):
        super().__init__([sys.executable, __file__, str(port)], directory, stdout=subprocess.PIPE, text=True)
        self.received()

    def received(self):
        """The monotonic clock of the machine when the listener got the message."""
        line = self.process.stdout.readline()
        if not line:
            raise self.failure("ended")
        return float(line)


def listen(port):
    client = CountingClient(port, first_byte=CHANGE)
    stream = client.open(documents.LISTEN, documents.listen_to_document(), half_close=False)
    received = 0
    while True:
        client.wait(stream, lambda stream: stream.wanted > received)
        received = stream.wanted
        print(time.perf_counter(), flush=True)


def write_to_listener(machine, rounds, count=2_000):
    server = machine.hearth()
    writer = CountingClient(server.port)
    writer.check(documents.COMMIT, documents.tick(0))
    listener = machine.add(Listener(server.port, machine.directory))
    latencies = []
    for number in range(1, count + 1):
        body = documents.tick(number)
        start = time.perf_counter()
        writer.check(documents.COMMIT, body)
        latencies.append((listener.received() - start) * 1e6)
    machine.stop(listener)
    writer.close()
    yield from percentiles("write to listener in another process, durable", latencies)


def many_listeners(machine, rounds, listeners=1_000, connections=10, count=200):
    """Every listener has a stream of its own, as if it were an app of its own."""
    server = machine.hearth()
    writer = CountingClient(server.port)
    collection = "watched"
    writer.check(documents.COMMIT, documents.tick(0, collection))
    request = documents.listen_to_document(collection)
    clients = [CountingClient(server.port, first_byte=CHANGE) for _ in range(connections)]
    streams = [
        client.open(documents.LISTEN, request, half_close=False)
        for client in clients
        for _ in range(listeners // connections)
    ]
    arrivals = selectors.DefaultSelector()
    for client in clients:
        arrivals.register(client.socket, selectors.EVENT_READ, client)

    def all_called(changes):
        while any(stream.wanted < changes for stream in streams):
            for key, _ in arrivals.select():
                key.data.receive()
        assert not any(stream.ended for stream in streams)

    all_called(1)
    latencies = []
    for number in range(1, count + 1):
        body = documents.tick(number, collection)
        start = time.perf_counter()
        writer.open(documents.COMMIT, body)
        all_called(number + 1)
        latencies.append((time.perf_counter() - start) * 1e3)
        while writer.streams:
            writer.receive()
    for client in clients:
        client.close()
    writer.close()
    yield from percentiles("1,000 listeners on one document, 10 connections, all called", latencies, "ms")


def idle_targets(machine, rounds, targets=10_000, connections=10, count=1_000):
    """Targets that nothing happens to: what they take, and what they cost those who write elsewhere."""
    server = machine.hearth()
    writer = CountingClient(server.port)

    def writing(first):
        took = []
        for number in range(first, first + count):
            body = documents.tick(number, "elsewhere")
            start = time.perf_counter()
            writer.check(documents.COMMIT, body)
            took.append((time.perf_counter() - start) * 1e6)
        return statistics.median(took)

    writing(0)
    alone = writing(count)
    before = server.resident_megabytes()
    clients = [CountingClient(server.port) for _ in range(connections)]
    each = targets // connections
    for client in clients:
        client.open(documents.LISTEN, documents.listen_to_document("idle", 0, target=1), half_close=False)
        (stream,) = client.streams
        for number in range(1, each):
            client.send(stream, documents.listen_to_document("idle", number, target=number + 1))
    arrivals = selectors.DefaultSelector()
    for client in clients:
        arrivals.register(client.socket, selectors.EVENT_READ, client)
    # Everything has been delivered when nothing arrives any more.
    while ready := arrivals.select(timeout=2):
        for key, _ in ready:
            key.data.receive()
    grown = server.resident_megabytes() - before
    beside = writing(2 * count)
    assert all(len(client.streams) == 1 for client in clients)
    for client in clients:
        client.close()
    writer.close()
    yield allowed(f"{targets:,} idle targets on {connections} streams: memory of each", grown * 1024 / targets, "kB", 16)
    yield times("a durable write beside them", "µs", [beside], "without them", [alone], 0.5)


if __name__ == "__main__":
    listen(int(sys.argv[1]))
