"""Transactions: reads of one moment, finished and unknown ids, read-only ones, conflicts (TX-1 … TX-10)."""

from random import Random

from ..cases import Case, call, time_of, token_of
from ..concurrent import Join, background
from ..values import Chance, name, update
from ..wire import DATABASE, ROOT, Timestamp, verify
from .queries import field_filter, order


def commit(*writes, saves=None, transaction=None):
    more = {"transaction": token_of(transaction)} if transaction else {}
    return call("Commit", saves=saves, database=DATABASE, writes=list(writes), **more)


def begin(slot="t", **options):
    return call("BeginTransaction", saves={slot: "0.transaction"}, database=DATABASE, **({"options": options} if options else {}))


def read(transaction, *paths):
    return call("BatchGetDocuments", database=DATABASE, documents=[name(path) for path in paths or ("c/a", "c/b")], transaction=token_of(transaction))


def get(transaction, path="c/a"):
    return call("GetDocument", name=name(path), transaction=token_of(transaction))


def run(transaction, where=None, **parts):
    query = {"from_": [{"collection_id": "c"}], **parts}
    if where:
        query["where"] = where
    return call("RunQuery", parent=ROOT, structured_query=query, transaction=token_of(transaction))


def count(transaction):
    return call("RunAggregationQuery", parent=ROOT, transaction=token_of(transaction), structured_aggregation_query={
        "structured_query": {"from_": [{"collection_id": "c"}]}, "aggregations": [{"count": {}}]})


def listing(transaction):
    return call("ListDocuments", parent=ROOT, collection_id="c", transaction=token_of(transaction))


def rollback(slot="t"):
    return call("Rollback", database=DATABASE, transaction=token_of(slot))


SEED = commit(update("c/a", {"n": 1}), update("c/b", {"n": 2}), saves={1: "0.commit_time"})
LATEST = call("BatchGetDocuments", database=DATABASE, documents=[name(path) for path in ("c/a", "c/b", "c/new", "c/x")])
READ_ONLY = {"read_only": {}}
READ_WRITE = {"read_write": {}}
ABOVE = field_filter("n", "GREATER_THAN", 1)
A2 = update("c/a", {"n": 20})


def cases(seed, number, quick):
    yield from _lives()
    yield from _ids()
    yield from _snapshots()
    yield from _contention()
    for index in range(number):
        yield _random(Chance(Random(f"{seed} transactions {index}")), index)


def _lives():
    starts = {"plain": begin(), "read-write": begin(**READ_WRITE), "read-only": begin(**READ_ONLY), "no mode": call("BeginTransaction", saves={"t": "0.transaction"}, database=DATABASE, options={}),
              "at a time": begin(read_only={"read_time": time_of(1)})}
    for title, start in starts.items():
        lives = {
            "commit nothing": [commit(transaction="t")], "commit": [commit(A2, transaction="t")], "roll back": [rollback()], "read, commit": [read("t"), commit(A2, transaction="t")],
            "read, commit nothing": [read("t"), commit(transaction="t")], "query, commit": [run("t", ABOVE), commit(A2, transaction="t")], "read, roll back": [read("t"), rollback()],
            "verify": [read("t"), commit(verify(name("c/a"), current_document={"exists": True}), transaction="t")],
            "all reads": [read("t"), get("t"), get("t", "c/none"), run("t"), count("t"), listing("t"), commit(update("c/new", {"n": 1}), transaction="t")],
        }
        for life, steps in lives.items():
            yield Case("transactions", f"{title}: {life}", [SEED, start, *steps, LATEST])
    for title, options in {"read-only": READ_ONLY, "read-write": READ_WRITE, "no mode": {}}.items():
        yield Case("transactions", f"from a read, {title}", [SEED, call(
            "BatchGetDocuments", saves={"t": "0.transaction"}, database=DATABASE, documents=[name("c/a")], new_transaction=options), read("t"), commit(A2, transaction="t"), LATEST])
        yield Case("transactions", f"from a query, {title}", [SEED, call(
            "RunQuery", saves={"t": "0.transaction"}, parent=ROOT, structured_query={"from_": [{"collection_id": "c"}]}, new_transaction=options), read("t"), commit(A2, transaction="t"), LATEST])
    yield Case("transactions", "fails, then goes on", [SEED, begin(), read("t"), commit(update("c/a", {"n": 1}, current={"exists": False}), transaction="t"), commit(A2, transaction="t"), LATEST])
    yield Case("transactions", "illegal write, then goes on", [SEED, begin(), read("t"), commit(update("c/__x__", {"n": 1}), transaction="t"), commit(A2, transaction="t"), LATEST])
    yield Case("transactions", "bad query, then goes on", [SEED, begin(), run("t", order_by=[order("a..b")]), commit(A2, transaction="t"), LATEST])
    yield Case("transactions", "blind writes", [SEED, begin(), commit(update("c/a", {"n": 5})), commit(update("c/a", {"n": 6}), transaction="t"), LATEST])
    yield Case("transactions", "writes it does not see", [SEED, begin(), read("t", "c/new"), commit(update("c/new", {"n": 5}), transaction="t"), read("t", "c/new")])


