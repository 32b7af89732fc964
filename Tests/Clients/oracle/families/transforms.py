"""Every transform on every stored value (WR-28 … WR-39)."""

from random import Random

from ..cases import Case, call
from ..outcome import value_text
from ..values import CORNERS, INF, MAX, MIN, NAN, NUMBERS, Chance, ref, geo, name, ts, update, v, vector
from ..wire import DATABASE, ROOT

STORED = ["missing", None, True, "a", ts(0), [], [1], {}, vector(1), *NUMBERS]
OPERANDS = [0, -0.0, 0.0, 1, -1, 1.0, 0.5, 3, 3.0, MAX, MIN, 2**53 + 1, float(2**53), 1.7976931348623157e308, NAN, INF, -INF]
ARRAYS = [
    "missing", None, 1, {}, vector(1, 2), [], [1], [1.0], [1, 1.0, 1], [NAN, NAN], [None, None], [0, -0.0, 0.0], ["a", "b", "a"],
    [{"a": 1}, {"a": 1.0}], [b"a", True], [geo(0.0, 0.0), ref("c/a")], [2**53, 2**53 + 1, float(2**53)],
]
ELEMENTS = [
    [], [1], [1.0], [1, 1.0], [NAN], [None], [-0.0], [0, -0.0], ["a", "a"], ["c", "b"], [{"a": 1}], [{"a": 1.0}], [{}], [b"a"],
    [geo(-0.0, 0.0)], [ref("c/a")], [2**53], [float(2**53)],
]


def _text(stored):
    return stored if isinstance(stored, str) and stored == "missing" else value_text(v(stored)).replace(ROOT, "…")


READ = call("BatchGetDocuments", database=DATABASE, documents=[name("c/d")])
REFUSED = [None, True, "1", [], {}, ts(0), b"1", vector(1)]


def _stored(value):
    return {} if isinstance(value, str) and value == "missing" else {"f": v(value)}


def _commit(*writes):
    return call("Commit", database=DATABASE, writes=list(writes))


def cases(seed, count, quick):
    for kind in ("increment", "maximum", "minimum"):
        for stored in STORED:
            steps = []
            for operand in OPERANDS:
                steps += [_commit(update("c/d", _stored(stored)), update("c/d", mask=[], transforms=[{"field_path": "f", kind: v(operand)}])), READ]
            yield Case("transforms", f"{kind} on {_text(stored)}", steps)
        for operand in REFUSED:
            yield Case("transforms", f"{kind} by {_text(operand)}", [_commit(update("c/d", {"f": 1}, transforms=[{"field_path": "f", kind: v(operand)}])), READ])
    for kind in ("append_missing_elements", "remove_all_from_array"):
        for stored in ARRAYS:
            steps = []
            for elements in ELEMENTS:
                transform = {"field_path": "f", kind: {"values": [v(each) for each in elements]}}
                steps += [_commit(update("c/d", _stored(stored)), update("c/d", mask=[], transforms=[transform])), READ]
            yield Case("transforms", f"{kind} on {_text(stored)}", steps)
        for element in ([1], vector(1), {"a": [[1]]}):
            transform = {"field_path": "f", kind: {"values": [v(element)]}}
            yield Case("transforms", f"{kind} of {_text(element)}", [_commit(update("c/d", {"f": []}, transforms=[transform])), READ])
    yield from _odd()
    for index in range(count):
        yield _random(Chance(Random(f"{seed} transforms {index}")), index)


def _transform(path, chance):
    kind = chance.pick(["increment", "increment", "maximum", "minimum", "append_missing_elements", "remove_all_from_array", "set_to_server_value"])
    if kind == "set_to_server_value":
        return {"field_path": path, kind: "REQUEST_TIME"}
    if kind.endswith(("elements", "array")):
        elements = [chance.value(2) for _ in range(chance.pick([0, 1, 2, 3]))]
        legal = [e for e in elements if not e.HasField("array_value") and not e.HasField("map_value")]
        return {"field_path": path, kind: {"values": legal}}
    return {"field_path": path, kind: v(chance.number())}


