"""A client that commits without a pause and remembers what was acknowledged."""

import dataclasses
import threading
import time

import grpc

from . import calls

# Answers after which it is unknown whether the commit was applied.
DOUBTFUL = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.ABORTED}


@dataclasses.dataclass
class Acknowledged:
    id: str
    commit_time: int
    arrival: float


class Writer(threading.Thread):
    """Each commit sets a document that no other commit sets, and adds one to a document of the writer."""

    PAUSE = 0.015

    def __init__(self, node, number, items, totals):
        super().__init__(daemon=True)
        self.calls = calls.Calls(node)
        self.node = node
        self.number = number
        self.items = items
        self.totals = totals
        self.acknowledged = []
        self.doubtful = set()
        self.refusals = {}
        self.failure = None
        self.stopping = threading.Event()

    def run(self):
        count = 0
        try:
            while not self.stopping.is_set():
                count += 1
                self.write(count)
                time.sleep(self.PAUSE)
        except Exception as error:  # noqa: BLE001 what a client must never see
            self.failure = error

    def write(self, count):
        id = f"{self.number}-{count:06}"
        writes = [calls.set_document(f"{self.items}/{id}", count=count),
                  calls.increment(f"{self.totals}/{self.number}", "n")]
        try:
            commit_time = self.calls.commit(writes)
        except grpc.RpcError as error:
            if error.code() not in DOUBTFUL:
                raise
            self.doubtful.add(id)
            self.refusals[error.code().name] = self.refusals.get(error.code().name, 0) + 1
            time.sleep(0.03)
            return
        self.acknowledged.append(Acknowledged(id, commit_time, time.monotonic()))

    def stop(self):
        self.stopping.set()
        self.join(60)
        if self.is_alive():
            self.failure = self.failure or TimeoutError("the writer hangs")
        self.calls.close()
