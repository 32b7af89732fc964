"""Random queries over random documents: filters, orders, cursors, pages, projections, scopes (QR-1 … QR-46)."""

from random import Random

from ..cases import Case, call
from ..values import NAN, Chance, document, fields, name, quoted, ref, update, v
from ..wire import DATABASE, ROOT, StructuredQuery, Value

OPERATORS = ["EQUAL", "NOT_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "ARRAY_CONTAINS", "IN",
             "ARRAY_CONTAINS_ANY", "NOT_IN"]
UNARY = ["IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN"]
FIELDS = ["a", "b", "n", "m", "m.x", "m.y", "t", "`x.y`"]
COLLECTIONS = ["c", "c", "c", "d", "x/1/c", "x/2/c", "c/k1/c", "c/k1/e"]
KEYS = [*(f"k{i}" for i in range(8)), "__id7__", "__id-2__", "__id12__", "12", "7", "A", "Aa", "é", "e\u0301", "\U0001f600", "\uffff", "_"]


def field_filter(path, op, operand):
    return {"field_filter": {"field": {"field_path": path}, "op": op, "value": v(operand)}}


def unary_filter(path, op):
    return {"unary_filter": {"field": {"field_path": path}, "op": op}}


def composite(op, *filters):
    return {"composite_filter": {"op": op, "filters": list(filters)}}


def query(collection="c", **parts):
    """A RunQuery of a collection at the root."""
    return call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": collection}], **parts})


def order(path, direction="ASCENDING"):
    return {"field": {"field_path": path}, "direction": direction}


def seeding(chance, count=40, collections=COLLECTIONS):
    """Commits of random documents, and their paths."""
    paths = sorted({f"{chance.pick(collections)}/{chance.pick(KEYS)}" for _ in range(count)})
    writes = []
    for path in paths:
        content = chance.content()
        if chance.chance(30):
            content["x.y"] = chance.value()
        writes.append(update(path, content))
    return [call("Commit", database=DATABASE, writes=writes)], paths


class Maker:
    """Makes queries, most of them legal."""

    def __init__(self, chance, paths):
        self.chance = chance
        self.paths = paths

    def scope(self):
        roll = self.chance.random.random()
        if roll < 0.7:
            return ROOT, [{"collection_id": "c"}]
        if roll < 0.85:
            return ROOT, [{"collection_id": "c", "all_descendants": True}]
        if roll < 0.95:
            return name(self.chance.pick(["x/1", "x/2", "c/k1", "c/none"])), [{"collection_id": self.chance.pick(["c", "e"])}]
        return name(self.chance.pick(["c/k1", "x/1"])), [{"collection_id": "c", "all_descendants": True}]

    def key(self):
        return ref(self.chance.pick([*self.paths, "c/none", "c/k3/z/z"]))

    def leaf(self):
        chance = self.chance
        if chance.chance(8):
            op = chance.pick(OPERATORS[:6])
            return field_filter("__name__", op, self.key())
        if chance.chance(3):
            return field_filter("__name__", chance.pick(["IN", "NOT_IN"]), [self.key() for _ in range(chance.random.randint(1, 3))])
        path = chance.pick(FIELDS)
        if chance.chance(12):
            return unary_filter(path, chance.pick(UNARY))
        op = chance.pick([*OPERATORS, "EQUAL", "EQUAL", "GREATER_THAN"])
        if op in ("IN", "ARRAY_CONTAINS_ANY", "NOT_IN"):
            values = [chance.value(1) for _ in range(chance.random.randint(1, 3))]
            return field_filter(path, op, Value(array_value={"values": [each for each in values if not each.HasField("array_value")] or [v(1)]}))
        return field_filter(path, op, chance.value(1))

    def filter(self, depth=0):
        if depth < 3 and self.chance.chance(45 if depth == 0 else 25):
            parts = [self.filter(depth + 1) for _ in range(self.chance.random.randint(1, 3))]
            return composite(self.chance.pick(["AND", "AND", "OR"]), *parts)
        return self.leaf()

    def orders(self):
        chance = self.chance
        paths = chance.random.sample([*FIELDS, "__name__"], chance.pick([0, 0, 1, 1, 2]))
        if "__name__" in paths:
            paths = paths[: paths.index("__name__") + 1]
        return [order(path, chance.pick(["ASCENDING", "DESCENDING", "DIRECTION_UNSPECIFIED"])) for path in paths]

    def cursor(self, orders):
        arity = self.chance.random.randint(1, len(orders))
        values = [self.key() if each["field"]["field_path"] == "__name__" else self.chance.value(1) for each in orders[:arity]]
        return {"values": values, "before": self.chance.chance(50)}

    def query(self):
        chance = self.chance
        parent, source = self.scope()
        parts = {"from_": source}
        if chance.chance(75):
            parts["where"] = self.filter()
        orders = self.orders()
        if orders:
            parts["order_by"] = orders
            if chance.chance(30):
                parts["start_at"] = self.cursor(orders)
            if chance.chance(30):
                parts["end_at"] = self.cursor(orders)
        if chance.chance(20):
            parts["limit"] = {"value": chance.random.randint(0, 6)}
        if chance.chance(12):
            parts["offset"] = chance.random.randint(0, 4)
        if chance.chance(20):
            paths = chance.random.sample([*FIELDS, "__name__"], chance.random.randint(0, 3))
            parts["select"] = {"fields": [{"field_path": path} for path in paths]}
        return parent, parts


