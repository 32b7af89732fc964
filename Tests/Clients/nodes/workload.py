"""Clients that do not care which node they use, and that record what they ask for and are answered."""

import queue
import random
import threading
import time

import grpc
from google.cloud.firestore_v1.types import firestore as methods

from . import calls as wire
from .calls import NodeCalls, microseconds, raw
from .listener import ListenStream
from .recording import ACKNOWLEDGED, FOREVER, REFUSED, Change, Commit, Documents, Query, Read

ITEMS = Query("items")
PATHS = [f"items/i{number}" for number in range(12)]
GROUPS = 3
SUBJECTS = 4
# How long a client does not use a node that did not answer.
AVOIDED = 0.7


class Client(threading.Thread):
    """Acts until it is stopped. `round` has the recording, the place, and the addresses of the nodes."""

    pause = 0.01
    credentials = "owner"

    def __init__(self, name, round, seed):
        super().__init__(daemon=True, name=name)
        self.round, self.recording = round, round.recording
        self.random = random.Random(f"{seed} {name}")
        self.nodes = {
            node: NodeCalls(node, address, round.place, self.credentials) for node, address in round.addresses.items()}
        self.is_stopped, self.is_resting = False, False
        self._avoided = {}
        self._count = 0

    def run(self):
        try:
            while not self.is_stopped:
                if self.round.is_held:
                    self.rest()
                self.act()
                time.sleep(self.random.uniform(0, 2 * self.pause))
            self.finish()
        except Exception as error:  # what no client may meet
            self.recording.complaints.append(f"{self.name} failed: {error!r}")
        finally:
            for node in self.nodes.values():
                node.close()

    def rest(self):
        """Nothing is open meanwhile."""
        self.finish()
        self.is_resting = True
        while self.round.is_held and not self.is_stopped:
            time.sleep(0.01)
        self.is_resting = False

    def act(self):
        raise NotImplementedError

    def finish(self):
        """Behind the last action, when all nodes are well again."""

    # Nodes.

    def node(self, other_than=None):
        now = time.monotonic()
        good = [name for name in self.nodes if name != other_than and self._avoided.get(name, 0) < now]
        return self.nodes[self.random.choice(good or list(self.nodes))]

    def minds(self, error, node):
        """Whether an error is one that a client may meet. Others are complaints."""
        if error.code() in wire.OPEN:
            self._avoided[node.name] = time.monotonic() + AVOIDED
            self.recording.count("calls without an answer")
        elif error.code() not in wire.REFUSALS or "shut down" in error.details():
            # A database that is closed for a while is no reason to give a write up.
            self.recording.complaints.append(f"{self.name} on {node.name}: {wire.text(error)}")

    def timeout(self):
        return self.random.choice([2, 2, 12])

    # Operations.

    def next_id(self):
        self._count += 1
        return f"{self.name}-{self._count}"

    def commit(self, node, changes, reads=(), transaction=b"", start=None):
        """Returns the commit; `id` of the changes' values is that of the mark."""
        commit = Commit(
            changes[0].fields.get("v") or self.next_id(), self.name, node.name, changes, start or time.monotonic(),
            reads=list(reads))
        self.recording.commits.append(commit)
        try:
            commit.time = node.commit(commit.all_changes, transaction, self.timeout())
            commit.end, commit.outcome = time.monotonic(), ACKNOWLEDGED
        except grpc.RpcError as error:
            commit.code, commit.outcome = wire.text(error), wire.outcome(error)
            self.minds(error, node)
        return commit

    def read(self, node, what, **options):
        """Returns the read, or None. Those of transactions belong to their commit."""
        start = time.monotonic()
        try:
            found, read_time = node.read(what, timeout=self.timeout(), **options)
        except grpc.RpcError as error:
            self.minds(error, node)
            return None
        return Read(self.name, node.name, start, time.monotonic(), what, found, read_time, options.get("at"))


