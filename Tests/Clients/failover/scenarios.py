"""Fail-overs under special circumstances, each alone: dev/failover --scenario NAME."""

import os
import shutil
import subprocess
import sys
import time

import grpc
from nodes.node import deploy

from . import calls
from .servers import rows, url
from .stage import ListenStream, Stage, WriteStream, follow, retry
from .writer import Writer

# Says that this process runs in a network of its own, in which packets may be dropped.
OWN_NETWORK = "FAILOVER_NETWORK"


def silence(stage):
    """Commits are lost, and none follows: listeners and queries agree, no listener shows lost documents for long."""
    (one, first), (two, second) = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    old = [follow(node) for node in [one, two]]
    _lose(stage, lambda: first.commit([calls.set_document("c/lost", n=1)]))
    for each in old:
        each.wait(lambda: "lost" in each.state, 10)
    token = old[1].token
    _, began, _ = stage.pair.fail_over()
    for name, each in [("a", first), ("b", second)]:
        found = retry(lambda: set(each.documents("c")))
        stage.expect(found == {"kept"}, f"a query at node {name} finds {sorted(found)}")
    fresh = follow(one)
    stage.expect(set(fresh.state) == {"kept"}, f"a new listener at node a shows {sorted(fresh.state)}")
    late, _ = stage.add_node("c")
    resumed = follow(late, token, {"kept": 1, "lost": 2})
    shown = sorted(resumed.state)
    stage.expect(shown == ["kept"], f"a listener with a token of the lost commit shows {shown} at a new node")
    while time.monotonic() < began + 60 and any("lost" in each.state for each in [*old, fresh]):
        time.sleep(0.05)
    seconds = time.monotonic() - began
    stage.expect(seconds < 5, f"listeners showed the lost document for {seconds:.1f} s")
    for each in [*old, fresh, resumed]:
        each.stop()


def _lose(stage, commit):
    stage.pair.prepare(False)
    time.sleep(0.5)
    stage.pair.stop_replication()
    return commit()


def pause(stage):
    """Nothing is lost, and what clients hold is still valid: page tokens, write streams, tokens of listeners."""
    (one, first), (two, second) = stage.add_node("a"), stage.add_node("b")
    for id in "pq":
        first.commit([calls.set_document(f"c/{id}", n=1)])
    stage.pair.prepare(True)
    listener = follow(one)
    _, page = first.page("c")
    stream, batch = WriteStream(first), [calls.increment("counters/x", "n")]
    confirmed = stream.send(batch)
    # Say that the answer to this one gets lost: the client does not count it as confirmed.
    stream.send(batch)
    stage.pair.fail_over()
    retry(lambda: first.commit([calls.set_document("c/r", n=1)]))
    listener.wait(lambda: "r" in listener.state, 10)
    kinds = [event.kind for event in listener.events]
    stage.expect(not kinds, f"the stream of a listener continues: {kinds}")
    listener.stop()
    resumed = follow(two, listener.token, listener.state)
    kinds = [event.kind for event in resumed.events]
    stage.expect(not kinds, f"the token of its last snapshot is valid at another node: {kinds}")
    resumed.stop()
    stage.expect_success("a page token is valid", lambda: second.page("c", page)[0] == "q")

    def resume():
        WriteStream(second, stream.id, confirmed).send(batch)
        return second.get("counters/x").fields["n"].integer_value == 2
    stage.expect_success("a write stream is resumed, and its batch is applied once", resume)


def tokens(stage):
    """A node misses lost commits, and its stream continues: a token of a lost commit is reset on this stream, too."""
    (one, first), (two, second) = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    listener, stream = follow(one), ListenStream(second)
    stream.add(4)

    def commit():
        two.pause()
        first.commit([calls.set_document("c/lost", n=1)])
    _lose(stage, commit)
    listener.wait(lambda: "lost" in listener.state, 10)
    listener.stop()
    stage.pair.fail_over()
    two.resume()
    retry(lambda: first.commit([calls.set_document("c/new", n=1)]))
    time.sleep(1)
    try:
        kinds = stream.add(6, listener.token)
        stage.expect("RESET" in kinds, f"the token of a lost commit on a stream of before: {kinds}")
    except grpc.RpcError as error:
        stage.expect(True, f"the stream of before has ended: {error.code().name} {error.details()}")
    stream.close()


def chain(stage):
    """Three fail-overs that lose commits: afterwards, tokens of all histories are judged rightly."""
    (one, first), (two, _) = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    found = []
    for number in range(3):
        listener = follow(one)
        stage.pair.prepare(False)
        time.sleep(0.5)
        found.append((listener.token, dict(listener.state), False))
        stage.pair.stop_replication()
        first.commit([calls.set_document(f"c/lost-{number}", n=1)])
        listener.wait(lambda: f"lost-{number}" in listener.state, 10)
        found.append((listener.token, dict(listener.state), True))
        listener.stop()
        stage.pair.fail_over()
        retry(lambda: first.commit([calls.set_document(f"c/kept-{number}", n=1)]))
        stage.pair.repair()
    expected = ["kept", "kept-0", "kept-1", "kept-2"]
    for place, (token, state, is_lost) in enumerate(found):
        resumed = follow(two, token, state)
        was_reset = any(event.kind == "RESET" for event in resumed.events)
        stage.expect(
            was_reset == is_lost and sorted(resumed.state) == expected,
            f"token {place} of {'a lost' if is_lost else 'a kept'} commit: {'' if was_reset else 'not '}reset, "
            f"shows {sorted(resumed.state)}")
        resumed.stop()