def cases(seed, count, quick):
    yield from _table()
    for index in range(count):
        chance = Chance(Random(f"{seed} queries {index}"))
        steps, paths = seeding(chance)
        maker = Maker(chance, paths)
        for _ in range(40):
            parent, parts = maker.query()
            steps.append(call("RunQuery", parent=parent, structured_query=StructuredQuery(**parts)))
        yield Case("queries", f"random {index}", steps)


DOCUMENTS = {
    "c/a": {"n": 1, "s": "x", "m": {"x": 1, "y": 2}, "t": [1, 2]},
    "c/b": {"n": 2, "s": "y", "m": {"x": 2}, "t": [2, 3]},
    "c/c": {"n": 3, "s": "x", "t": []},
    "c/d": {"n": 3.0, "s": None},
    "c/e": {"s": "z"},
    "c/f": {"n": None, "s": "x"},
    "c/g": {"n": NAN, "s": "y"},
    "c/a/c/h": {"n": 4, "s": "x"},
    "x/1/c/i": {"n": 5, "s": "y"},
    "x/1": {"n": 6},
    "c2/j": {"n": 7},
    "c/missing/e/k": {"n": 8},
}
SEED = call("Commit", database=DATABASE, writes=[update(path, content) for path, content in DOCUMENTS.items()])


