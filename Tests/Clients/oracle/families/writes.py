"""Random commits and batches: masks, deletes, preconditions, no-ops, several writes of a document (WR-1 … WR-26)."""

from random import Random

from ..cases import Case, call, time_of
from ..values import FIELD_NAMES, Chance, name, quoted, update, v
from ..wire import DATABASE, verify

PATHS = ["c/a", "c/b", "c/a/d/e", "x/é"]
READ = call("BatchGetDocuments", database=DATABASE, documents=[name(path) for path in PATHS])


def _mask(chance):
    paths = [["a"], ["b"], ["n"], ["m"], ["m", "x"], ["m", "y"], ["m", "x", "z"], ["a", "b"], ["t"], ["x.y"], ["new", "deep", "er"]]
    chosen = []
    for path in chance.random.sample(paths, chance.random.randint(0, 4)):
        if not any(path[: len(c)] == c or c[: len(path)] == path for c in chosen):
            chosen.append(path)
    return [quoted(*path) for path in chosen]


def _content(chance):
    content = chance.content()
    if chance.chance(20):
        content[chance.pick(FIELD_NAMES)] = chance.value()
    if chance.chance(20):
        content["a"] = v({"b": chance.value(1)})
    return content


def _write(chance):
    path = chance.pick(PATHS)
    roll = chance.random.random()
    current = None
    if chance.chance(20):
        current = chance.pick([{"exists": True}, {"exists": False}, {"update_time": time_of(1)}, {"update_time": time_of(2)}])
    if roll < 0.15:
        return {"delete": name(path), **({"current_document": current} if current else {})}
    if roll < 0.2:
        return verify(name(path), current_document=current or {"exists": chance.chance(50)})
    if roll < 0.5:
        return update(path, _content(chance), current=current)
    transforms = None
    if chance.chance(20):
        transforms = [{"field_path": chance.pick(["n", "m.x"]), "increment": v(chance.number())}]
    return update(path, _content(chance) if chance.chance(80) else {}, mask=_mask(chance), transforms=transforms, current=current)


def cases(seed, count, quick):
    for index in range(count * 2):
        chance = Chance(Random(f"{seed} writes {index}"))
        steps = []
        for number in range(10):
            if chance.chance(15) and steps:
                paths = chance.random.sample(PATHS, chance.random.randint(0, 3))
                steps.append(call("BatchWrite", database=DATABASE, writes=[update(path, _content(chance)) for path in paths]))
            elif chance.chance(10) and steps:
                # The same once more: a write without effect (WR-22).
                steps.append(steps[-2])
            else:
                writes = [_write(chance) for _ in range(chance.pick([1, 1, 1, 2, 3]))]
                slot = chance.pick([1, 2])
                steps.append(call("Commit", saves={slot: "0.commit_time"}, database=DATABASE, writes=writes))
            steps.append(READ)
        yield Case("writes", f"random {index}", steps)
    yield from _table()


def _table():
    def commit(*writes):
        return call("Commit", database=DATABASE, writes=list(writes))

    seeded = commit(update("c/a", {"a": 1, "m": {"x": 1, "y": {"z": 2}}, "t": [1, 2], "x.y": 3}))
    table = {
        "nothing": [],
        "a field below a scalar": [update("c/a", {"a": {"b": 1}}, mask=["a.b"])],
        "a field below an array": [update("c/a", {"t": {"b": 1}}, mask=["t.b"])],
        "take out a field below a scalar": [update("c/a", mask=["a.b"])],
        "take out a field below nothing": [update("c/a", mask=["q.b"])],
        "take out the last field of a map": [update("c/a", mask=["m.y.z"])],
        "take out all": [update("c/a", mask=["a", "m", "t", "`x.y`"])],
        "a scalar where the mask goes deeper": [update("c/a", {"m": 1}, mask=["m.x"])],
        "outside the mask": [update("c/a", {"q": 1, "m": {"x": 9, "w": 1}}, mask=["m.x"])],
        "an empty map": [update("c/a", {"m": {}}, mask=["m"])],
        "1 becomes 1.0": [update("c/a", {"a": 1.0}, mask=["a"])],
        "0.0 becomes -0.0": [update("c/a", {"z": 0.0}, mask=["z"]), update("c/a", {"z": -0.0}, mask=["z"])],
        "missing with an empty mask": [update("c/new", mask=[])],
        "missing with a mask that takes out": [update("c/new", mask=["a"])],
        "nested mask on a missing document": [update("c/new", {"a": {"b": {"c": 1}}}, mask=["a.b.c", "a.d"])],
        "create and delete": [update("c/new", {"a": 1}), {"delete": name("c/new")}],
        "delete of nothing": [{"delete": name("c/none")}],
    }
    read = call("BatchGetDocuments", database=DATABASE, documents=[name(each) for each in ("c/a", "c/new", "c/none")])
    for title, writes in table.items():
        yield Case("writes", title, [seeded, commit(*writes), read, commit(*writes), read])
        if title != "0.0 becomes -0.0" and title != "create and delete":
            yield Case("writes", f"batch: {title}", [seeded, call("BatchWrite", database=DATABASE, writes=writes), read])
    yield Case("writes", "batch with a document twice", [
        seeded, call("BatchWrite", database=DATABASE, writes=[update("c/a", {"a": 5}), update("c/a", {"b": 5})]), read])
    yield Case("writes", "batch that fails in part", [
        seeded, call("BatchWrite", database=DATABASE, writes=[
            update("c/a", {"a": 5}, current={"exists": False}), update("c/new", {"b": 5}), update("c/none", {"b": 5}, current={"exists": True})]), read])
    yield Case("writes", "batch with an illegal write", [
        seeded, call("BatchWrite", database=DATABASE, writes=[update("c/new", {"b": 5}), update("c/__x__", {"b": 5})]), read])
    yield Case("writes", "batch with labels", [
        seeded, call("BatchWrite", database=DATABASE, writes=[update("c/new", {"b": 5})], labels={"a": "b"}), read])
    yield Case("writes", "600 writes", [
        commit(*[update(f"c/d{i:03}", {"a": i}) for i in range(600)]),
        call("BatchGetDocuments", database=DATABASE, documents=[name("c/d000"), name("c/d599")])])
