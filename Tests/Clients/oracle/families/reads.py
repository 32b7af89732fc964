"""Single and batched reads, masks, read times, selectors; lists of documents and of collections (QR-47 … QR-51, DM-11, DM-12)."""

from random import Random

from ..cases import Case, call, text_of, time_of, token_of
from ..values import Chance, name, update
from ..wire import DATABASE, ROOT, Timestamp
from .queries import SEED, order, query, seeding

NAMES = [name(path) for path in ("c/a", "c/b", "c/none", "c/a/c/h", "x/none")]
NEW = {"read_only": {}}


def commit(*writes, saves=None):
    return call("Commit", saves=saves, database=DATABASE, writes=list(writes))


def lookup(names=NAMES, saves=None, **more):
    return call("BatchGetDocuments", saves=saves, database=DATABASE, documents=names, **more)


def cases(seed, count, quick):
    yield from _lookups()
    yield from _times()
    yield from _lists()
    yield from _partitions()
    for index in range(count):
        chance = Chance(Random(f"{seed} reads {index}"))
        steps, paths = seeding(chance)
        for _ in range(15):
            steps += _random_list(chance, paths)
        yield Case("reads", f"random {index}", steps)


def _lookups():
    masks = {"none": None, "empty": {}, "n": {"field_paths": ["n"]}, "m.x, s": {"field_paths": ["m.x", "s"]}, "m and m.x": {"field_paths": ["m", "m.x"]},
             "missing": {"field_paths": ["zz"]}, "name": {"field_paths": ["__name__"]}, "below a scalar": {"field_paths": ["n.x"]}}
    for title, mask in masks.items():
        yield Case("reads", f"mask {title}", [SEED, lookup(mask=mask), call("GetDocument", name=name("c/a"), mask=mask), call("ListDocuments", parent=ROOT, collection_id="c", mask=mask)])
    shapes = {
        "same twice": lookup([NAMES[0], NAMES[0]]), "missing twice": lookup([NAMES[2], NAMES[2]]), "nothing": lookup([]), "new transaction": lookup(new_transaction=NEW),
        "new read-write transaction": lookup(new_transaction={"read_write": {}}), "new transaction without a mode": lookup(new_transaction={}),
        "nothing in a new transaction": lookup([], new_transaction=NEW), "another database": lookup([name("c/a").replace("(default)", "other")]),
        "another project": lookup([name("c/a").replace("oracle-000", "nowhere")]), "a collection": lookup([name("c")]), "an empty name": lookup([""]),
        "one bad name": lookup([NAMES[0], "x"]), "400 names": lookup([name(f"c/{index}") for index in range(400)]),
        "get missing": call("GetDocument", name=name("c/none")), "get deleted parent": call("GetDocument", name=name("c/missing")),
        "query in a new transaction": call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": "c"}]}, new_transaction=NEW),
        "empty query in a new transaction": call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": "none"}]}, new_transaction=NEW),
        "query with offset in a new transaction": call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": "c"}], "offset": 2}, new_transaction=NEW),
        "count in a new transaction": call("RunAggregationQuery", parent=ROOT, new_transaction=NEW, structured_aggregation_query={
            "structured_query": {"from_": [{"collection_id": "c"}]}, "aggregations": [{"count": {}}]}),
        "pipeline": call("ExecutePipeline", database=DATABASE, structured_pipeline={"pipeline": {"stages": []}}),
    }
    for title, step in shapes.items():
        yield Case("reads", title, [SEED, step])


def _times():
    """Reads at a time (QR-48). Slot 1 is the first commit's time, slot 2 the second's."""
    history = [commit(update("c/a", {"n": 1}), update("c/b", {"n": 1}), saves={1: "0.commit_time"}), commit(update("c/a", {"n": 2}), saves={2: "0.commit_time"}),
               commit({"delete": name("c/b")}, update("c/none", {"n": 3}), saves={3: "0.commit_time"})]
    moments = {
        "first": time_of(1), "before the second": time_of(2, -1), "second": time_of(2), "third": time_of(3), "before the first": time_of(1, -1), "future": Timestamp(seconds=4_000_000_000),
        "a minute ahead": time_of(3, 60_000_000), "an hour and a bit ago": time_of(1, -3_700_000_000), "long ago": Timestamp(seconds=1_500_000_000), "epoch": Timestamp(), "negative": Timestamp(seconds=-100),
        "misaligned": Timestamp(seconds=1_500_000_000, nanos=1), "beyond": Timestamp(seconds=300_000_000_000), "bad nanos": Timestamp(seconds=1_500_000_000, nanos=-1),
    }
    for title, moment in moments.items():
        yield Case("reads", f"at {title}", [
            *history, lookup(read_time=moment), call("GetDocument", name=name("c/b"), read_time=moment),
            call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": "c"}]}, read_time=moment),
            call("RunAggregationQuery", parent=ROOT, read_time=moment, structured_aggregation_query={
                "structured_query": {"from_": [{"collection_id": "c"}]}, "aggregations": [{"count": {}}]}),
            call("ListDocuments", parent=ROOT, collection_id="c", read_time=moment), call("ListCollectionIds", parent=ROOT, read_time=moment),
            call("BeginTransaction", saves={"t": "0.transaction"}, database=DATABASE, options={"read_only": {"read_time": moment}}), lookup(transaction=token_of("t"))])


