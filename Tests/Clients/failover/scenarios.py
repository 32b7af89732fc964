"""Fail-overs under special circumstances, each alone: dev/failover --scenario NAME. They end with what was found wrong."""

import os
import queue
import subprocess
import sys
import time

import grpc
from nodes.node import Node, deploy, initialize

from . import calls
from .listener import Listener
from .replication import ReplicatedPair
from .servers import rows, url
from .writer import Writer

# Says that this process runs in a network of its own, in which packets may be dropped.
OWN_NETWORK = "FAILOVER_NETWORK"


class Stage:
    """A pair of servers and two nodes."""

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
        node = Node(store or self.pair.url, name=name, folder=self.folder).start()
        self.nodes.append(node)
        return node, calls.Calls(node)

    def expect(self, holds, what):
        print(f"{'  ' if holds else 'WRONG: '}{what}", flush=True)
        if not holds:
            self.problems.append(what)


def silence(stage):
    """Commits are lost, and none follows. Listeners and queries must agree, and no listener may keep a lost document for long."""
    (one, first), (two, second) = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    old = [_follow(node) for node in [one, two]]
    stage.pair.prepare(False)
    stage.pair.stop_replication()
    first.commit([calls.set_document("c/lost", n=1)])
    for each in old:
        each.wait(lambda: "lost" in each.state, 10)
    token = old[1].token
    _, began, _ = stage.pair.fail_over()
    for name, each in [("a", first), ("b", second)]:
        stage.expect(set(each.documents("c")) == {"kept"}, f"a query at node {name} finds {sorted(each.documents('c'))}")
    fresh = _follow(one)
    stage.expect(set(fresh.state) == {"kept"}, f"a new listener at node a shows {sorted(fresh.state)}")
    late, _ = stage.add_node("c")
    resumed = _follow(late, token, {"kept": 1, "lost": 2})
    stage.expect(set(resumed.state) == {"kept"}, f"a listener with a token of the lost commit shows {sorted(resumed.state)} at a new node")
    while time.monotonic() < began + 60 and any("lost" in each.state for each in [*old, fresh]):
        time.sleep(0.05)
    seconds = time.monotonic() - began
    stage.expect(seconds < 5, f"listeners of before kept the lost document for {seconds:.1f} s, until a new history began")
    for each in [*old, fresh, resumed]:
        each.stop()


def _follow(node, token=b"", state=None):
    listener = Listener([node], "c", token, state)
    listener.start()
    listener.wait(lambda: listener.snapshots, 10)
    return listener


def pause(stage):
    """Nothing is lost. What clients hold must still be valid: page tokens, write streams that resume, and tokens of listeners whose
    streams went on."""
    (one, first), (two, second) = stage.add_node("a"), stage.add_node("b")
    for id in "pq":
        first.commit([calls.set_document(f"c/{id}", n=1)])
    stage.pair.prepare(True)
    listener = _follow(one)
    _, page = first.page("c")
    stream = WriteStream(first)
    confirmed = stream.send([calls.increment("counters/x", "n")])
    repeated = [calls.increment("counters/x", "n")]
    # Its answer gets lost: the client does not count it as confirmed.
    stream.send(repeated)
    stage.pair.fail_over()
    first.commit([calls.set_document("c/r", n=1)])
    for each in [listener]:
        each.wait(lambda: "r" in each.state, 10)
    kinds = [event.kind for event in listener.events]
    stage.expect(not kinds, f"the stream of a listener goes on: {kinds}")
    listener.stop()
    second.commit([calls.set_document("c/s", n=1)])
    resumed = _follow(two, listener.token, listener.state)
    kinds = [event.kind for event in resumed.events]
    stage.expect(not kinds and len(resumed.state) == 4, f"its newest token is valid at another node: {kinds}, {sorted(resumed.state)}")
    stage.expect(*_outcome("a page token is valid", lambda: second.page("c", page)[0] == "q"))

    def resume():
        again = WriteStream(second, stream.id, confirmed)
        again.send(repeated)
        return second.get("counters/x").fields["n"].integer_value == 2
    stage.expect(*_outcome("a write stream resumes, and its batch is applied once", resume))
    resumed.stop()


def _outcome(what, action):
    try:
        return action(), what
    except grpc.RpcError as error:
        return False, f"{what}: {error.code().name} {error.details()}"


class WriteStream:
    """One that can be resumed, as Hearth's own client uses it."""

    def __init__(self, connection, id="", token=b""):
        self.requests = queue.Queue()
        self.responses = connection.write(iter(self.requests.get, None))
        labels = {} if id else {"hearth-resumable": "1"}
        self.requests.put(calls.WriteRequest(database=calls.DATABASE, stream_id=id, stream_token=token, labels=labels))
        answer = next(self.responses)
        self.id, self.token = answer.stream_id or id, answer.stream_token

    def send(self, writes):
        """Returns the token of the answer."""
        self.requests.put(calls.WriteRequest(writes=writes, stream_token=self.token))
        self.token = next(self.responses).stream_token
        return self.token