class Writer(Client):
    """Reads and writes in all the ways there are."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.actions = [
            (self.write, 8), (self.write_on_condition, 3), (self.look, 6), (self.look_back, 3), (self.transact, 5),
            (self.transact_reading, 2)]
        self._last = None

    def act(self):
        actions, weights = zip(*self.actions)
        self.random.choices(actions, weights)[0]()

    def fields(self, id):
        return {"v": id, "g": self.random.randrange(GROUPS)}

    def changes(self, paths):
        id = self.next_id()
        # The mark has the value of the first change, which must not be a deletion.
        kinds = ["merge", *self.random.choices(["set", "merge", "delete"], [5, 3, 2], k=len(paths) - 1)]
        if self.random.random() < 0.5:
            kinds[0] = "set"
        return [
            Change(path, kind, {} if kind == "delete" else self.fields(id), amount=int(kind == "merge"))
            for path, kind in zip(paths, kinds)]

    def paths(self, most=3):
        return self.random.sample(PATHS, self.random.randint(1, most))

    def write(self):
        if self.random.random() < 0.2:
            # For guests that listen.
            guarded = f"guarded/s{self.random.randrange(SUBJECTS)}"
            self.commit(self.node(), [Change(guarded, "set", {"v": self.next_id()})])
            return
        counters = [Change(f"counters/{self.name}", "merge", amount=1), Change("counters/all", "merge", amount=1)]
        self.commit(self.node(), self.changes(self.paths()) + counters[: self.random.randint(0, 2)])

    def write_on_condition(self):
        changes = self.changes(self.paths(1))
        known = self._last.found.get(changes[0].path) if self._last else None
        changes[0].condition = ("updated", known.time) if known else ("exists", self.random.random() < 0.5)
        self.commit(self.node(), changes)

    def what(self):
        group = Query("items", self.random.randrange(GROUPS))
        return self.random.choice([ITEMS, group, Documents(tuple(self.paths()))])

    def look(self):
        read = self.read(self.node(), self.what())
        if read:
            self.recording.reads.append(read)
            self._last = read

    def look_back(self):
        """Reads at a moment, a commit's or the present."""
        if self._last and self.random.random() < 0.5:
            moment = self._last.time
        else:
            moment = int(time.time() * 1_000_000) - self.random.randint(0, 20_000)
        if read := self.read(self.node(), self.what(), at=moment):
            self.recording.reads.append(read)

    def transact(self):
        node, start = self.node(), time.monotonic()
        try:
            transaction = node.begin(timeout=self.timeout())
        except grpc.RpcError as error:
            return self.minds(error, node)
        reads = [self.read(node, self.what(), transaction=transaction) for _ in range(self.random.randint(1, 2))]
        if not all(reads):
            return None
        # Documents that were read are more interesting than others.
        seen = sorted({path for read in reads for path in read.found})
        paths = self.random.sample(seen, min(2, len(seen))) or self.paths(2)
        return self.commit(node, self.changes(paths), reads, transaction, start)

    def transact_reading(self):
        node = self.node()
        try:
            transaction = node.begin(is_read_only=True, timeout=self.timeout())
        except grpc.RpcError as error:
            return self.minds(error, node)
        reads = [self.read(node, self.what(), transaction=transaction) for _ in range(2)]
        reads = [read for read in reads if read]
        if len({read.time for read in reads}) > 1:
            self.recording.complaints.append(f"{self.name}: a transaction that only reads has two read times: {reads}")
        for read in reads:
            # The moment is that of the transaction's first read.
            read.asked = read.time
            self.recording.reads.append(read)
        return None


class Joiner(Client):
    """Commits on one node, and then listens on another one to what others listen to there already (DN-5.8). Resumes the
    listeners of others, from where they were some time ago, on any node."""

    pause = 0.05

    def __init__(self, name, round, seed, listeners):
        super().__init__(name, round, seed)
        self._listeners = listeners
        self._kept = []

    def act(self):
        first = self.node()
        id = self.next_id()
        fields = {"v": id, "g": self.random.randrange(GROUPS)}
        commit = self.commit(first, [Change(self.random.choice(PATHS), "set", fields)])
        if commit.outcome == ACKNOWLEDGED:
            listener = self.random.choice(self._listeners)
            self.watch(self.node(first.name), f"{id}-joins", listener.targets)
        stream = self.random.choice(self._listeners).stream
        # Both are of one snapshot: they are replaced together.
        if stream and stream.kept:
            self._kept.append((stream.targets, *stream.kept))
        if self._kept:
            targets, views, token = self.random.choice(self._kept[-20:])
            self.watch(self.node(), f"{id}-resumes", targets, views, token)

    def watch(self, node, name, targets, views=None, token=b""):
        stream = ListenStream(name, node, targets, self.recording, views, token)
        timer = threading.Timer(8, stream.close)
        timer.start()
        error = stream.read(lambda: stream.snapshots > 0)
        timer.cancel()
        if error:
            self.minds(error, node)
        self.recording.count("watches that joined or resumed", stream.snapshots)


