"""Listening: the state at quiet moments, ids, errors of targets, resuming (LS-1 … LS-28)."""

from random import Random

from ..cases import Case, call, time_of, token_of
from ..streams import ListenClose, ListenRequest, ListenSend, ListenSettle
from ..values import Chance, name, ref, update
from ..wire import DATABASE, ROOT, StructuredQuery, Timestamp
from .queries import Maker, composite, field_filter, order, seeding


def commit(*writes, saves=None):
    return call("Commit", saves=saves, database=DATABASE, writes=list(writes))


def listen(target_id=1, key="l", known="", waits=True, parent=ROOT, documents=None, query=None, database=DATABASE, **target):
    """Adds a target: documents, or a query (of collection c by default)."""
    if documents is not None:
        target["documents"] = {"documents": [name(path) for path in documents]}
    else:
        target["query"] = {"parent": parent, "structured_query": {"from_": [{"collection_id": "c"}], **(query or {})}}
    return ListenSend(ListenRequest(database=database, add_target={"target_id": target_id, **target}), key, known, waits)


def unlisten(target_id, key="l"):
    return ListenSend(ListenRequest(database=DATABASE, remove_target=target_id), key)


SETTLE = ListenSettle()
REST = ListenSettle(barrier=False)
SEED = commit(*(update(f"c/{key}", {"n": number, "s": "xy"[number % 2]}) for number, key in enumerate("abcdef")), update("d/a", {"n": 9}))
ABOVE = {"where": field_filter("n", "GREATER_THAN", 2)}


def cases(seed, count, quick):
    yield from _changes()
    yield from _targets()
    yield from _resuming()
    for index in range(count):
        yield _random(Chance(Random(f"{seed} listen {index}")), index)


def _changes():
    """Changes of documents, reported to each kind of target."""
    changes = {
        "a new document": [commit(update("c/new", {"n": 5, "s": "x"}))],
        "a change": [commit(update("c/e", {"n": 4, "s": "z"}))],
        "a document that comes in": [commit(update("c/a", {"n": 7}))],
        "a document that goes out": [commit(update("c/e", {"n": 0}))],
        "a delete": [commit({"delete": name("c/e")})],
        "a delete of what does not match": [commit({"delete": name("c/a")})],
        "no effect": [commit(update("c/e", {"n": 4, "s": "x"}))],
        "a delete of nothing": [commit({"delete": name("c/none")})],
        "delete and create in one commit": [commit({"delete": name("c/e")}, update("c/e", {"n": 4, "s": "x"}))],
        "delete, then create": [commit({"delete": name("c/e")}), commit(update("c/e", {"n": 4, "s": "x"}))],
        "out and in again": [commit(update("c/e", {"n": 0})), commit(update("c/e", {"n": 4, "s": "x"}))],
        "several documents": [commit(update("c/e", {"n": 1}), update("c/new", {"n": 8}), {"delete": name("c/f")})],
        "elsewhere": [commit(update("d/b", {"n": 8}))],
    }
    targets = {
        "a query": {"query": ABOVE}, "a collection": {}, "a document": {"documents": ["c/e"]}, "documents": {"documents": ["c/e", "c/none", "c/new"]},
        "a limit": {"query": {"order_by": [order("n", "DESCENDING")], "limit": {"value": 2}}}, "a projection": {"query": {**ABOVE, "select": {"fields": [{"field_path": "s"}]}}},
    }
    for title, steps in changes.items():
        for kind, target in targets.items():
            yield Case("listen", f"{kind}: {title}", [SEED, listen(**target), SETTLE, *steps, SETTLE])
        yield Case("listen", f"all at once: {title}", [
            SEED, *(listen(number + 1, **target) for number, target in enumerate(targets.values())), SETTLE, *steps, SETTLE])


