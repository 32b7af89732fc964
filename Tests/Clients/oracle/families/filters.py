"""Every operator with every kind of operand over documents with every kind of value (QR-5 … QR-16, VAL-1 … VAL-19)."""

from ..cases import Case, call
from ..values import CORNERS, NAN, geo, update, v, vector
from ..wire import DATABASE, Value
from .queries import OPERATORS, UNARY, composite, field_filter, order, query, unary_filter

# One document for each corner value, its content also as an element of an array.
WRITES = [update(f"c/v{index:03}", {"f": corner, "w": [v(corner)] if not v(corner).HasField("array_value") and v(corner) != vector(1) else []})
          for index, corner in enumerate(CORNERS) if not (v(corner).HasField("map_value") and "__type__" in v(corner).map_value.fields)]
WRITES += [update(f"c/w{index:03}", {"f": corner}) for index, corner in enumerate(CORNERS)
           if v(corner).HasField("map_value") and "__type__" in v(corner).map_value.fields]
WRITES += [update("c/none", {"g": 1})]
SEED = call("Commit", database=DATABASE, writes=WRITES)


def cases(seed, count, quick):
    yield Case("filters", "all by value", [SEED, query(order_by=[order("f")]), query(order_by=[order("f", "DESCENDING")]),
                                           *(query(where=unary_filter("f", op)) for op in UNARY)])
    for op in OPERATORS[:6]:
        yield Case("filters", op, [SEED, *(query(where=field_filter("f", op, corner)) for corner in CORNERS)])
    yield Case("filters", "ARRAY_CONTAINS", [SEED, *(query(where=field_filter("w", "ARRAY_CONTAINS", corner)) for corner in CORNERS)])
    for op, path in (("IN", "f"), ("NOT_IN", "f"), ("ARRAY_CONTAINS_ANY", "w")):
        yield Case("filters", op, [SEED, *(query(where=field_filter(path, op, Value(array_value={"values": [v(corner), v(1)]}))) for corner in CORNERS)])
        yield Case("filters", f"{op} of one", [SEED, *(query(where=field_filter(path, op, Value(array_value={"values": [v(corner)]}))) for corner in CORNERS)])
    starts = [{"values": [v(corner)], "before": before} for corner in CORNERS for before in (True, False)]
    yield Case("filters", "cursors", [SEED, *(query(order_by=[order("f")], start_at=start, limit={"value": 3}) for start in starts)])
    if not quick:
        yield Case("filters", "cursors down", [SEED, *(query(order_by=[order("f", "DESCENDING")], end_at=start) for start in starts)])
    zeros = [update(f"c/{key}", {"g": geo(one, one), "v": vector(one)}) for key, one in (("a", 0.0), ("b", -0.0))]
    yield Case("filters", "zeros in places and vectors", [
        call("Commit", database=DATABASE, writes=zeros), query(where=field_filter("g", "EQUAL", geo(0.0, 0.0))), query(where=field_filter("v", "EQUAL", vector(0.0)))])
    yield from _limits()


