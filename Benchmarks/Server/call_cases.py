"""Calls one after the other and side by side: gets, commits, batches, streamed queries."""

import statistics

import documents
from counting_client import CountingClient
from measuring import Result, allowed, interleaved, rates, times, warm
from processes import load_rate

EMULATOR = "official emulator"


def gets_against_echo(machine, rounds):
    server = machine.load(machine.hearth())
    body = documents.get(7)
    answer = machine.file("answer", documents.answer_of(server.port, documents.GET, body))
    echo = machine.echo(answer)
    ours, peer = interleaved(
        rounds,
        lambda: load_rate(machine, server.port, documents.GET, body),
        lambda: load_rate(machine, echo.port, documents.GET, body),
    )
    machine.stop(echo)
    yield rates("GetDocument of 1 KB, 32 in flight", "calls/s", ours, "our transport, echoing", peer, 0.5)


def commits_against_engine(machine, rounds):
    server = machine.hearth()
    body = documents.increment()
    engine = machine.probe("commits", machine.fresh_directory(), "full")
    engine.measure(1)
    ours, peer = interleaved(
        rounds,
        lambda: load_rate(machine, server.port, documents.COMMIT, body, in_flight=64),
        lambda: engine.measure(2),
    )
    machine.stop(engine)
    yield rates("Commit of one write, durable, 64 in flight", "commits/s", ours, "engine in process", peer, 0.7)


def batches(machine, rounds, count=62_000, size=500):
    """Every round fills a collection of its own."""
    server = machine.hearth()
    tenth = count // size // 10
    first, last, whole = [], [], []
    for number in range(rounds):
        bodies = list(documents.set_batches(count, f"batches{number}", size))
        client = CountingClient(server.port)
        took = [client.timed(documents.COMMIT, body) for body in bodies]
        client.close()
        first.append(tenth * size / sum(took[:tenth]))
        last.append(tenth * size / sum(took[-tenth:]))
        whole.append(count / sum(took))
    ratio = statistics.median(end / start for start, end in zip(first, last))
    name = f"batches of {size} documents of 1 KB, {count:,} in all"
    yield Result(f"{name}: last tenth", statistics.median(last), "docs/s", "first tenth", statistics.median(first), ratio, 0.9)
    yield Result(name, statistics.median(whole), "docs/s")


def streamed_query(machine, rounds, count=10_000):
    server = machine.load(machine.hearth(), count)
    engine = machine.probe("scan", machine.fresh_directory(), str(count))
    # Tag of `RunQueryResponse.document`.
    client = CountingClient(server.port, first_byte=0x0A)
    query = documents.whole_collection()

    def stream():
        seconds = client.timed(documents.RUN_QUERY, query, wanted=count)
        return count / seconds

    stream()
    engine.measure()
    ours, peer = interleaved(max(rounds, 9), stream, engine.measure)
    client.close()
    machine.stop(engine)
    yield rates(f"RunQuery streaming {count:,} documents of 1 KB", "docs/s", ours, "engine's own iteration", peer, 0.3)


def gets_against_emulator(machine, rounds):
    body = documents.get(7)
    emulator = machine.cold_emulator()
    sides = [
        lambda side=side: load_rate(machine, side.port, documents.GET, body, warm_up=0)
        for side in (machine.load(machine.hearth()), machine.load(emulator))
    ]
    _, cold = warm(*sides)
    ours, peer = interleaved(rounds, *sides)
    machine.stop(emulator)
    yield rates("gets, 32 in flight on one connection", "calls/s", ours, EMULATOR, peer, 3.5, cold)


def gets_by_connections(machine, rounds):
    """What many connections cost the server, against one."""
    server = machine.load(machine.hearth())
    body = documents.get(7)
    seconds = 3

    def measure(connections, in_flight):
        before = server.processor_seconds()
        rate = load_rate(machine, server.port, documents.GET, body, in_flight, seconds, warm_up=0, connections=connections)
        return rate, (server.processor_seconds() - before) * 1e6 / (rate * seconds)

    measure(1, 32)
    eight, one = interleaved(rounds, lambda: measure(8, 64), lambda: measure(1, 32))
    yield allowed("processor time of a get, 32 in flight on one connection", statistics.median(time for _, time in one), "µs", 26)
    name = "gets, 64 in flight on 8 connections"
    peer = "32 on one connection"
    yield times(f"{name}: processor time", "µs", [time for _, time in eight], peer, [time for _, time in one], 1)
    yield rates(name, "calls/s", [rate for rate, _ in eight], peer, [rate for rate, _ in one], 0.95)


def commits_against_emulator(machine, rounds):
    body = documents.increment()
    emulator = machine.cold_emulator()
    servers = [machine.hearth(), machine.relaxed_hearth(), emulator]
    name = "commits, 32 in flight on one connection"
    for row, sides in (
        (name, [lambda side=side: load_rate(machine, side.port, documents.COMMIT, body, warm_up=0) for side in servers]),
        (f"{name}, different documents", [lambda side=side: different_documents(side.port) for side in servers]),
    ):
        cold = warm(*sides)[-1]
        durable, relaxed, peer = interleaved(rounds, *sides)
        yield rates(f"{row}, durable", "commits/s", durable, EMULATOR, peer, 1, cold)
        yield rates(f"{row}, relaxed", "commits/s", relaxed, EMULATOR, peer, 2, cold)
    machine.stop(emulator)


def different_documents(port, count=4_000, in_flight=32):
    """Commits per second of a client that sends each document once; it is written in Python, so that both sides wait for it."""
    client = CountingClient(port)
    different_documents.sent = getattr(different_documents, "sent", 0) + 1
    bodies = list(documents.set_batches(count, f"different{different_documents.sent}", 1))
    seconds = client.timed_all(documents.COMMIT, bodies, in_flight)
    client.close()
    return count / seconds
