"""Steps on the two streams of the protocol: Listen (LS-1 … LS-28) and Write (LS-38, LS-39)."""

import hashlib
import queue
import threading
import time
from dataclasses import dataclass

import grpc

from .cases import shown
from .outcome import Outcome, micros
from .wire import DATABASE, ListenRequest, ROOT, WriteRequest, request

BARRIER = 7777
BARRIER_NAME = f"{ROOT}/zz_barrier/b"
NO_CHANGE, ADD, REMOVE, CURRENT, RESET = range(5)


class Stream:
    """An open stream; `next` gives what the server sends."""

    def __init__(self, session, method):
        self.session = session
        self.out = queue.Queue()
        self.arrived = queue.Queue()
        self.ended = None
        self.call = session.client.stream(method, iter(self.out.get, None))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for message in self.call:
                self.arrived.put(message)
            self.arrived.put(("OK", ""))
        except grpc.RpcError as error:
            self.arrived.put((error.code().name, error.details()))

    def send(self, message):
        self.out.put(self.session.memory.bind(message))

    def next(self, seconds):
        """A message, None when there was none for so long; raises StopIteration behind the end."""
        if self.ended:
            raise StopIteration
        try:
            got = self.arrived.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            return None
        if isinstance(got, tuple):
            self.ended = got
            raise StopIteration
        return got

    def close(self):
        self.out.put(None)
        self.call.cancel()


# Write ------------------------------------------------------------------------------------------------------------


@dataclass
class WriteSend:
    """Sends a message on a Write stream and takes the answer; `message` None closes the client's side."""

    request: object
    key: str = "w"
    saves: dict = None
    # Whether the last token goes along.
    token: bool = True
    changes = True

    def run(self, session):
        stream = session.streams.get(self.key)
        if stream is None:
            stream = session.streams[self.key] = Stream(session, "Write")
            stream.token = b""
        if stream.ended:
            return Outcome("Write", stream.ended[0], stream.ended[1])
        if self.request is None:
            stream.out.put(None)
        else:
            message = WriteRequest()
            message.CopyFrom(self.request)
            if self.token and stream.token and not message.stream_token:
                message.stream_token = stream.token
            stream.send(message)
        try:
            got = stream.next(5)
        except StopIteration:
            return Outcome("Write", *stream.ended)
        if got is None:
            return Outcome("Write", "NO ANSWER", "")
        stream.token = got.stream_token
        for slot, path in (self.saves or {}).items():
            session.memory.save(slot, getattr(got, path))
        return Outcome("Write", "OK", "", got)

    def describe(self):
        return f"write stream {self.key}: {shown(self.request)}"


# Listen -----------------------------------------------------------------------------------------------------------


class Target:
    """What a client knows of one target."""

    def __init__(self, documents=None):
        self.state = "sent"
        self.cause = None
        self.documents = dict(documents or {})
        self.expected = None


