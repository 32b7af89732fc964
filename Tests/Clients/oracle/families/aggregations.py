"""Counts, sums, averages (QR-62 … QR-69) and searches of neighbours (QR-55 … QR-61)."""

from random import Random

from ..cases import Case, call
from ..values import INF, MAX, MIN, NAN, NUMBERS, Chance, ref, update, v, vector
from ..wire import DATABASE, ROOT
from .queries import Maker, StructuredQuery, composite, field_filter, order, seeding, unary_filter


def aggregate(aggregations, parent=ROOT, **parts):
    query = StructuredQuery(**{"from_": [{"collection_id": "c"}], **parts})
    return call("RunAggregationQuery", parent=parent, structured_aggregation_query={"structured_query": query, "aggregations": aggregations})


def count(alias="", up_to=None):
    return {"alias": alias, "count": {"up_to": {"value": up_to}} if up_to is not None else {}}


def total(path, alias=""):
    return {"alias": alias, "sum": {"field": {"field_path": path}}}


def average(path, alias=""):
    return {"alias": alias, "avg": {"field": {"field_path": path}}}


def numbers(*stored):
    return call("Commit", database=DATABASE, writes=[update(f"c/d{index:02}", {} if each == "missing" else {"v": each, "i": index})
                                                     for index, each in enumerate(stored)])


SETS = {
    "none": [], "integers": [1, 2, 3], "doubles": [1.5, 2.5], "mixed": [1, 2.0], "texts": ["a", None], "one missing": [1, "missing", 3], "one text": [1, "a", 3],
    "overflow": [MAX, 1], "overflow and back": [MAX, 1, -101], "underflow": [MIN, -1], "twice the most": [MAX, MAX], "NaN": [1, NAN], "infinite": [INF, 1], "both infinities": [INF, -INF],
    "large doubles": [1.7976931348623157e308, 1.7976931348623157e308], "zeros": [0.0, -0.0], "minus zeros": [-0.0, -0.0], "minus zero": [-0.0], "tiny": [5e-324, 5e-324],
    "lost in doubles": [2**53, 1, 1], "integer and double beyond": [MAX, 1.0], "vectors": [vector(1), 3], "a third": [1, 1, 2], "0.1s": [0.1] * 10,
    "null": [None], "missing": ["missing"],
}


def cases(seed, number, quick):
    both = [count(), total("v"), average("v")]
    for title, stored in SETS.items():
        yield Case("aggregations", f"numbers: {title}", [
            numbers(*stored), aggregate([count()]), aggregate([total("v")]), aggregate([average("v")]), aggregate(both),
            aggregate(both, limit={"value": 1}), aggregate(both, order_by=[order("v", "DESCENDING")], limit={"value": 2}),
            aggregate(both, where=field_filter("v", "GREATER_THAN", 0))])
    yield from _shapes()
    yield from _nearest(Chance(Random(f"{seed} nearest")), number)
    for index in range(number):
        chance = Chance(Random(f"{seed} aggregations {index}"))
        steps, paths = seeding(chance)
        maker = Maker(chance, paths)
        for _ in range(20):
            parent, parts = maker.query()
            picked = [count(up_to=chance.pick([None, None, 1, 3]))]
            for _ in range(chance.random.randint(0, 2)):
                picked.append(chance.pick([total, average])(chance.pick(["a", "b", "n", "m.x", "m.y"])))
            steps.append(aggregate(picked, parent, **parts))
        yield Case("aggregations", f"random {index}", steps)


def _shapes():
    seed = numbers(1, 2.5, "a", None, "missing", NAN, 7)
    shapes = {
        "none": [], "five": [count(), total("v"), average("v"), total("i"), average("i")],
        "six": [count(), total("v"), average("v"), total("i"), average("i"), count("six")],
        "same alias": [count("x"), total("v", "x")], "given and made alias": [count("field_1"), total("v")], "aliases": [count("b"), count("a"), total("v", "é")],
        "reserved alias": [count("__x__")], "alias with a dot": [count("a.b")], "alias with blanks": [count("a b")], "long alias": [count("a" * 1500)], "too long alias": [count("a" * 1501)],
        "digit alias": [count("0")],
        "no operator": [{"alias": "x"}], "sum of nothing": [total("")], "sum of no field": [{"sum": {}}], "sum of name": [total("__name__")], "average of name": [average("__name__")],
        "sum of a bad path": [total("a..b")], "sum of a reserved path": [total("__x__")], "same twice": [total("v", "x"), total("v", "y")],
        "up to 0": [count(up_to=0)], "up to -1": [count(up_to=-1)], "up to 3": [count(up_to=3)], "up to 100": [count(up_to=100)], "up to 2^63-1": [count(up_to=MAX)],
        "count beside a sum": [count(), total("v")], "count beside two sums": [count(), total("v"), total("i")],
    }
    for title, aggregations in shapes.items():
        yield Case("aggregations", f"shape: {title}", [seed, aggregate(aggregations)])
    all_three = [count(), total("i"), average("i")]
    queries = {
        "limit 0": {"limit": {"value": 0}}, "limit 2": {"limit": {"value": 2}}, "offset 2": {"offset": 2}, "offset 100": {"offset": 100}, "offset and limit": {"offset": 1, "limit": {"value": 2}},
        "by v": {"order_by": [order("v")]}, "by v down, limit": {"order_by": [order("v", "DESCENDING")], "limit": {"value": 2}},
        "start at 2": {"order_by": [order("v")], "start_at": {"values": [v(2)], "before": True}}, "select": {"select": {"fields": [{"field_path": "v"}]}},
        "empty or": {"where": composite("OR")}, "negative limit": {"limit": {"value": -1}}, "null": {"where": unary_filter("v", "IS_NULL")}, "kindless": {"from_": [{"all_descendants": True}]},
        "kindless, empty": {"from_": [{}]}, "no source": {"from_": []}, "by name down": {"order_by": [order("__name__", "DESCENDING")]},
        "name filter": {"where": field_filter("__name__", "GREATER_THAN", ref("c/d02"))}, "group": {"from_": [{"collection_id": "c", "all_descendants": True}]},
    }
    for title, parts in queries.items():
        yield Case("aggregations", f"over: {title}", [seed, aggregate([count()], **parts), aggregate(all_three, **parts), aggregate([count(up_to=2)], **parts)])
    yield Case("aggregations", "no query", [call("RunAggregationQuery", parent=ROOT, structured_aggregation_query={"aggregations": [count()]})])
    yield Case("aggregations", "nothing", [call("RunAggregationQuery", parent=ROOT)])
    yield Case("aggregations", "explain", [seed, call("RunAggregationQuery", parent=ROOT, explain_options={"analyze": True}, structured_aggregation_query={
        "structured_query": {"from_": [{"collection_id": "c"}]}, "aggregations": [count()]})])


