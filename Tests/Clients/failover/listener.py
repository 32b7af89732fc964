"""A client that follows a collection with a Listen stream, and resumes with its token when the stream ends."""

import dataclasses
import queue
import threading
import time

import grpc

from . import calls

TARGET = 2
KINDS = calls.TargetChange
# Of a fingerprint, and of a sum of them.
LARGEST = (1 << 64) - 1


@dataclasses.dataclass
class Snapshot:
    """What the client shows, as a count and a sum over the names: whole sets would be too many."""

    read_time: int
    count: int
    fingerprint: int
    token: bytes
    arrival: float


@dataclasses.dataclass
class Event:
    """RESET, END with its code, or a filter that does not fit."""

    kind: str
    arrival: float
    detail: str = ""


def fingerprint(id):
    return hash(id) & LARGEST


class Listener(threading.Thread):
    """`nodes`: those to which it connects, one after the other."""

    def __init__(self, nodes, collection, token=b"", state=None):
        super().__init__(daemon=True)
        self.nodes = nodes
        self.collection = collection
        self.token = token
        self.state = dict(state or {})
        self.sum = sum(map(fingerprint, self.state))
        self.pending = {}
        self.is_current = False
        self.snapshots = []
        self.events = []
        # Every document that was ever shown, with its update time.
        self.seen = {}
        self.connections = 0
        self.call = None
        self.stopping = threading.Event()
        self.changed = threading.Condition()

    def run(self):
        while not self.stopping.is_set():
            node = self.nodes[self.connections % len(self.nodes)]
            self.connections += 1
            self.follow(node)
            self.stopping.wait(0.05)

    def follow(self, node):
        connection = calls.Calls(node)
        requests = queue.Queue()
        target = calls.Target(
            target_id=TARGET, query={"parent": calls.ROOT, "structured_query": calls.all_of(self.collection)})
        if self.token:
            target.resume_token = self.token
        else:
            self.clear()
        self.pending = {}
        self.is_current = False
        requests.put(calls.ListenRequest(database=calls.DATABASE, add_target=target))
        self.call = connection.listen(iter(requests.get, None))
        try:
            for response in self.call:
                if not self.receive(response):
                    break
            self.note("END", "closed")
        except grpc.RpcError as error:
            if not self.stopping.is_set():
                self.note("END", f"{error.code().name}: {error.details()}")
        finally:
            requests.put(None)
            self.call.cancel()
            connection.close()

    def note(self, kind, detail=""):
        with self.changed:
            self.events.append(Event(kind, time.monotonic(), detail))
            self.changed.notify_all()

    def clear(self):
        self.state, self.sum, self.pending = {}, 0, {}

    def receive(self, response):
        """Returns false if the target has to be added again."""
        kind = response.WhichOneof("response_type")
        if kind == "target_change":
            return self.receive_target(response.target_change)
        if kind == "document_change":
            change = response.document_change
            self.pending[self.id(change.document.name)] = (
                calls.microseconds(change.document.update_time) if TARGET in change.target_ids else None)
        elif kind == "document_delete":
            self.pending[self.id(response.document_delete.document)] = None
        elif kind == "document_remove":
            self.pending[self.id(response.document_remove.document)] = None
        elif kind == "filter":
            return self.receive_filter(response.filter.count)
        return True

    @staticmethod
    def id(name):
        return name.rsplit("/", 1)[1]

    def receive_target(self, change):
        kind = change.target_change_type
        if kind == KINDS.RESET:
            self.clear()
            self.note("RESET")
        elif kind == KINDS.CURRENT:
            self.is_current = True
        elif kind == KINDS.REMOVE:
            self.note("REMOVE", change.cause.message)
            return False
        elif kind == KINDS.NO_CHANGE and not change.target_ids and change.resume_token:
            self.token = change.resume_token
            self.apply(change)
        return True

    def apply(self, change):
        for id, update_time in self.pending.items():
            if (id in self.state) != (update_time is not None):
                self.sum += fingerprint(id) if update_time is not None else -fingerprint(id)
            if update_time is None:
                self.state.pop(id, None)
            else:
                self.state[id] = self.seen[id] = update_time
        self.pending = {}
        if not self.is_current:
            return
        with self.changed:
            self.snapshots.append(Snapshot(
                calls.microseconds(change.read_time), len(self.state), self.sum & LARGEST, bytes(change.resume_token),
                time.monotonic()))
            self.changed.notify_all()

    def receive_filter(self, count):
        after = set(self.state)
        for id, update_time in self.pending.items():
            (after.discard if update_time is None else after.add)(id)
        if len(after) == count:
            return True
        self.note("FILTER", f"{count} documents, the client has {len(after)}")
        self.token = b""
        return False

    def wait(self, condition, seconds):
        with self.changed:
            return self.changed.wait_for(condition, seconds)

    def stop(self):
        self.stopping.set()
        if self.call:
            self.call.cancel()
        self.join(20)
