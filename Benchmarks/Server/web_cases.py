"""What a web page sees: sessions of WebChannel, by the same client on both sides."""

import json
import re
import statistics
import time

import documents
from call_cases import EMULATOR
from measuring import allowed, interleaved, times, warm
from web_channel import WebChannel

# The emulator gives a session up at 10,001 messages.
COUNT = 9_500
WRITES = 100
IDLE = 1_000
SNAPSHOT = b'{"targetChange":{"resumeToken":"'


def listen_to_document(collection="web"):
    return json.dumps(
        {"database": documents.DATABASE, "addTarget": {"documents": {"documents": [documents.document_name(0, collection)]}, "targetId": 2}})


def listen_to_collection():
    query = {
        "from": [{"collectionId": documents.COLLECTION}],
        "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
    }
    target = {"query": {"structuredQuery": query, "parent": f"{documents.DATABASE}/documents"}, "targetId": 2}
    return json.dumps({"database": documents.DATABASE, "addTarget": target})


class Page:
    """A page that writes a document and one that listens to it."""

    def __init__(self, server):
        self.listener = WebChannel(server.port, "Listen", documents.DATABASE, listen_to_document())
        self.listener.get()
        self.listener.until(SNAPSHOT)
        self.writer = WebChannel(server.port, "Write", documents.DATABASE, json.dumps({"database": documents.DATABASE}))
        self.writer.get()
        self.take_token()
        self.number = 10_000

    def take_token(self):
        """Each answer of a Write stream has the token of the next message."""
        text = self.writer.until(b'"streamToken":"')
        self.token = re.search(rb'"streamToken":"([^"]*)', text)[1].decode()

    def write(self):
        self.number += 1
        fields = {"n": {"integerValue": str(self.number)}}
        write = {"update": {"name": documents.document_name(0, "web"), "fields": fields}}
        message = json.dumps({"streamToken": self.token, "writes": [write]})
        start = time.perf_counter()
        self.writer.post(message)
        self.listener.until(f'"integerValue":"{self.number}"'.encode())
        took = time.perf_counter() - start
        self.writer.posted()
        self.take_token()
        return took

    def median(self):
        for channel in (self.listener, self.writer):
            channel.again()
        return statistics.median(self.write() for _ in range(WRITES)) * 1e6

    def close(self):
        self.listener.close()
        self.writer.close()


def write_to_listener(machine, rounds):
    emulator = machine.cold_emulator()
    # The emulator stores its data in memory: relaxed compares with it, and durable is the goal.
    pages = [Page(machine.hearth()), Page(machine.relaxed_hearth()), Page(emulator)]
    sides = [page.median for page in pages]
    cold = warm(*sides)[2]
    durable, relaxed, peer = interleaved(rounds, *sides)
    for page in pages:
        page.close()
    machine.stop(emulator)
    yield times("write to web listener, durable, p50", "µs", durable, EMULATOR, peer, 10, cold)
    yield times("write to web listener, relaxed, p50", "µs", relaxed, EMULATOR, peer, None, cold)


def first_snapshot(machine, rounds):
    emulator = machine.load(machine.cold_emulator(), COUNT)
    hearth = machine.load(machine.ready(machine.new_hearth()), COUNT)

    def snapshot(server):
        start = time.perf_counter()
        listener = WebChannel(server.port, "Listen", documents.DATABASE, listen_to_collection())
        listener.get()
        listener.until(SNAPSHOT)
        took = (time.perf_counter() - start) * 1e3
        assert listener.last > COUNT, listener.last
        listener.close()
        return took

    _, cold = warm(lambda: snapshot(hearth), lambda: snapshot(emulator))
    took = interleaved(rounds, lambda: snapshot(hearth), lambda: snapshot(emulator))
    for server in (hearth, emulator):
        machine.stop(server)
    yield times(f"first snapshot of {COUNT:,} documents of 1 KB over WebChannel", "ms", took[0], EMULATOR, took[1], 6, cold)


def idle_sessions(machine, rounds):
    """Each with its GET, on a connection of its own."""
    server = machine.ready(machine.new_hearth())

    def opened(count):
        sessions = []
        for _ in range(count):
            session = WebChannel(server.port, "Listen", documents.DATABASE, listen_to_document("idle"))
            session.posts.close()
            session.get()
            session.until(SNAPSHOT)
            sessions.append(session)
        return sessions

    # What is made once is there before.
    first = opened(10)
    time.sleep(1)
    before = server.resident_megabytes()
    sessions = opened(IDLE)
    time.sleep(1)
    grown = server.resident_megabytes() - before
    for session in first + sessions:
        session.gets.close()
    machine.stop(server)
    yield allowed(f"{IDLE:,} idle WebChannel sessions: memory of each", grown * 1024 / IDLE, "kB", 20)