def _lists():
    shapes = {
        "all": {}, "page of 2": {"page_size": 2}, "page of 0": {"page_size": 0}, "page of -1": {"page_size": -1}, "page of 7": {"page_size": 7}, "huge page": {"page_size": 2**31 - 1},
        "by n": {"order_by": "n"}, "by n desc": {"order_by": "n desc"}, "by s, n desc": {"order_by": "s, n desc"}, "by  s  ASC": {"order_by": " s  ASC "}, "by name desc": {"order_by": "__name__ desc"},
        "by nonsense": {"order_by": "n sideways"}, "by a bad path": {"order_by": "a..b"}, "by a comma": {"order_by": "n,"}, "by m.x": {"order_by": "m.x"}, "by quoted": {"order_by": "`n` desc"},
        "missing": {"show_missing": True}, "missing by n": {"show_missing": True, "order_by": "n"}, "missing by name": {"show_missing": True, "order_by": "__name__"},
        "missing with mask": {"show_missing": True, "mask": {"field_paths": ["n"]}}, "missing with page": {"show_missing": True, "page_size": 3}, "bad token": {"page_token": "nonsense"},
        "no collection": {"collection_id": ""}, "no collection, missing": {"collection_id": "", "show_missing": True}, "bad collection": {"collection_id": "a/b"}, "reserved": {"collection_id": "__x__"},
        "unknown transaction": {"transaction": b"nonsense"},
    }
    for title, fields in shapes.items():
        yield Case("reads", f"list {title}", [SEED, call("ListDocuments", **{"parent": ROOT, "collection_id": "c", **fields})])
    for parent in ("c/a", "x/1", "c/missing", "none/none", "c", "", "c/a/"):
        root = ROOT if parent == "" else name(parent)
        yield Case("reads", f"lists below {parent!r}", [
            SEED, call("ListDocuments", parent=root, collection_id="c"), call("ListDocuments", parent=root, collection_id="e", show_missing=True),
            call("ListCollectionIds", parent=root), call("ListDocuments", parent=root, collection_id="c", show_missing=True), call("ListDocuments", parent=root)])
    yield Case("reads", "collections", [
        SEED, call("ListCollectionIds", parent=ROOT), call("ListCollectionIds", saves={"p": "0.next_page_token"}, parent=ROOT, page_size=1),
        call("ListCollectionIds", parent=ROOT, page_size=1, page_token=text_of("p")), call("ListCollectionIds", parent=ROOT, page_size=3), call("ListCollectionIds", parent=ROOT, page_size=-1),
        call("ListCollectionIds", parent=ROOT, page_token="nonsense"), call("ListCollectionIds", parent="nonsense"), call("ListCollectionIds", parent=DATABASE), call("ListCollectionIds", parent=f"{ROOT}/"),
        commit({"delete": name("c2/j")}, {"delete": name("x/1")}), call("ListCollectionIds", parent=ROOT), commit({"delete": name("x/1/c/i")}), call("ListCollectionIds", parent=ROOT)])
    for fields in ({}, {"show_missing": True}, {"order_by": "n desc"}, {"mask": {"field_paths": ["n"]}}, {"order_by": "s"}):
        pages = [SEED]
        for number in range(5):
            token = {} if number == 0 else {"page_token": text_of("p"), "needs": "p"}
            pages.append(call("ListDocuments", saves={"p": "0.next_page_token"}, parent=ROOT, collection_id="c", page_size=2, **fields, **token))
        yield Case("reads", f"pages {fields}", pages)
    token = call("ListDocuments", saves={"p": "0.next_page_token"}, parent=ROOT, collection_id="c", page_size=2)
    for title, fields in {"of another order": {"order_by": "n"}, "of another collection": {"collection_id": "c2"}, "of another size": {"page_size": 3}}.items():
        yield Case("reads", f"token {title}", [SEED, token, call("ListDocuments", **{"parent": ROOT, "collection_id": "c", "page_size": 2, "page_token": text_of("p"), **fields})])


def _partitions():
    group = {"from_": [{"collection_id": "c", "all_descendants": True}], "order_by": [order("__name__")]}
    for title, fields in {"plain": {"structured_query": group, "partition_count": 3}, "no query": {"partition_count": 3}, "0": {"structured_query": group},
                          "no group": {"structured_query": {"from_": [{"collection_id": "c"}]}, "partition_count": 3}}.items():
        yield Case("reads", f"partition: {title}", [SEED, call("PartitionQuery", parent=ROOT, **fields)])


def _random_list(chance, paths):
    parent, collection = chance.pick([(ROOT, "c"), (ROOT, "x"), (name("x/1"), "c"), (name("c/k1"), "c"), (name("c/k1"), "e")])
    fields = {}
    if chance.chance(50):
        fields["page_size"] = chance.random.randint(1, 5)
    if chance.chance(40):
        fields["show_missing"] = True
    elif chance.chance(50):
        fields["order_by"] = chance.pick(["a", "n desc", "b, a desc", "__name__"])
    if chance.chance(30):
        fields["mask"] = {"field_paths": chance.random.sample(["a", "b", "m.x", "m"], chance.random.randint(0, 2))}
    list_call = call("ListDocuments", saves={"p": "0.next_page_token"}, parent=parent, collection_id=collection, **fields)
    steps = [list_call]
    if "page_size" in fields:
        steps.append(call("ListDocuments", parent=parent, collection_id=collection, page_token=text_of("p"), needs="p", **fields))
    picked = [name(path) for path in chance.random.sample(paths, min(3, len(paths)))]
    steps.append(lookup([*picked, name("c/zz")], mask={"field_paths": chance.random.sample(["a", "m.x", "n"], 2)} if chance.chance(50) else None))
    steps.append(call("ListCollectionIds", parent=chance.pick([ROOT, name("c/k1"), name("x/1")])))
    return steps