def _limits():
    """How much a query may hold (QR-20 … QR-26)."""
    def values(number):
        return list(range(number))

    def several(op, number, leaf):
        return composite(op, *(leaf(index) for index in range(number)))

    def equal(index):
        return field_filter("f", "EQUAL", index)

    contains = field_filter("w", "ARRAY_CONTAINS", 1)
    contains_any = field_filter("w", "ARRAY_CONTAINS_ANY", [1, 2])
    different, elsewhere = field_filter("f", "NOT_EQUAL", 1), field_filter("g", "NOT_EQUAL", 2)
    not_in, inside = field_filter("f", "NOT_IN", [1]), field_filter("g", "IN", [1, 2])
    shapes = {
        **{f"{op} of {number}": field_filter("w" if "ARRAY" in op else "f", op, values(number))
           for op in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY") for number in (0, 1, 10, 11, 30, 31)},
        **{f"{op} no array": field_filter("f", op, 1) for op in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY")},
        "IN with arrays": Value(array_value={"values": [v([1]), v([])]}) and field_filter("f", "IN", Value(array_value={"values": [v([1]), v([])]})),
        "IN with a value of no kind": field_filter("f", "IN", Value(array_value={"values": [Value()]})),
        "IN with the same twice": field_filter("f", "IN", [1, 1, 1.0]),
        "NOT_IN with null": field_filter("f", "NOT_IN", [None, 1]), "NOT_IN with NaN": field_filter("f", "NOT_IN", [NAN]),
        "30 in OR": several("OR", 30, equal), "31 in OR": several("OR", 31, equal),
        "5 × 6": composite("AND", field_filter("f", "IN", values(5)), field_filter("g", "IN", values(6))),
        "4 × 8": composite("AND", field_filter("f", "IN", values(4)), field_filter("g", "IN", values(8))),
        "nested 2 × 2 × 2 × 2": composite("AND", *(composite("OR", equal(index), field_filter("g", "EQUAL", index)) for index in range(4))),
        "nested 2 ^ 5": composite("AND", *(composite("OR", equal(index), field_filter("g", "EQUAL", index)) for index in range(5))),
        "contains twice": composite("AND", contains, field_filter("w", "ARRAY_CONTAINS", 2)),
        "contains and contains any": composite("AND", contains, contains_any), "contains any twice": composite("AND", contains_any, contains_any),
        "contains or contains any": composite("OR", contains, contains_any), "contains or contains": composite("OR", contains, contains),
        "contains in two fields": composite("AND", contains, field_filter("t", "ARRAY_CONTAINS", 2)),
        "contains and (contains or equal)": composite("AND", contains, composite("OR", contains, equal(1))),
        "two !=": composite("AND", different, elsewhere), "!= on one field twice": composite("AND", different, field_filter("f", "NOT_EQUAL", 2)),
        "!= and not-in": composite("AND", elsewhere, not_in), "!= and is not null": composite("AND", elsewhere, unary_filter("f", "IS_NOT_NULL")),
        "not null twice": composite("AND", unary_filter("g", "IS_NOT_NULL"), unary_filter("f", "IS_NOT_NULL")),
        "!= or !=": composite("OR", different, elsewhere), "not-in and in": composite("AND", not_in, inside), "not-in or equal": composite("OR", not_in, equal(1)),
        "not-in and (or)": composite("AND", not_in, composite("OR", field_filter("g", "EQUAL", 1), field_filter("g", "EQUAL", 2))),
        "not-in and contains any": composite("AND", not_in, contains_any), "!= and in": composite("AND", different, inside),
        "!= or equal": composite("OR", different, equal(1)),
        "10 inequality fields": several("AND", 10, lambda index: field_filter(f"x{index}", "GREATER_THAN", 1)),
        "11 inequality fields": several("AND", 11, lambda index: field_filter(f"x{index}", "GREATER_THAN", 1)),
        "90 equalities": several("AND", 90, lambda index: field_filter(f"x{index}", "EQUAL", 1)),
        "97 equalities": several("AND", 97, lambda index: field_filter(f"x{index}", "EQUAL", 1)),
        "100 equalities": several("AND", 100, lambda index: field_filter(f"x{index}", "EQUAL", 1)),
        "101 equalities": several("AND", 101, lambda index: field_filter(f"x{index}", "EQUAL", 1)),
        "contradiction": composite("AND", equal(1), equal(2)),
        "empty and inside": composite("AND", equal(1), composite("AND")), "empty or inside": composite("AND", equal(1), composite("OR")),
        "and in or in and": composite("AND", composite("OR", composite("AND", equal(1), field_filter("f", "EQUAL", 1.0)), field_filter("g", "EQUAL", 1)), unary_filter("f", "IS_NOT_NULL")),
        "null below or": composite("OR", field_filter("g", "GREATER_THAN", None), equal(1)), "NaN below or": composite("OR", field_filter("g", "LESS_THAN", NAN), equal(1)),
    }
    deep = equal(1)
    for _ in range(30):
        deep = composite("AND", deep, field_filter("f", "GREATER_THAN", 0))
    shapes["30 deep"] = deep
    for title, where in shapes.items():
        yield Case("filters", f"limits: {title}", [SEED, query(where=where)])
    for number in (98, 99, 100, 101):
        yield Case("filters", f"limits: {number} orders", [SEED, query(order_by=[order(f"x{index}") for index in range(number)])])