def databases(stage):
    """A database is created and lost, and its number is given out again: both are apart."""
    (one, first), (_, second) = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    lost, fresh = "lost-project", "fresh-project"
    _lose(stage, lambda: first.commit([calls.set_document("c/lost", project=lost, n=1)], project=lost))
    stage.expect(set(first.documents("c", project=lost)) == {"lost"}, "the database that will be lost has its document")
    numbers = _numbers(stage)
    stage.pair.fail_over()
    retry(lambda: second.commit([calls.set_document("c/fresh", project=fresh, n=1)], project=fresh))
    again = _numbers(stage)
    stage.expect(again[fresh] == numbers[lost], f"the number {numbers[lost]} is given out again: {again[fresh]}")
    for name, each in [("a", first), ("b", second)]:
        found = retry(lambda: [sorted(each.documents("c", project=project)) for project in [lost, fresh]])
        stage.expect(found == [[], ["fresh"]], f"node {name} finds {found}")
    retry(lambda: first.commit([calls.set_document("c/back", project=lost, n=1)], project=lost))
    for name, each in [("a", first), ("b", second)]:
        found = retry(lambda: [sorted(each.documents("c", project=project)) for project in [lost, fresh]])
        stage.expect(found == [["back"], ["fresh"]], f"node {name} finds {found}")


def _numbers(stage):
    return dict(rows(stage.pair.primary_port, "SELECT project, db FROM hearth.databases"))


def notices(stage):
    """A deployment of rules is lost, and the next one gets its number while no node looks: it comes into effect."""
    deny, grant = (_rules(stage.folder, name, allows) for name, allows in [("deny", "false"), ("grant", "true")])
    (one, first), _ = stage.add_node("a"), stage.add_node("b")
    first.commit([calls.set_document("c/kept", n=1)])
    deploy(stage.pair.url, deny)
    _lose(stage, lambda: deploy(stage.pair.url, grant))
    stage.expect(_read(one) == "granted", "the rules that will be lost grant")
    for each in stage.nodes:
        each.pause()
    stage.pair.fail_over()
    print("  ", deploy(stage.pair.url, deny).strip().replace("\n", "; "))
    for each in stage.nodes:
        each.resume()
    time.sleep(5)
    for each in stage.nodes:
        outcome = _read(each)
        stage.expect(
            outcome == "PERMISSION_DENIED", f"5 s after rules that deny were deployed, node {each.name}: {outcome}")


def _rules(folder, name, condition):
    path = os.path.join(folder, f"{name}.rules")
    with open(path, "w") as file:
        file.write("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /{x=**} { "
                   f"allow read, write: if {condition}; }} }} }}\n")
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


def vanished_first(stage):
    """The primary's machine is gone without a word: packets vanish. The URL names it first."""
    _vanish(stage, [stage.pair.primary.port, stage.pair.standby.port])


def vanished_last(stage):
    """The primary's machine is gone without a word: packets vanish. The URL names it last."""
    _vanish(stage, [stage.pair.standby.port, stage.pair.primary.port])


def vanished_soon(stage):
    """The primary's machine is gone without a word, and the standby takes over before connections end."""
    # libpq gives up a connection on which nothing was confirmed for 4 s (`tcp_user_timeout`).
    _vanish(stage, [stage.pair.primary.port, stage.pair.standby.port], silence=0.5, patience=6)


def _vanish(stage, ports, silence=15, patience=2):
    """`silence`: seconds to the promotion, by default as with Patroni; `patience`: how much longer clients wait."""
    primary, standby = stage.pair.primary, stage.pair.standby
    stage.pair.prepare(True)
    for name in "ab":
        stage.add_node(name, url(ports))
    writers = [Writer(node, node.name, "items", "totals") for node in stage.nodes]
    for each in writers:
        each.start()
    time.sleep(2)
    _drop(primary.port)
    began = time.monotonic()
    time.sleep(silence)
    standby.promote()
    promotion = time.monotonic() - began
    time.sleep(15)
    for each in writers:
        each.stop()
        gap = _longest_pause(each, began)
        stage.expect(
            gap <= promotion + patience,
            f"node {each.node.name}: promotion {promotion:.1f} s, gap {gap:.1f} s")
    start = time.monotonic()
    stage.add_node("c", url(ports))
    seconds = time.monotonic() - start
    stage.expect(seconds < 5, f"a node that starts while the machine is gone needs {seconds:.1f} s")


def _drop(port):
    rules = ["table inet vanished {", "chain in {", "type filter hook input priority 0;"]
    rules += [f"tcp {end} {port} drop" for end in ["dport", "sport"]] + ["}", "}", ""]
    subprocess.run(["nft", "-f", "-"], input="\n".join(rules), text=True, check=True)


def _longest_pause(writer, began):
    arrivals = [each.arrival for each in writer.acknowledged]
    return max((after - before for before, after in zip(arrivals, arrivals[1:]) if after > began), default=float("inf"))


SCENARIOS = {
    each.__name__: each for each in [
        silence, pause, tokens, chain, databases, notices, vanished_first, vanished_last, vanished_soon]}


def _enter_own_network(folder):
    """A network namespace with a loopback interface only. Needs root, iproute2 and nftables."""
    if os.environ.get(OWN_NETWORK):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    os.rmdir(folder)
    os.environ[OWN_NETWORK] = "1"
    os.execvp("unshare", ["unshare", "--net", sys.executable, "-m", "failover", *sys.argv[1:]])


def run(name, folder):
    """Returns how many things were wrong."""
    if name.startswith("vanished"):
        if os.getuid() != 0 or not shutil.which("nft"):
            print(f"{name}: skipped, it needs root and the package nftables", flush=True)
            return 0
        _enter_own_network(folder)
    print(f"{name}: {SCENARIOS[name].__doc__}", flush=True)
    with Stage(folder) as stage:
        SCENARIOS[name](stage)
    return len(stage.problems)
