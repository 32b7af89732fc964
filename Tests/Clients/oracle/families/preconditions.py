"""Every precondition in every state of a document, through every call that takes one (WR-11 … WR-13)."""

from ..cases import Case, call, time_of
from ..values import name, update
from ..wire import DATABASE, Timestamp, verify

# The calls that bring document c/d into a state; slot 1 is its first time, slot 2 its last one.
STATES = {
    "missing": [],
    "existing": [([update("c/d", {"a": 1})], {1: "0.commit_time", 2: "0.commit_time"})],
    "updated": [
        ([update("c/d", {"a": 1})], {1: "0.commit_time"}),
        ([update("c/d", {"a": 2})], {2: "0.commit_time"}),
    ],
    "deleted": [
        ([update("c/d", {"a": 1})], {1: "0.commit_time"}),
        ([{"delete": name("c/d")}], {2: "0.commit_time"}),
    ],
    "recreated": [
        ([update("c/d", {"a": 1})], {1: "0.commit_time"}),
        ([{"delete": name("c/d")}], {}),
        ([update("c/d", {"a": 1})], {2: "0.commit_time"}),
    ],
}

PRECONDITIONS = {
    "none": None,
    "empty": {},
    "exists": {"exists": True},
    "not exists": {"exists": False},
    "first time": {"update_time": time_of(1)},
    "last time": {"update_time": time_of(2)},
    "before": {"update_time": time_of(2, -1)},
    "long ago": {"update_time": Timestamp(seconds=1_500_000_000)},
    "epoch": {"update_time": Timestamp()},
    "future": {"update_time": Timestamp(seconds=4_000_000_000)},
    "misaligned": {"update_time": Timestamp(seconds=1_500_000_000, nanos=1)},
    "negative": {"update_time": Timestamp(seconds=-5)},
    "beyond": {"update_time": Timestamp(seconds=300_000_000_000)},
    "bad nanos": {"update_time": Timestamp(seconds=1_500_000_000, nanos=-1)},
}

INCREMENT = [{"field_path": "n", "increment": {"integer_value": 1}}]

OPERATIONS = {
    "replace": lambda current: update("c/d", {"b": 3}, current=current),
    "merge": lambda current: update("c/d", {"b": 3}, mask=["b"], current=current),
    "empty mask": lambda current: update("c/d", mask=[], current=current),
    "same": lambda current: update("c/d", {"a": 1}, mask=["a"], current=current),
    "delete": lambda current: {"delete": name("c/d"), **({} if current is None else {"current_document": current})},
    "verify": lambda current: verify(name("c/d"), **({} if current is None else {"current_document": current})),
    "increment": lambda current: update("c/d", mask=[], transforms=INCREMENT, current=current),
    "transform": lambda current: {
        "transform": {"document": name("c/d"), "field_transforms": INCREMENT},
        **({} if current is None else {"current_document": current})},
    "create": lambda current: update("c/d", {"b": 3}, transforms=INCREMENT, current=current),
}

READ = call("BatchGetDocuments", database=DATABASE, documents=[name("c/d")])


def commits(state):
    return [call("Commit", saves=saves, database=DATABASE, writes=writes) for writes, saves in STATES[state]]


def cases(seed, count, quick):
    for state in STATES:
        for title, current in PRECONDITIONS.items():
            for operation, write in OPERATIONS.items():
                if quick and operation in ("empty mask", "same", "create", "increment") and state != "existing":
                    continue
                steps = [*commits(state), call("Commit", database=DATABASE, writes=[write(current)]), READ]
                yield Case("preconditions", f"{operation} if {title}, {state}", steps)
    for state in STATES:
        yield from _other_calls(state)
    yield from _within_one_commit()


def _other_calls(state):
    """A batch of one write for each precondition, and the calls for one document."""
    for operation in ("replace", "delete", "verify"):
        for title, current in PRECONDITIONS.items():
            if current == {}:
                continue
            writes = [update("c/other", {"a": 1}), OPERATIONS[operation](current)]
            yield Case("preconditions", f"batch: {operation} if {title}, {state}",
                       [*commits(state), call("BatchWrite", database=DATABASE, writes=writes), READ])
    for title, current in PRECONDITIONS.items():
        yield Case("preconditions", f"UpdateDocument if {title}, {state}", [
            *commits(state), call("UpdateDocument", document=update("c/d", {"b": 3})["update"], current_document=current), READ])
        yield Case("preconditions", f"UpdateDocument with masks if {title}, {state}", [
            *commits(state),
            call("UpdateDocument", document=update("c/d", {"b": 3, "c": 4})["update"], update_mask={"field_paths": ["b", "x"]},
                 mask={"field_paths": ["a", "c"]}, current_document=current), READ])
        yield Case("preconditions", f"DeleteDocument if {title}, {state}", [
            *commits(state), call("DeleteDocument", name=name("c/d"), current_document=current), READ])
    create = {"parent": name("").rstrip("/"), "collection_id": "c", "document_id": "d"}
    yield Case("preconditions", f"CreateDocument, {state}", [
        *commits(state), call("CreateDocument", **create, document={"fields": {"z": {"integer_value": 1}}}, mask={"field_paths": ["z"]}), READ])


def _within_one_commit():
    """Later writes see what earlier ones of the same commit did (WR-13)."""
    exists, absent = {"exists": True}, {"exists": False}
    delete = {"delete": name("c/d")}
    sequences = {
        "create, then update": [update("c/d", {"a": 1}, current=absent), update("c/d", {"b": 2}, mask=["b"], current=exists)],
        "create twice": [update("c/d", {"a": 1}, current=absent), update("c/d", {"b": 2}, current=absent)],
        "delete, then update": [delete, update("c/d", {"b": 2}, current=exists)],
        "delete, then create": [delete, update("c/d", {"b": 2}, current=absent)],
        "delete, then the same again": [delete, update("c/d", {"a": 1}, current=absent)],
        "change and back": [update("c/d", {"a": 2}), update("c/d", {"a": 1})],
        "create and delete": [update("c/e", {"a": 2}), {"delete": name("c/e")}],
        "create, delete, verify": [update("c/e", {"a": 2}), {"delete": name("c/e")}, verify(name("c/e"), current_document=absent)],
        "update if as read, twice": [
            update("c/d", {"a": 2}, current={"update_time": time_of(2)}), update("c/d", {"a": 3}, current={"update_time": time_of(2)})],
        "good, then bad": [update("c/e", {"a": 2}), update("c/f", {"a": 2}, current=exists)],
        "increments": [update("c/d", mask=[], transforms=INCREMENT), update("c/d", mask=[], transforms=INCREMENT)],
        "verify, then update": [verify(name("c/d"), current_document={"update_time": time_of(2)}), update("c/d", {"a": 5})],
        "update, then verify as read": [update("c/d", {"a": 5}), verify(name("c/d"), current_document={"update_time": time_of(2)})],
    }
    read = call("BatchGetDocuments", database=DATABASE, documents=[name(f"c/{each}") for each in "def"])
    for state in ("missing", "existing"):
        for title, writes in sequences.items():
            yield Case("preconditions", f"one commit: {title}, {state}",
                       [*commits(state), call("Commit", database=DATABASE, writes=writes), read])
