"""What an app sees through the official Python client."""

import os
import statistics
import threading
import time

import documents
from call_cases import EMULATOR
from counting_client import CountingClient
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from measuring import interleaved, times, warm

COUNT = 10_000


def connected(server):
    # The client reads the address when it is made.
    os.environ["FIRESTORE_EMULATOR_HOST"] = f"127.0.0.1:{server.port}"
    return firestore.Client(project=documents.PROJECT, credentials=AnonymousCredentials())


def q1(collection):
    grouped = collection.where(filter=FieldFilter("grp", "==", 7)).where(filter=FieldFilter("n", ">=", COUNT // 2))
    return grouped.order_by("n").limit(20)


def q2(collection):
    ranged = collection.where(filter=FieldFilter("n", ">=", COUNT // 2))
    return ranged.where(filter=FieldFilter("n", "<", COUNT // 2 + 1_000)).order_by("n").limit(20)


def q3(collection):
    return collection.where(filter=FieldFilter("grp", "==", 7))


def median_milliseconds(action, repeats):
    took = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        took.append((time.perf_counter() - start) * 1e3)
    return statistics.median(took)


def run_query(query):
    return documents.RUN_QUERY, documents.run_query(query._to_protobuf())


def queries(machine, rounds):
    """Through the client, and the same request from a client that costs nothing: what is left is the server's."""
    emulator = machine.cold_emulator()
    servers = machine.load(machine.hearth(), COUNT), machine.load(emulator, COUNT)
    ours, peer = [connected(server).collection(documents.COLLECTION) for server in servers]
    raw = [CountingClient(server.port) for server in servers]
    for name, of, request in (
        ("Q1 (one group from the middle on, 20)", lambda collection: len(q1(collection).get()), run_query(q1(ours))),
        ("Q2 (a range of numbers, 20)", lambda collection: len(q2(collection).get()), run_query(q2(ours))),
        (
            "count of 10,000",
            lambda collection: collection.count().get()[0][0].value,
            (documents.AGGREGATE, documents.run_aggregation(ours.count()._to_protobuf())),
        ),
    ):
        answers = {of(ours), of(peer)}
        assert len(answers) == 1, f"{name}: different answers: {answers}"
        # Ours makes an index when it has seen a question that needs one.
        median_milliseconds(lambda: of(ours), 100)
        sides = [
            lambda: median_milliseconds(lambda: of(ours), 30),
            lambda: median_milliseconds(lambda: of(peer), 20),
            lambda: median_milliseconds(lambda: raw[0].check(*request), 30),
            lambda: median_milliseconds(lambda: raw[1].check(*request), 20),
        ]
        _, cold, _, raw_cold = warm(*sides)
        mine, others, mine_raw, others_raw = interleaved(rounds, *sides)
        yield times(f"Python client: {name}", "ms", mine, EMULATOR, others, 30, cold)
        yield times(f"the same without the client: {name}", "ms", mine_raw, EMULATOR, others_raw, None, raw_cold)
    for client in raw:
        client.close()
    machine.stop(emulator)


class Watched:
    """A query listener of the Python client, and writes to a document it shows."""

    def __init__(self, collection):
        self.document = collection.document(documents.document_id(7))
        self.called = threading.Event()
        self.at = 0.0
        self.number = 0
        self.watch = q3(collection).on_snapshot(self.take)
        self.wait()

    def take(self, snapshots, changes, read_time):
        self.at = time.perf_counter()
        self.count = len(snapshots)
        self.called.set()

    def wait(self):
        if not self.called.wait(60):
            raise TimeoutError("the listener was not called")

    def milliseconds(self, repeats):
        """From the call that writes to the callback, the middle of some."""
        took = []
        for _ in range(repeats):
            self.number += 1
            self.called.clear()
            start = time.perf_counter()
            self.document.update({"f0": f"changed {self.number}"})
            self.wait()
            assert self.count == COUNT // 100
            took.append((self.at - start) * 1e3)
        return statistics.median(took)


def query_listener(machine, rounds):
    emulator = machine.cold_emulator()
    watched = [
        Watched(connected(machine.load(server, COUNT)).collection(documents.COLLECTION)) for server in (machine.hearth(), emulator)
    ]
    sides = [lambda: watched[0].milliseconds(20), lambda: watched[1].milliseconds(10)]
    _, cold = warm(*sides)
    ours, peer = interleaved(rounds, *sides)
    for side in watched:
        side.watch.unsubscribe()
    machine.stop(emulator)
    yield times("Python client: write to query listener (Q3, 100 of 10,000)", "ms", ours, EMULATOR, peer, 25, cold)