class Listener(Stream):
    def __init__(self, session):
        super().__init__(session, "Listen")
        self.targets = {}
        self.waiting = set()
        self.again = set()
        self.violations = []
        self.last_read = 0
        self.token = b""
        self.barrier = 0
        self.barrier_seen = -1
        self.complete = False

    def take(self, message):
        """Applies a message to the state; whether it was a global snapshot."""
        kind = message.WhichOneof("response_type")
        if kind == "target_change":
            return self._target_change(message.target_change)
        if kind == "document_change":
            change = message.document_change
            if change.document.name == BARRIER_NAME:
                self.barrier_seen = change.document.fields["n"].integer_value
                return False
            for each in change.target_ids:
                self._put(each, change.document)
            for each in change.removed_target_ids:
                self._drop(each, change.document.name)
        elif kind in ("document_delete", "document_remove"):
            change = getattr(message, kind)
            if change.document != BARRIER_NAME:
                for each in change.removed_target_ids:
                    self._drop(each, change.document)
        elif kind == "filter":
            self._filter(message.filter)
        return False

    def _put(self, identifier, document):
        documents = self._target(identifier).documents
        if documents.get(document.name) == document:
            self.again.add(f"{document.name} for {identifier}")
        documents[document.name] = document

    def _drop(self, identifier, name):
        if self._target(identifier).documents.pop(name, None) is None:
            self.again.add(f"{name} gone from {identifier}")

    def _target(self, identifier):
        return self.targets.setdefault(identifier, Target())

    def _target_change(self, change):
        kind = change.target_change_type
        for identifier in change.target_ids:
            target = self._target(identifier)
            if kind == ADD:
                target.state = "added"
            elif kind == CURRENT:
                target.state = "current"
                self.waiting.discard(identifier)
            elif kind == RESET:
                target.documents.clear()
            elif kind == REMOVE:
                target.state = "removed"
                target.cause = change.cause.code if change.HasField("cause") else None
                self.waiting.discard(identifier)
        if change.resume_token:
            self.token = change.resume_token
        if change.HasField("read_time"):
            at = micros(change.read_time)
            if at < self.last_read:
                self.violations.append("a read time went back")
            self.last_read = max(at, self.last_read)
        if kind == NO_CHANGE and not change.target_ids and change.HasField("read_time"):
            self._check_filters()
            return True
        return False

    def _filter(self, found):
        """LS-26, LS-29: what the bloom filter does not hold is gone."""
        target = self._target(found.target_id)
        target.expected = found.count
        if found.HasField("unchanged_names") and len(target.documents) != found.count:
            for name in [each for each in target.documents if not _holds(found.unchanged_names, self.session.client, each)]:
                del target.documents[name]

    def _check_filters(self):
        for identifier, target in self.targets.items():
            if target.expected is not None:
                if target.state == "current" and target.expected != len(target.documents):
                    self.violations.append(f"target {identifier} holds {len(target.documents)} documents, its filter says {target.expected}")
                target.expected = None

    def settle(self, seconds=5):
        """Reads until everything that was committed before has been delivered."""
        if BARRIER not in self.targets:
            self.targets[BARRIER] = Target()
            self.waiting.add(BARRIER)
            self.send(ListenRequest(database=DATABASE, add_target={"target_id": BARRIER, "documents": {"documents": [BARRIER_NAME]}}))
        self.barrier += 1
        write = {"update": {"name": BARRIER_NAME, "fields": {"n": {"integer_value": self.barrier}}}}
        self.session.client.call("Commit", request("Commit", database=DATABASE, writes=[write]))
        return self._read_until(lambda: self.complete and not self.waiting and self.barrier_seen >= self.barrier, seconds)

    def rest(self, seconds=0.4):
        """Reads until nothing has come for a while: where a barrier cannot be set."""
        self._read_until(lambda: False, 10, seconds)
        return True

    def _read_until(self, done, seconds, pause=None):
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                message = self.next(pause or end - time.monotonic())
                if message is None:
                    return pause is not None
                # A snapshot completes what came before; the end of a target needs none (LS-11, LS-12).
                if self.take(message):
                    self.complete = True
                elif not (message.HasField("target_change") and message.target_change.target_change_type == REMOVE):
                    self.complete = False
                if done():
                    return True
        except StopIteration:
            return True
        return False

    def value(self):
        targets = {}
        for identifier, target in sorted(self.targets.items()):
            if identifier != BARRIER:
                targets[str(identifier)] = {"state": target.state, "cause": target.cause, "documents": dict(target.documents) if target.state != "removed" else None}
        again, self.again = self.again, set()
        violations, self.violations = self.violations, []
        # Changes that were repeated although the client knew them already.
        return {"targets": targets, "again": sorted(again), "violations": violations}


def _holds(bloom, client, name):
    data = bloom.bits.bitmap
    size = len(data) * 8 - bloom.bits.padding
    if size <= 0:
        return False
    digest = hashlib.md5(name.replace("projects/oracle-000", f"projects/{client.project}").encode()).digest()
    one, two = (int.from_bytes(part, "little") for part in (digest[:8], digest[8:]))
    places = (((one + index * two) % 2**64) % size for index in range(bloom.hash_count))
    return all(data[place // 8] >> (place % 8) & 1 for place in places)


@dataclass
class ListenSend:
    """Sends a message on a Listen stream. `known` names another stream whose documents of the target the client retains."""

    request: object
    key: str = "l"
    known: str = ""
    waits: bool = True
    changes = False

    def run(self, session):
        stream = session.streams.get(self.key)
        if stream is None:
            stream = session.streams[self.key] = Listener(session)
        if self.request.HasField("add_target"):
            identifier = self.request.add_target.target_id
            if identifier:
                documents = session.streams[self.known].targets[identifier].documents if self.known else None
                if identifier not in stream.targets or stream.targets[identifier].state == "removed":
                    stream.targets[identifier] = Target(documents)
                    if self.waits:
                        stream.waiting.add(identifier)
        elif self.request.remove_target in stream.targets and stream.targets[self.request.remove_target].state != "removed":
            stream.waiting.add(self.request.remove_target)
        stream.send(self.request)
        return Outcome("Listen", "OK", "")

    def describe(self):
        return f"listen {self.key}{f' knowing {self.known}' if self.known else ''}: {shown(self.request)}"


@dataclass
class ListenSettle:
    """What a client knows once all is quiet; its newest token goes into `save`."""

    key: str = "l"
    save: str = ""
    barrier: bool = True
    request = None
    changes = False

    def run(self, session):
        stream = session.streams[self.key]
        quiet = stream.settle() if self.barrier else stream.rest()
        if self.save:
            session.memory.save(self.save, stream.token)
        code = stream.ended[0] if stream.ended else "OK" if quiet else "NEVER QUIET"
        return Outcome("Listen", code, stream.ended[1] if stream.ended else "", stream.value())

    def describe(self):
        return f"listen {self.key}: settle"


@dataclass
class ListenClose:
    key: str = "l"
    request = None
    changes = False

    def run(self, session):
        session.streams[self.key].close()
        return Outcome("Listen", "OK", "")

    def describe(self):
        return f"listen {self.key}: close"