def _ids():
    uses = {"commit": commit(A2, transaction="t"), "commit nothing": commit(transaction="t"), "roll back": rollback(), "read": read("t"), "get": get("t"), "query": run("t"), "count": count("t"), "list": listing("t"),
            "retry": begin("again", read_write={"retry_transaction": token_of("t")})}
    ends = {"committed": [begin(), read("t"), commit(A2, transaction="t")], "committed blind": [begin(), commit(A2, transaction="t")], "rolled back": [begin(), read("t"), rollback()],
            "rolled back unused": [begin(), rollback()], "read-only, rolled back": [begin(**READ_ONLY), read("t"), rollback()], "unknown": [], "active": [begin()]}
    for end, steps in ends.items():
        for use, step in uses.items():
            yield Case("transactions", f"{use} of a transaction, {end}", [SEED, *steps, step])
    for token in (b"", b"\0" * 8, b"nonsense", b"x" * 100):
        yield Case("transactions", f"token {token[:10]!r}", [
            SEED, call("Rollback", database=DATABASE, transaction=token), call("Commit", database=DATABASE, transaction=token), call("Commit", database=DATABASE, transaction=token, writes=[A2]),
            call("BatchGetDocuments", database=DATABASE, documents=[name("c/a")], transaction=token), call("GetDocument", name=name("c/a"), transaction=token)])
    other = DATABASE.replace("(default)", "other")
    yield Case("transactions", "of another database", [SEED, begin(), call("Rollback", database=other, transaction=token_of("t"))])
    yield Case("transactions", "committed in another database", [SEED, begin(), call("Commit", database=other, transaction=token_of("t"))])
    for title, moment in {"future": Timestamp(seconds=4_000_000_000), "old": Timestamp(seconds=1_500_000_000), "misaligned": Timestamp(seconds=1_500_000_000, nanos=1)}.items():
        yield Case("transactions", f"begins at a time: {title}", [SEED, begin(read_only={"read_time": moment}), read("t")])


def _snapshots():
    """Read-only transactions see one moment (TX-3, TX-6)."""
    yield Case("transactions", "the moment is that of the first read", [SEED, begin(**READ_ONLY), commit(A2), read("t"), run("t")])
    yield Case("transactions", "stale reads", [SEED, begin(**READ_ONLY), read("t"), commit(A2, {"delete": name("c/b")}, update("c/new", {"n": 3})), read("t", "c/a", "c/b", "c/new"), run("t"), count("t"), listing("t"), get("t", "c/b"), LATEST])
    yield Case("transactions", "stale at a time", [SEED, commit(A2), begin(read_only={"read_time": time_of(1)}), read("t"), run("t", ABOVE), count("t")])
    yield Case("transactions", "stale queries", [SEED, begin(**READ_ONLY), run("t", ABOVE), commit(update("c/a", {"n": 5}), {"delete": name("c/b")}), run("t", ABOVE), run("t", order_by=[order("n", "DESCENDING")])])


def _contention():
    """Which one waits and which is rejected differs by design (TX-2); what is stored in the end must not."""
    outside = background("outside", "Commit", database=DATABASE, writes=[update("c/a", {"n": 10})])
    phantom = background("outside", "Commit", database=DATABASE, writes=[update("c/x", {"n": 10})])
    elsewhere = commit(update("d/x", {"n": 10}))
    done = Join("outside")
    yield Case("transactions", "contention: rolled back", [SEED, begin(), read("t"), outside, rollback(), done, LATEST])
    yield Case("transactions", "contention: a write outside", [SEED, begin(), read("t"), outside, commit(A2, transaction="t"), done, LATEST])
    yield Case("transactions", "contention: a phantom", [SEED, begin(), run("t", ABOVE), phantom, commit(A2, transaction="t"), done, LATEST])
    yield Case("transactions", "contention: a phantom, rolled back", [SEED, begin(), run("t", ABOVE), phantom, rollback(), done, LATEST])
    yield Case("transactions", "contention: elsewhere", [SEED, begin(), read("t"), elsewhere, commit(A2, transaction="t"), LATEST])
    yield Case("transactions", "contention: two readers, one writer", [SEED, begin("t"), begin("u"), read("t"), read("u"), rollback("u"), commit(A2, transaction="t"), LATEST])
    yield Case("transactions", "contention: disjoint", [SEED, begin("t"), begin("u"), read("t", "c/a"), read("u", "c/b"), commit(A2, transaction="t"), commit(update("c/b", {"n": 21}), transaction="u"), LATEST])
    yield Case("transactions", "contention: read-only beside a writer", [SEED, begin("t"), begin("u", **READ_ONLY), read("t"), read("u"), commit(A2, transaction="t"), read("u"), LATEST])


def _random(chance, index):
    """Transactions on documents of their own, read-only ones on all."""
    steps = [commit(*(update(f"{collection}/{key}", chance.content()) for collection in "cdeo" for key in "ab"))]
    homes, watchers = {}, []
    for number in range(20):
        roll = chance.random.random()
        slot = f"{number}"
        if roll < 0.15 and len(homes) < 3:
            home = next(each for each in "cde" if each not in homes.values())
            homes[slot] = home
            steps.append(begin(slot))
        elif roll < 0.25 and len(watchers) < 3:
            watchers.append(slot)
            # What it reads is of its first read's moment, so it reads immediately.
            steps += [begin(slot, **READ_ONLY), read(slot, "c/a", "o/a")]
        elif roll < 0.45 and homes:
            slot = chance.pick(sorted(homes))
            steps.append(read(slot, f"{homes[slot]}/a", f"{homes[slot]}/zz"))
        elif roll < 0.6 and homes:
            slot = chance.pick(sorted(homes))
            home = homes.pop(slot)
            steps.append(rollback(slot) if chance.chance(30) else commit(update(f"{home}/a", chance.content()), {"delete": name(f"{home}/b")}, transaction=slot))
        elif roll < 0.8 and watchers:
            steps.append(read(chance.pick(watchers), "c/a", "c/b", "d/a", "d/b", "e/a", "o/a", "o/b"))
        else:
            steps.append(commit(update(f"o/{chance.pick('ab')}", chance.content())))
    return Case("transactions", f"random {index}", steps)