class StreamWriter(Client):
    """Writes by a resumable Write stream (decision 28), and changes the node, back included, without all answers."""

    pause = 0.03

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self._stream, self._token, self._number = "", b"", 0
        # Batches that are not finished, in order: the commit and its message.
        self._open = []
        self._last_nodes = []
        self._sent, self._generation = 0, 1
        self._failing = None

    def act(self):
        for _ in range(self.random.randint(1, 3)):
            self.add_batch()
        self.converse(reads=self.random.choice([0, 1, FOREVER]))

    def finish(self):
        end = time.monotonic() + 30
        while self._open and time.monotonic() < end:
            self.converse(reads=FOREVER)
            time.sleep(0.05)
        if self._open:
            self.recording.complaints.append(f"{self.name}: {len(self._open)} batches are not answered within 30 s")

    def add_batch(self):
        if len(self._open) >= 12:
            return
        id = self.next_id()
        changes = [
            Change(f"streams/{self.name}", "merge", {"v": id}, amount=1), Change("counters/all", "merge", amount=1)]
        if self.random.random() < 0.1:
            # Fails for good, except as the very first one.
            changes[1].condition = ("exists", False)
        stream = f"{self.name}/{self._generation}"
        commit = Commit(id, self.name, "", changes, FOREVER, stream=stream, batch=self._sent + 1)
        self._sent += 1
        message = raw(methods.WriteRequest)()
        message.writes.extend(self.round.place.write(change) for change in commit.all_changes)
        self._open.append((commit, message))

    def converse(self, reads):
        """Sends what is open to a node; reads some of the answers and is gone."""
        node = self.next_node()
        self._last_nodes, self._failing = [*self._last_nodes[-1:], node.name], None
        requests = queue.Queue()
        call = node.write(iter(requests.get, None))
        timer = threading.Timer(6, call.cancel)
        timer.start()
        try:
            requests.put(self.opening())
            self.begun(next(call), node)
            for commit, message in self._open:
                self.send(commit, message, node, requests)
            if reads == 0:
                # Time to be applied.
                time.sleep(self.random.uniform(0.01, 0.3))
            while self._failing or self._open and reads > 0:
                self.answered(next(call))
                reads -= 1
        except StopIteration:
            self.recording.count("write streams ended by the node")
        except grpc.RpcError as error:
            self.failed(error, node)
        finally:
            timer.cancel()
            call.cancel()
            requests.put(None)

    def next_node(self):
        """Often the one before the last: it knows the stream as it was then."""
        known = self.nodes[self._last_nodes[0]] if len(self._last_nodes) > 1 else None
        if known and self.random.random() < 0.6 and self._avoided.get(known.name, 0) < time.monotonic():
            return known
        return self.node(self._last_nodes[-1] if self._last_nodes else None)

    def opening(self):
        request = raw(methods.WriteRequest)(
            database=self.round.place.database, stream_id=self._stream, stream_token=self._token)
        request.labels["hearth-resumable"] = "1"
        return request

    def begun(self, response, node):
        if not self._stream:
            self._stream, self._token = response.stream_id, response.stream_token
        elif (response.stream_id, response.stream_token) != (self._stream, self._token):
            self.recording.complaints.append(f"{self.name} on {node.name}: the stream continues in another place")
        else:
            self.recording.count("write streams resumed")

    def send(self, commit, message, node, requests):
        if commit.start == FOREVER:
            commit.start = time.monotonic()
            self.recording.commits.append(commit)
        commit.node = node.name
        message.stream_token = self._token
        copy = raw(methods.WriteRequest)()
        copy.CopyFrom(message)
        requests.put(copy)

    def answered(self, response):
        number = int.from_bytes(response.stream_token[1:9], "big")
        if number != self._number + 1:
            self.recording.complaints.append(f"{self.name}: answer {number} follows {self._number}")
        if response.HasField("commit_time"):
            self.finished(number, response.stream_token, ACKNOWLEDGED, microseconds(response.commit_time))
        else:
            # The batch has failed for good if the status says so, too.
            self._failing = (number, response.stream_token)

    def finished(self, number, token, outcome, time_of_commit=None):
        self._number, self._token = number, token
        commit, _ = self._open.pop(0)
        commit.outcome, commit.time = outcome, time_of_commit
        commit.end = time.monotonic() if time_of_commit else FOREVER

    def failed(self, error, node):
        passes = error.code() in {*wire.OPEN, grpc.StatusCode.ABORTED, grpc.StatusCode.RESOURCE_EXHAUSTED}
        if self._failing and not passes:
            self.finished(*self._failing, REFUSED)
        elif passes:
            self.minds(error, node)
        elif "[write-stream-lost]" in error.details() and self.recording.epochs:
            self.begin_again()
        else:
            self.recording.complaints.append(f"{self.name} on {node.name}: the stream ended with {wire.text(error)}")


    def begin_again(self):
        """The history with the stream was cut: the outcome of open batches is not known."""
        self.recording.count("write streams lost")
        self._stream, self._token, self._number = "", b"", 0
        self._open.clear()
        self._sent, self._generation = 0, self._generation + 1
