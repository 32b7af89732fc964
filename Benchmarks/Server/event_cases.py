"""How soon a webhook receives what was committed, how many a second, and what waiting events cost."""

import asyncio
import json
import os
import re
import statistics
import threading
import time

import documents
from archive_cases import metric, wait_for
from counting_client import CountingClient
from measuring import Result, allowed
from processes import Failed

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"


class Receiver(asyncio.Protocol):
    """A connection to a receiver that reads no more of a request than it must, so that the sender is measured."""

    arrivals = {}
    count = 0

    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""

    def data_received(self, data):
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end]
            length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
            whole = end + 4 + int(length[1] if length else 0)
            if len(self.buffer) < whole:
                return
            self.buffer = self.buffer[whole:]
            document = re.search(rb"ce-document: *(\S+)", head, re.IGNORECASE)
            if document:
                Receiver.arrivals[document[1].decode()] = time.perf_counter()
            Receiver.count += 1
            self.transport.write(ANSWER)


class Receiving:
    """A receiver on a thread of its own."""

    def __init__(self):
        self.loop, ready = asyncio.new_event_loop(), threading.Event()

        def serve():
            asyncio.set_event_loop(self.loop)
            server = self.loop.run_until_complete(self.loop.create_server(Receiver, "127.0.0.1", 0))
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            self.loop.run_forever()

        threading.Thread(target=serve, daemon=True).start()
        ready.wait()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)


def trigger_file(machine, port, **more):
    file = os.path.join(machine.fresh_directory(), "events.json")
    trigger = {
        "name": "bench", "document": "ticks/{id}", "on": ["written"], "url": f"http://127.0.0.1:{port}", "concurrency": 64, **more,
    }  # fmt: skip
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"triggers": [trigger]}, out)
    return file


def delivered(machine, rounds, count=20_000):
    receiving = Receiving()
    server = machine.ready(machine.new_hearth("--project", documents.PROJECT, "--events", trigger_file(machine, receiving.port)))
    client = CountingClient(server.port)
    delays = []
    for number in range(500):
        client.check(documents.COMMIT, documents.tick(number, document=number))
        acknowledged, name = time.perf_counter(), f"ticks/{documents.document_id(number)}"
        wait_for("the event arrives", lambda: name in Receiver.arrivals, seconds=30)
        delays.append(Receiver.arrivals.pop(name) - acknowledged)
    yield allowed("commit to webhook, p50", max(1e-5, statistics.median(delays)) * 1e3, "ms", 20)
    rates, posts = [], []
    plain = machine.probe("posts", str(receiving.port))
    plain.measure(count)
    for number in range(max(3, rounds)):
        before, start = Receiver.count, time.perf_counter()
        for size in range(0, count, 500):
            writes = [document(f"r{number}-{one}") for one in range(size, size + 500)]
            client.check(documents.COMMIT, documents.commit(*writes))
        wait_for("all events arrive", lambda: Receiver.count - before >= count, seconds=120)
        rates.append(count / (time.perf_counter() - start))
        posts.append(plain.measure(count))
    client.close()
    machine.stop(plain)
    machine.stop(server)
    receiving.close()
    ours, peer = statistics.median(rates), statistics.median(posts)
    yield Result("events to a webhook, 64 in flight", ours, "events/s", "plain POSTs by the same client", peer, ours / peer, 0.5)


def document(name):
    return {"update": {"name": f"{documents.DATABASE}/documents/ticks/{name}", "fields": documents.values({"n": 1, "text": "x" * 200})}}


def pending(machine, rounds):
    """A receiver that is down: its events wait in the database, not in memory."""
    count = 1_000_000 if os.environ.get("HEARTH_FULL") == "1" else 100_000
    sizes = []
    for events in (True, False):
        options = ("--events", trigger_file(machine, 9)) if events else ()
        server = machine.ready(machine.new_hearth("--project", documents.PROJECT, "--durability", "relaxed", *options))
        client = CountingClient(server.port)
        for start in range(0, count, 500):
            client.check(documents.COMMIT, documents.commit(*[document(f"p{one}") for one in range(start, start + 500)]))
        client.close()
        time.sleep(3)
        if events and metric(server, "hearth_events_lag_seconds") < 3:
            raise Failed("the events do not wait")
        sizes.append(server.resident_megabytes())
        machine.stop(server)
    yield allowed(f"memory for {count:,} pending events", max(0.1, sizes[0] - sizes[1]), "MB", 32)
