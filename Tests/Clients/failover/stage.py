"""What scenarios are made of: a pair of servers, nodes, and clients that send single messages."""

import queue
import time

import grpc
from nodes.node import Node, initialize

from . import calls
from .listener import Listener
from .replication import ReplicatedPair


class Stage:
    """A pair of servers, and the nodes that a scenario adds."""

    def __init__(self, folder):
        self.folder = folder
        self.pair = ReplicatedPair(folder)
        self.nodes = []
        self.problems = []

    def __enter__(self):
        self.pair.start()
        initialize(self.pair.url)
        return self

    def __exit__(self, *_):
        for each in self.nodes:
            each.remove()
        self.pair.stop()

    def add_node(self, name, store=None):
        """Returns the node and calls of it."""
        node = Node(store or self.pair.url, name=name, folder=self.folder).start()
        self.nodes.append(node)
        return node, calls.Calls(node)

    def expect(self, holds, what):
        print(f"{'  ' if holds else 'WRONG: '}{what}", flush=True)
        if not holds:
            self.problems.append(what)

    def expect_success(self, what, action):
        try:
            self.expect(action(), what)
        except grpc.RpcError as error:
            self.expect(False, f"{what}: {error.code().name} {error.details()}")


def follow(node, token=b"", state=None):
    """A listener of the collection `c` that has its first snapshot."""
    listener = Listener([node], "c", token, state)
    listener.start()
    listener.wait(lambda: listener.snapshots, 10)
    return listener


def retry(action, seconds=20):
    """For a call that a fail-over may refuse."""
    end = time.monotonic() + seconds
    while True:
        try:
            return action()
        except grpc.RpcError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


class WriteStream:
    """One that can be resumed, as Hearth's own client uses it."""

    def __init__(self, connection, id="", token=b""):
        self.requests = queue.Queue()
        self.responses = connection.write(iter(self.requests.get, None))
        self.requests.put(calls.WriteRequest(
            database=calls.DATABASE, stream_id=id, stream_token=token, labels={"hearth-resumable": "1"}))
        answer = next(self.responses)
        self.id, self.token = answer.stream_id, answer.stream_token

    def send(self, writes):
        """Returns the token of the answer."""
        self.requests.put(calls.WriteRequest(writes=writes, stream_token=self.token))
        self.token = next(self.responses).stream_token
        return self.token


class ListenStream:
    """One to which targets are added, all of the collection `c`."""

    def __init__(self, connection):
        self.requests = queue.Queue()
        self.responses = connection.listen(iter(self.requests.get, None))

    def add(self, id, token=b""):
        """Returns the kinds of all target changes of this target up to the one that makes it current."""
        target = calls.Target(target_id=id, query={"parent": calls.ROOT, "structured_query": calls.all_of("c")})
        if token:
            target.resume_token = token
        self.requests.put(calls.ListenRequest(database=calls.DATABASE, add_target=target))
        kinds = []
        while kinds[-1:] != ["CURRENT"]:
            change = next(self.responses).target_change
            if id in change.target_ids:
                kinds.append(calls.TargetChange.TargetChangeType.Name(change.target_change_type))
        return kinds

    def close(self):
        self.requests.put(None)