def _table():
    """Deliberate shapes, legal and illegal."""
    name_up, name_down = order("__name__"), order("__name__", "DESCENDING")
    n, n_down, s = order("n"), order("n", "DESCENDING"), order("s")
    above = field_filter("n", "GREATER_THAN", 0)
    one = {"values": [v(1)]}
    here = ref("c/b")
    shapes = {
        "all": {}, "limit 0": {"limit": {"value": 0}}, "limit 1": {"limit": {"value": 1}}, "limit -1": {"limit": {"value": -1}},
        "limit 2^31-1": {"limit": {"value": 2**31 - 1}},
        "offset 1": {"offset": 1}, "offset 100": {"offset": 100}, "offset -1": {"offset": -1}, "offset and limit": {"offset": 2, "limit": {"value": 2}},
        "offset and limit 0": {"offset": 2, "limit": {"value": 0}},
        "offset with cursor": {"order_by": [n], "start_at": one, "offset": 1}, "offset exactly all": {"offset": 7},
        "by name": {"order_by": [name_up]}, "by name down": {"order_by": [name_down]}, "by n": {"order_by": [n]}, "by n down": {"order_by": [n_down]},
        "by s, n": {"order_by": [s, n]}, "by s, n down": {"order_by": [s, n_down]}, "by n twice": {"order_by": [n, n_down]},
        "by n, name down": {"order_by": [n, name_down]}, "by name, n": {"order_by": [name_up, n]}, "by nothing": {"order_by": [order("")]},
        "by name twice": {"order_by": [name_up, name_up]},
        "by a bad path": {"order_by": [order("a..b")]}, "by a reserved path": {"order_by": [order("__x__")]}, "by no field": {"order_by": [{}]},
        "by m.x": {"order_by": [order("m.x")]}, "by m": {"order_by": [order("m")]}, "by t": {"order_by": [order("t")]},
        "unknown direction": {"order_by": [order("n", 9)]},
        "n > 0": {"where": above}, "n > 0 by n down": {"where": above, "order_by": [n_down]}, "n > 0 by s": {"where": above, "order_by": [s]},
        "n > 0 by s down": {"where": above, "order_by": [order("s", "DESCENDING")]},
        "n > 0 by name": {"where": above, "order_by": [name_up]}, "n > 0 by name down": {"where": above, "order_by": [name_down]},
        "n == 3 by n": {"where": field_filter("n", "EQUAL", 3), "order_by": [n]},
        "n == 3 by s": {"where": field_filter("n", "EQUAL", 3), "order_by": [s]},
        "n != 3": {"where": field_filter("n", "NOT_EQUAL", 3)}, "n != 3 by s": {"where": field_filter("n", "NOT_EQUAL", 3), "order_by": [s]},
        "two inequalities": {"where": composite("AND", above, field_filter("s", "GREATER_THAN", "a"))},
        "two inequalities by the second": {"where": composite("AND", above, field_filter("s", "GREATER_THAN", "a")), "order_by": [s]},
        "n > 0 or s == x": {"where": composite("OR", above, field_filter("s", "EQUAL", "x"))},
        "n > 0 or n < 3": {"where": composite("OR", above, field_filter("n", "LESS_THAN", 3))},
        "empty and": {"where": composite("AND")}, "empty or": {"where": composite("OR")}, "no composite": {"where": composite("OPERATOR_UNSPECIFIED", above)},
        "unknown composite": {"where": composite(9, above)},
        "and of one": {"where": composite("AND", above)}, "empty filter": {"where": {}}, "and with an empty filter": {"where": composite("AND", above, {})},
        "no operator": {"where": field_filter("n", "OPERATOR_UNSPECIFIED", 1)}, "unknown operator": {"where": field_filter("n", 99, 1)},
        "no unary operator": {"where": unary_filter("n", "OPERATOR_UNSPECIFIED")},
        "unary without a field": {"where": {"unary_filter": {"op": "IS_NULL"}}}, "unary of name": {"where": unary_filter("__name__", "IS_NULL")},
        "unary not null of name": {"where": unary_filter("__name__", "IS_NOT_NULL")},
        "no operand": {"where": {"field_filter": {"field": {"field_path": "n"}, "op": "EQUAL"}}},
        "empty operand": {"where": {"field_filter": {"field": {"field_path": "n"}, "op": "EQUAL", "value": {}}}},
        "illegal operand": {"where": field_filter("n", "EQUAL", {"__x__": 1})},
        "nested array operand": {"where": field_filter("n", "EQUAL", [[1]])},
        "no field": {"where": field_filter("", "EQUAL", 1)}, "bad path": {"where": field_filter("a..b", "EQUAL", 1)},
        "reserved path": {"where": field_filter("__x__", "EQUAL", 1)},
        "select nothing": {"select": {}}, "select name": {"select": {"fields": [{"field_path": "__name__"}]}},
        "select m.x and s": {"select": {"fields": [{"field_path": "m.x"}, {"field_path": "s"}]}},
        "select m and m.x": {"select": {"fields": [{"field_path": "m"}, {"field_path": "m.x"}]}},
        "select the same twice": {"select": {"fields": [{"field_path": "s"}, {"field_path": "s"}]}},
        "select none": {"select": {"fields": [{"field_path": "none"}]}}, "select a bad path": {"select": {"fields": [{"field_path": "a..b"}]}},
        "select name and n": {"select": {"fields": [{"field_path": "__name__"}, {"field_path": "n"}]}},
        "select without a path": {"select": {"fields": [{}]}},
        "start at 3": {"order_by": [n], "start_at": {"values": [v(3)], "before": True}}, "start after 3": {"order_by": [n], "start_at": {"values": [v(3)]}},
        "end before 3": {"order_by": [n], "end_at": {"values": [v(3)], "before": True}}, "end at 3": {"order_by": [n], "end_at": {"values": [v(3)]}},
        "start at 3 down": {"order_by": [n_down], "start_at": {"values": [v(3)], "before": True}},
        "start behind the end": {"order_by": [n], "start_at": {"values": [v(3)]}, "end_at": {"values": [v(2)]}},
        "start at null": {"order_by": [n], "start_at": {"values": [v(None)], "before": True}}, "start at text": {"order_by": [n], "start_at": {"values": [v("")]}},
        "end at NaN": {"order_by": [n], "end_at": {"values": [v(NAN)]}},
        "cursor of nothing": {"order_by": [n], "start_at": {}}, "cursor without order": {"start_at": one}, "cursor without values or order": {"start_at": {"before": True}},
        "cursor on name alone": {"start_at": {"values": [here], "before": True}}, "cursor on name": {"order_by": [name_up], "start_at": {"values": [here]}},
        "cursor on n, name": {"order_by": [n, name_up], "start_at": {"values": [v(3), ref("c/c")]}},
        "cursor on n and implicit name": {"order_by": [n], "start_at": {"values": [v(3), ref("c/c")]}},
        "cursor on implicit n": {"where": above, "start_at": {"values": [v(2)]}}, "too many cursor values": {"order_by": [n], "start_at": {"values": [v(1), here, v(1)]}},
        "name cursor is text": {"order_by": [name_up], "start_at": {"values": [v("b")]}},
        "name cursor of another database": {"order_by": [name_up], "start_at": {"values": [ref("c/b", ROOT.replace("(default)", "other"))]}},
        "name cursor of a collection": {"order_by": [name_up], "start_at": {"values": [ref("c")]}},
        "name cursor elsewhere": {"order_by": [name_up], "start_at": {"values": [ref("c/a/c/z")]}},
        "cursor value of no kind": {"order_by": [n], "start_at": {"values": [Value()]}},
        "cursor of an array": {"order_by": [order("t")], "start_at": {"values": [v([1])]}},
        "name == b": {"where": field_filter("__name__", "EQUAL", here)}, "name > b": {"where": field_filter("__name__", "GREATER_THAN", here)},
        "name != b": {"where": field_filter("__name__", "NOT_EQUAL", here)}, "name in": {"where": field_filter("__name__", "IN", [here, ref("c/none"), ref("c/a")])},
        "name not in": {"where": field_filter("__name__", "NOT_IN", [here])}, "name == text": {"where": field_filter("__name__", "EQUAL", "b")},
        "name == null": {"where": field_filter("__name__", "EQUAL", None)},
        "name in texts": {"where": field_filter("__name__", "IN", ["b"])}, "name in nothing": {"where": field_filter("__name__", "IN", [])},
        "name contains": {"where": field_filter("__name__", "ARRAY_CONTAINS", here)}, "name == collection": {"where": field_filter("__name__", "EQUAL", ref("c"))},
        "name == other database": {"where": field_filter("__name__", "EQUAL", ref("c/b", ROOT.replace("(default)", "other")))},
        "name == elsewhere": {"where": field_filter("__name__", "EQUAL", ref("x/1"))}, "name > elsewhere": {"where": field_filter("__name__", "GREATER_THAN", ref("c/a/c/z"))},
        "name == and n >": {"where": composite("AND", field_filter("__name__", "EQUAL", here), above)},
        "name in and n >": {"where": composite("AND", field_filter("__name__", "IN", [here]), above)},
        "name > and n >": {"where": composite("AND", field_filter("__name__", "GREATER_THAN", ref("c/a")), above)},
        "name > and n > by name": {"where": composite("AND", field_filter("__name__", "GREATER_THAN", ref("c/a")), above), "order_by": [name_up]},
        "name > by n": {"where": field_filter("__name__", "GREATER_THAN", ref("c/a")), "order_by": [n]},
        "name > and n == 3": {"where": composite("AND", field_filter("__name__", "GREATER_THAN", ref("c/c")), field_filter("n", "EQUAL", 3))},
        "two sources": {"from_": [{"collection_id": "c"}, {"collection_id": "c2"}]}, "bad collection": {"from_": [{"collection_id": "a/b"}]},
        "reserved collection": {"from_": [{"collection_id": "__x__"}]}, "group": {"from_": [{"collection_id": "c", "all_descendants": True}]},
        "group by n down": {"from_": [{"collection_id": "c", "all_descendants": True}], "order_by": [n_down]},
        "group by name down": {"from_": [{"collection_id": "c", "all_descendants": True}], "order_by": [name_down]},
        "group with name filter": {"from_": [{"collection_id": "c", "all_descendants": True}], "where": field_filter("__name__", "GREATER_THAN_OR_EQUAL", ref("c/b"))},
        "kindless": {"from_": []}, "kindless, empty selector": {"from_": [{}]}, "kindless, all": {"from_": [{"all_descendants": True}]},
        "kindless by name": {"from_": [{"all_descendants": True}], "order_by": [name_up]},
        "kindless by name down": {"from_": [{"all_descendants": True}], "order_by": [name_down]},
        "kindless by n": {"from_": [{"all_descendants": True}], "order_by": [n]}, "kindless with n": {"from_": [{"all_descendants": True}], "where": above},
        "kindless range": {"from_": [{"all_descendants": True}], "where": composite(
            "AND", field_filter("__name__", "GREATER_THAN_OR_EQUAL", ref("c/b")), field_filter("__name__", "LESS_THAN", ref("x/1")))},
        "kindless range to NUL": {"from_": [{"all_descendants": True}], "where": composite(
            "AND", field_filter("__name__", "GREATER_THAN_OR_EQUAL", ref("c/\0")), field_filter("__name__", "LESS_THAN", ref("c\0/\0")))},
        "kindless range over an id": {"from_": [{"all_descendants": True}], "where": composite(
            "AND", field_filter("__name__", "GREATER_THAN_OR_EQUAL", ref("c/__id-9223372036854775808__")),
            field_filter("__name__", "LESS_THAN", ref("c\0/__id-9223372036854775808__")))},
        "kindless limit": {"from_": [{"all_descendants": True}], "limit": {"value": 3}},
    }
    for title, parts in shapes.items():
        yield Case("queries", title, [SEED, query(**parts)])
    for parent in ("c/a", "x/1", "c/missing", "c/none", "c"):
        for title, source in {"c": [{"collection_id": "c"}], "e": [{"collection_id": "e"}], "group": [{"collection_id": "c", "all_descendants": True}],
                              "kindless": [{}], "kindless, all": [{"all_descendants": True}]}.items():
            yield Case("queries", f"below {parent}: {title}", [SEED, call("RunQuery", parent=name(parent), structured_query={"from_": source})])
    for parent in ("", DATABASE, f"{ROOT}/", name("c/a/"), "x", name("c/__x__"), ROOT.replace("(default)", "other"), ROOT.replace("oracle-000", "nowhere")):
        yield Case("queries", f"parent {parent!r}", [SEED, call("RunQuery", parent=parent, structured_query={"from_": [{"collection_id": "c"}]})])
    yield Case("queries", "no query", [SEED, call("RunQuery", parent=ROOT)])
    yield Case("queries", "empty query", [SEED, call("RunQuery", parent=ROOT, structured_query={})])
    yield Case("queries", "empty database", [query()])
    for analyze in (False, True):
        yield Case("queries", f"explain {analyze}", [SEED, call(
            "RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": "c"}]}, explain_options={"analyze": analyze})])
    yield Case("queries", "order of keys", [
        call("Commit", database=DATABASE, writes=[update(f"c/{key}", {"r": ref(f"c/{key}")}) for key in KEYS]), query(), query(order_by=[order("r")]),
        query(order_by=[order("r", "DESCENDING")]), query(where=field_filter("r", "GREATER_THAN", ref("c/7"))), query(where=field_filter("__name__", "GREATER_THAN", ref("c/7"))),
        query(where=field_filter("__name__", "LESS_THAN_OR_EQUAL", ref("c/__id12__"))), call("ListDocuments", parent=ROOT, collection_id="c")])
    yield Case("queries", "quoted paths", [
        call("Commit", database=DATABASE, writes=[{"update": document("c/a", **{"x.y": 1, "`": {"\\": 2}})}, {"update": {"name": name("c/b"), "fields": fields({"x": {"y": 1}})}}]),
        query(where=field_filter(quoted("x.y"), "EQUAL", 1)), query(where=field_filter("x.y", "EQUAL", 1)), query(where=field_filter(quoted("`", "\\"), "EQUAL", 2)),
        query(order_by=[order(quoted("x.y"))]), query(select={"fields": [{"field_path": quoted("x.y")}]}), query(select={"fields": [{"field_path": quoted("`", "\\")}]})])