def tokens(stage):
    """A node misses the commits that are lost, and a stream of it goes on. A target that is added to this stream with the token of a lost
    commit must be reset."""
    (one, first), (two, _) = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    listener = _follow(one)
    requests, stream = queue.Queue(), calls.Calls(two)
    responses = stream.listen(iter(requests.get, None))
    _add_target(requests, 4)
    _until_current(responses, 4)
    stage.pair.prepare(False)
    stage.pair.stop_replication()
    two.pause()
    first.commit([calls.set_document("c/lost", n=1)])
    listener.wait(lambda: "lost" in listener.state, 10)
    lost = listener.token
    listener.stop()
    stage.pair.fail_over()
    two.resume()
    _retry(lambda: first.commit([calls.set_document("c/new", n=1)]))
    time.sleep(1)
    _add_target(requests, 6, lost)
    try:
        kinds = _until_current(responses, 6)
        stage.expect("RESET" in kinds, f"a token of a lost commit on a stream of before: {kinds}")
    except grpc.RpcError as error:
        stage.expect(True, f"the stream of before has ended: {error.code().name} {error.details()}")
    requests.put(None)


def _add_target(requests, id, token=b""):
    target = calls.Target(target_id=id, query={"parent": calls.ROOT, "structured_query": calls.all_of("c")})
    if token:
        target.resume_token = token
    requests.put(calls.ListenRequest(database=calls.DATABASE, add_target=target))


def _until_current(responses, id):
    kinds = []
    for response in responses:
        kind = response.WhichOneof("response_type")
        if kind == "target_change" and id in response.target_change.target_ids:
            kinds.append(calls.TargetChange.TargetChangeType.Name(response.target_change.target_change_type))
        elif kind != "target_change":
            kinds.append(kind)
        if kinds[-1:] == ["CURRENT"]:
            return kinds
    return kinds


def _retry(action, seconds=20):
    end = time.monotonic() + seconds
    while True:
        try:
            return action()
        except grpc.RpcError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def notices(stage):
    """Rules that are deployed while the standby has no stream are lost. Those that are deployed afterwards, while no node looks, get the
    same number, and must be in effect all the same."""
    deny, grant = (_rules(stage.folder, name, allows) for name, allows in [("deny", False), ("grant", True)])
    (one, first), (two, _) = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    deploy(stage.pair.url, deny)
    stage.pair.prepare(False)
    time.sleep(0.5)
    stage.pair.stop_replication()
    deploy(stage.pair.url, grant)
    stage.expect(_read(one) == "granted", "the rules that will be lost grant")
    for each in stage.nodes:
        each.pause()
    stage.pair.fail_over()
    print("  ", deploy(stage.pair.url, deny).strip().replace("\n", "; "))
    for each in stage.nodes:
        each.resume()
    time.sleep(5)
    for each in stage.nodes:
        stage.expect(_read(each) == "PERMISSION_DENIED", f"5 s after rules that deny were deployed, a read at {each.name}: {_read(each)}")


def _rules(folder, name, allows):
    path = os.path.join(folder, f"{name}.rules")
    with open(path, "w") as file:
        file.write("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /{x=**} { "
                   f"allow read, write: if {str(allows).lower()}; }} }} }}\n")
    return path


def _read(node):
    """As a caller without a user."""
    connection = calls.Calls(node)
    try:
        connection.get("c/kept", metadata=[])
        return "granted"
    except grpc.RpcError as error:
        return error.code().name
    finally:
        connection.close()


def vanished(stage):
    """The primary's machine is gone without a word: no packet arrives or comes back, and no connection is refused."""
    primary, standby = stage.pair.primary, stage.pair.standby
    stage.pair.prepare(True)
    ports = [primary.port, standby.port] if os.environ.get("VANISHED", "first") == "first" else [standby.port, primary.port]
    for name in "ab":
        stage.add_node(name, url(ports))
    writers = [Writer(node, node.name, "items", "totals") for node in stage.nodes]
    for each in writers:
        each.start()
    time.sleep(2)
    _drop(primary.port)
    began = time.monotonic()
    # As long as Patroni would take.
    time.sleep(15)
    standby.promote()
    promotion = time.monotonic() - began
    time.sleep(15)
    for each in writers:
        each.stop()
        gap = _longest_pause(each, began)
        stage.expect(
            gap <= promotion + 2, f"{each.node.name}, the lost server named {'first' if ports[0] == primary.port else 'last'}: "
            f"promotion {promotion:.1f} s, gap {gap:.1f} s")
    start = time.monotonic()
    stage.add_node("c", url(ports))
    seconds = time.monotonic() - start
    stage.expect(seconds < 5, f"a node that starts while the server is gone needs {seconds:.1f} s")


def _drop(port):
    rules = ["table inet vanished {", "chain in {", "type filter hook input priority 0;"]
    rules += [f"tcp {end} {port} drop" for end in ["dport", "sport"]] + ["}", "}", ""]
    subprocess.run(["nft", "-f", "-"], input="\n".join(rules), text=True, check=True)


def _longest_pause(writer, began):
    arrivals = [each.arrival for each in writer.acknowledged]
    return max((after - before for before, after in zip(arrivals, arrivals[1:]) if after > began), default=float("inf"))


SCENARIOS = {each.__name__: each for each in [silence, pause, tokens, notices, vanished]}


def _enter_own_network(folder):
    """A network namespace with a loopback interface and nothing else. Needs root."""
    if os.environ.get(OWN_NETWORK):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    os.rmdir(folder)
    os.environ[OWN_NETWORK] = "1"
    os.execvp("unshare", ["unshare", "--net", sys.executable, "-m", "failover", *sys.argv[1:]])


def run(name, folder):
    """Returns how many things were wrong."""
    if name == "vanished":
        _enter_own_network(folder)
    print(f"{name}: {SCENARIOS[name].__doc__}", flush=True)
    with Stage(folder) as stage:
        SCENARIOS[name](stage)
    return len(stage.problems)