def _random(chance, index):
    paths = ["n", "m.x", "m.y", "t", "new", "a.b", "`x.y`", "n.deep"]
    steps = [_commit(update("c/d", chance.content()))]
    for _ in range(6):
        transforms = [_transform(chance.pick(paths), chance) for _ in range(chance.pick([1, 1, 2, 3]))]
        mask = chance.pick([None, [], ["a"], ["n"], ["m.x"], ["zz"]])
        steps += [_commit(update("c/d", chance.content() if mask is None or chance.chance(60) else {}, mask=mask, transforms=transforms)), READ]
    return Case("transforms", f"random {index}", steps)


def _odd():
    time = {"field_path": "at", "set_to_server_value": "REQUEST_TIME"}
    add = {"field_path": "n", "increment": v(1)}
    table = {
        "request times are equal": [update("c/d", transforms=[time, {**time, "field_path": "b"}]), update("c/e", transforms=[time])],
        "transform of what is set": [update("c/d", {"n": 5}, transforms=[add])],
        "repeated transforms": [update("c/d", {"n": 5}, transforms=[add, add, {"field_path": "n", "maximum": v(100)}, add])],
        "unspecified server value": [update("c/d", transforms=[{"field_path": "at", "set_to_server_value": "SERVER_VALUE_UNSPECIFIED"}])],
        "unknown server value": [update("c/d", transforms=[{"field_path": "at", "set_to_server_value": 7}])],
        "no transform type": [update("c/d", transforms=[{"field_path": "at"}])],
        "increment without a value": [update("c/d", transforms=[{"field_path": "at", "increment": {}}])],
        "of __name__": [update("c/d", transforms=[{**add, "field_path": "__name__"}])],
        "of a reserved name": [update("c/d", transforms=[{**add, "field_path": "__x__"}])],
        "of a nested reserved name": [update("c/d", transforms=[{**add, "field_path": "a.__x__"}])],
        "of nothing": [update("c/d", transforms=[{**add, "field_path": ""}])],
        "of a bad path": [update("c/d", transforms=[{**add, "field_path": "a..b"}])],
        "of a quoted path": [update("c/d", transforms=[{**add, "field_path": "`a.b`.`\\``"}])],
        "below a scalar": [update("c/d", {"a": 1}, transforms=[{**add, "field_path": "a.b.c"}])],
        "below a vector": [update("c/d", {"a": vector(1, 2)}, transforms=[{**add, "field_path": "a.value"}])],
        "parent and child": [update("c/d", transforms=[{**add, "field_path": "a"}, {**add, "field_path": "a.b"}])],
        "legacy, several": [{"transform": {"document": name("c/d"), "field_transforms": [add, add, time]}}],
        "legacy, none": [{"transform": {"document": name("c/d"), "field_transforms": []}}],
        "legacy with update_transforms": [{"transform": {"document": name("c/d"), "field_transforms": [add]}, "update_transforms": [add]}],
        "legacy with a mask": [{"transform": {"document": name("c/d"), "field_transforms": [add]}, "update_mask": {"field_paths": ["a"]}}],
        "delete with transforms": [{"delete": name("c/d"), "update_transforms": [add]}],
        "500 transforms": [update("c/d", transforms=[{**add, "field_path": f"f{i}"} for i in range(500)])],
        "501 transforms": [update("c/d", transforms=[{**add, "field_path": f"f{i}"} for i in range(501)])],
        "501 transforms in two writes": [
            update("c/d", transforms=[{**add, "field_path": f"f{i}"} for i in range(start, start + size)]) for start, size in ((0, 250), (250, 251))],
    }
    read = call("BatchGetDocuments", database=DATABASE, documents=[name("c/d"), name("c/e")])
    for title, writes in table.items():
        yield Case("transforms", title, [_commit(*writes), read])
    for corner in CORNERS:
        yield Case("transforms", f"twice the corner {_text(corner)}", [
            _commit(update("c/d", {"f": [corner]} if not _is_array(v(corner)) else {"f": corner})),
            _commit(update("c/d", mask=[], transforms=[{"field_path": "f", "append_missing_elements": {"values": [v(corner)]}}])), READ,
        ])


def _is_array(value):
    return value.HasField("array_value") or (value.HasField("map_value") and "__type__" in value.map_value.fields)