def nearest(measure="EUCLIDEAN", limit=10, where=None, **parts):
    more = {"where": where} if where else {}
    for key in ("select", "order_by", "offset", "start_at"):
        if key in parts:
            more[key] = parts.pop(key)
    outer = {"limit": parts.pop("query_limit")} if "query_limit" in parts else {}
    if limit is not None:
        parts["limit"] = {"value": limit}
    search = {"vector_field": {"field_path": "v"}, "query_vector": vector(1, 2), "distance_measure": measure, **parts}
    return call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": "c"}], "find_nearest": search, **more, **outer})


def _nearest(chance, number):
    vectors = [vector(1, 2), vector(1, 2), vector(0, 0), vector(-1, -2), vector(2, 1), vector(1, 2, 3), vector(1), vector(2, 4),
               [1.0, 2.0], {"a": 1}, None, vector(-0.0, 0.5), vector(1e300, 1e300)]
    seed = call("Commit", database=DATABASE, writes=[update(f"c/d{index:02}", {"v": each, "n": index % 3}) for index, each in enumerate(vectors)])
    measures = ("EUCLIDEAN", "COSINE", "DOT_PRODUCT")
    for measure in measures:
        yield Case("aggregations", f"nearest: {measure}", [
            seed, nearest(measure), nearest(measure, limit=2), nearest(measure, distance_result_field="d"),
            nearest(measure, distance_threshold={"value": 1.0}), nearest(measure, distance_threshold={"value": 0.0}), nearest(measure, distance_threshold={"value": 5.0}),
            nearest(measure, where=field_filter("n", "EQUAL", 1)), nearest(measure, query_vector=vector(0, 0), distance_result_field="d"),
            nearest(measure, query_vector=vector(1), distance_result_field="d"), nearest(measure, query_vector=vector(NAN, 1)),
            nearest(measure, distance_result_field="n"), nearest(measure, distance_result_field="d", select={"fields": [{"field_path": "d"}]}),
            nearest(measure, distance_result_field="d", select={"fields": [{"field_path": "n"}]})])
    odd = {
        "limit 0": nearest(limit=0), "no limit": nearest(limit=None), "limit -1": nearest(limit=-1), "limit 1000": nearest(limit=1000), "limit 1001": nearest(limit=1001),
        "no measure": nearest("DISTANCE_MEASURE_UNSPECIFIED"), "empty vector": nearest(query_vector=vector()), "2048 dimensions": nearest(query_vector=vector(*range(2048))),
        "2049 dimensions": nearest(query_vector=vector(*range(2049))), "no vector": nearest(query_vector=v([1.0, 2.0])), "integers": nearest(
            query_vector=v({"__type__": "__vector__", "value": [1, 2]})), "vector of nothing": nearest(query_vector=v(None)),
        "bad field": nearest(vector_field={"field_path": "a..b"}), "no field": nearest(vector_field={}), "name": nearest(vector_field={"field_path": "__name__"}),
        "missing field": nearest(vector_field={"field_path": "zz"}), "result in name": nearest(distance_result_field="__name__"),
        "result in a path": nearest(distance_result_field="a.b"), "result in a reserved name": nearest(distance_result_field="__x__"),
        "result in a bad path": nearest(distance_result_field="a..b"), "result in the vector": nearest(distance_result_field="v"),
        "with an inequality": nearest(where=field_filter("n", "GREATER_THAN", 0)), "with an order": nearest(order_by=[order("n")]), "with an offset": nearest(offset=1),
        "with a limit": nearest(query_limit={"value": 2}), "with in": nearest(where=field_filter("n", "IN", [0, 1])),
        "NaN threshold": nearest(distance_threshold={"value": NAN}), "negative threshold": nearest(distance_threshold={"value": -1.0}),
    }
    for title, step in odd.items():
        yield Case("aggregations", f"nearest: {title}", [seed, step])
    for index in range(number):
        writes = [update(f"c/d{each:02}", {"v": vector(*(chance.random.randint(-8, 8) / 4 for _ in range(3))), "n": each % 3}) for each in range(30)]
        steps = [call("Commit", database=DATABASE, writes=writes)]
        for _ in range(6):
            parts = {"query_vector": vector(*(chance.random.randint(-8, 8) / 4 for _ in range(3))), "distance_result_field": "d"}
            if chance.chance(40):
                parts["distance_threshold"] = {"value": chance.random.randint(-4, 8) / 4}
            where = field_filter("n", "EQUAL", 1) if chance.chance(30) else None
            steps.append(nearest(chance.pick(measures), chance.pick([1, 5, 50]), where, **parts))
        yield Case("aggregations", f"nearest: random {index}", steps)