def _targets():
    queries = {
        "offset": {"offset": 1, "order_by": [order("n")]}, "limit": {"limit": {"value": 2}}, "cursor": {"order_by": [order("n")], "start_at": {"values": [{"integer_value": 3}], "before": True}},
        "or": {"where": composite("OR", field_filter("n", "EQUAL", 1), field_filter("s", "EQUAL", "x"))}, "group": {"from_": [{"collection_id": "c", "all_descendants": True}]},
        "kindless": {"from_": [{"all_descendants": True}], "where": composite(
            "AND", field_filter("__name__", "GREATER_THAN_OR_EQUAL", ref("c/b")), field_filter("__name__", "LESS_THAN", ref("c/e")))},
        "empty or": {"where": composite("OR")}, "bad path": {"where": field_filter("a..b", "EQUAL", 1)}, "two sources": {"from_": [{"collection_id": "c"}, {"collection_id": "d"}]},
        "negative limit": {"limit": {"value": -1}}, "nearest": {"find_nearest": {
            "vector_field": {"field_path": "v"}, "query_vector": {"double_value": 1}, "distance_measure": "COSINE", "limit": {"value": 1}}},
        "by name down": {"order_by": [order("__name__", "DESCENDING")]},
    }
    for title, query in queries.items():
        yield Case("listen", f"query: {title}", [SEED, listen(query=query, waits=False), ListenSettle(barrier=False), commit(update("c/zz", {"n": 3, "s": "x"})), ListenSettle(barrier=False)])
    again = [commit(update("c/e", {"n": 10}))]
    table = {
        "the same id twice": [listen(1, query=ABOVE), SETTLE, listen(1, documents=["c/a"]), REST, *again, REST],
        "id 0": [listen(0), REST, *again, REST], "id 0 twice": [listen(0), REST, listen(0, documents=["c/a"]), REST, *again, REST],
        "id 0, then a chosen id": [listen(0), REST, listen(5, documents=["c/a"], waits=False), REST], "a chosen id, then 0": [listen(5), REST, listen(0, documents=["c/a"], waits=False), REST],
        "a negative id": [listen(-1, waits=False), REST], "a large id": [listen(2**31 - 1), SETTLE, *again, SETTLE],
        "remove": [listen(1), SETTLE, unlisten(1), SETTLE, *again, SETTLE], "remove unknown": [listen(1), SETTLE, unlisten(9), *again, SETTLE],
        "remove, add again": [listen(1), SETTLE, unlisten(1), SETTLE, listen(1, query=ABOVE), SETTLE, *again, SETTLE],
        "remove 0": [listen(1), SETTLE, ListenSend(ListenRequest(database=DATABASE, remove_target=0)), REST],
        "no target": [ListenSend(ListenRequest(database=DATABASE)), REST], "empty target": [ListenSend(ListenRequest(database=DATABASE, add_target={"target_id": 1})), REST],
        "no database": [listen(1, database="", waits=False), REST], "another database": [listen(1, database=DATABASE.replace("(default)", "other"), waits=False), REST],
        "no documents": [listen(1, documents=[], waits=False), REST], "a document twice": [listen(1, documents=["c/a", "c/a"]), SETTLE], "a bad name": [listen(1, documents=["c"], waits=False), REST],
        "once": [listen(1, query=ABOVE, once=True), REST, *again, REST], "once, documents": [listen(1, documents=["c/a", "c/none"], once=True), REST],
        "garbage token": [listen(1, query=ABOVE, resume_token=b"garbage", waits=False), REST, *again, REST], "read time": [SEED, listen(1, query=ABOVE, read_time=time_of(1)), SETTLE],
        "future read time": [listen(1, query=ABOVE, read_time=Timestamp(seconds=4_000_000_000), waits=False), REST], "old read time": [listen(1, read_time=Timestamp(seconds=1_500_000_000), waits=False), REST],
        "expected count alone": [listen(1, query=ABOVE, expected_count={"value": 3}), SETTLE],
        "bad parent": [listen(1, parent="x", waits=False), REST], "parent of another database": [listen(1, parent=ROOT.replace("(default)", "other"), waits=False), REST],
        "an error, and a good one": [listen(1, query={"where": composite("OR")}, waits=False), REST, listen(2, query=ABOVE, waits=False), REST, *again, REST],
        "labels": [ListenSend(ListenRequest(database=DATABASE, add_target={"target_id": 1, "documents": {"documents": [name("c/a")]}}, labels={"goog-listen-tags": "limbo-document"})), REST],
    }
    for title, steps in table.items():
        yield Case("listen", title, [SEED, *steps])


def _resuming():
    """A second stream that continues from the token of the first (LS-4, LS-19, LS-25)."""
    between = {
        "nothing": [], "a change": [commit(update("c/e", {"n": 11}))], "a new document": [commit(update("c/new", {"n": 11}))], "a delete": [commit({"delete": name("c/e")})],
        "one that goes out": [commit(update("c/e", {"n": 0}))], "much": [commit(update("c/e", {"n": 0}), {"delete": name("c/f")}, update("c/a", {"n": 12}))],
    }
    for title, steps in between.items():
        for counted in (False, True):
            for kind, target in {"query": {"query": ABOVE}, "document": {"documents": ["c/e"]}}.items():
                expected = {"expected_count": {"value": 3 if kind == "query" else 1}} if counted else {}
                yield Case("listen", f"resumed {kind} after {title}{', counted' if counted else ''}", [
                    SEED, listen(1, **target), ListenSettle(save="token"), ListenClose(), *steps,
                    listen(1, key="again", known="l", resume_token=token_of("token"), **expected, **target), ListenSettle("again"),
                    commit(update("c/b", {"n": 20})), ListenSettle("again")])


def _is_known_alike(parent, parts):
    """Whether both servers are known to read a query the same way; the family of queries has the others."""
    if parent != ROOT and parts["from_"][0].get("all_descendants"):
        return False
    if any(each["field"]["field_path"] == "__name__" and each["direction"] == "DESCENDING" for each in parts.get("order_by", [])):
        return False
    where = str(StructuredQuery(**parts).where)
    return not any(word in where for word in ("null_value", "nan", "ARRAY_CONTAINS_ANY"))


def _random(chance, index):
    steps, paths = seeding(chance, 25)
    maker = Maker(chance, paths)
    targets = {}
    for number in range(1, 5):
        parent, parts = next(each for each in iter(maker.query, None) if _is_known_alike(*each))
        parts.pop("offset", None)
        parts.pop("select", None)
        targets[number] = (parent, parts)
    steps += [listen(number, parent=parent, query=parts) for number, (parent, parts) in targets.items()]
    steps.append(SETTLE)
    for _ in range(6):
        writes = []
        for path in chance.random.sample(paths, min(len(paths), chance.random.randint(1, 4))):
            writes.append({"delete": name(path)} if chance.chance(25) else update(path, chance.content()))
        steps += [commit(*writes), SETTLE]
    return Case("listen", f"random {index}", steps)
