"""What an app sees through the official Python client."""

import os
import statistics
import threading
import time

import documents
from call_cases import EMULATOR
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from measuring import interleaved, times

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


def queries(machine, rounds):
    ours, peer = [
        connected(machine.load(server, COUNT)).collection(documents.COLLECTION)
        for server in (machine.hearth(), machine.emulator())
    ]
    for name, of in (
        ("Q1 (one group from the middle on, 20)", lambda collection: len(q1(collection).get())),
        ("Q2 (a range of numbers, 20)", lambda collection: len(q2(collection).get())),
        ("count of 10,000", lambda collection: collection.count().get()[0][0].value),
    ):
        answers = {of(ours), of(peer)}
        assert len(answers) == 1, f"{name}: different answers: {answers}"
        # Warm on both sides; ours makes an index when it has seen a question that needs one.
        median_milliseconds(lambda: of(ours), 100)
        median_milliseconds(lambda: of(peer), 5)
        mine, others = interleaved(
            rounds, lambda: median_milliseconds(lambda: of(ours), 30), lambda: median_milliseconds(lambda: of(peer), 5)
        )
        yield times(f"Python client: {name}", "ms", mine, EMULATOR, others, 30)


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
    sides = [
        Watched(connected(machine.load(server, COUNT)).collection(documents.COLLECTION))
        for server in (machine.hearth(), machine.emulator())
    ]
    for side in sides:
        side.milliseconds(5)
    ours, peer = interleaved(rounds, lambda: sides[0].milliseconds(20), lambda: sides[1].milliseconds(5))
    for side in sides:
        side.watch.unsubscribe()
    yield times("Python client: write to query listener (Q3, 100 of 10,000)", "ms", ours, EMULATOR, peer, 25)
