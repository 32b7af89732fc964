"""Functions of pipelines through the official client: each method of its expressions sends a function that means what it says."""

import datetime

import pytest
from google.cloud.firestore_v1._helpers import GeoPoint
from google.cloud.firestore_v1.pipeline_expressions import (
    And, Array, Conditional, Constant, CurrentDocument, CurrentTimestamp, Field, FunctionExpression, Map, Nor, Not, Or, Rand, Variable, Xor)
from google.cloud.firestore_v1.vector import Vector

UTC = datetime.timezone.utc
TIME = datetime.datetime(2024, 3, 10, 15, 30, 45, 123_456, tzinfo=UTC)
ROW = {
    "n": 7, "d": 2.5, "minus": -7, "s": "Ünï😀x", "words": "  red green  ", "csv": "a,b,,c", "null": None, "a": [3, None, 1.5, "k"],
    "numbers": [1, 5, 3], "m": {"p": 1, "q.r": 2}, "b": b"\x00\xff", "yes": True, "no": False, "t": TIME, "v": Vector([3.0, 4.0]),
    "w": Vector([1.0, 0.0]), "here": GeoPoint(0.0, 0.0),
}
MISSING = object()


def field(name):
    return Field.of(name)


def at(*parts):
    return datetime.datetime(*parts, tzinfo=UTC)


FUNCTIONS = {
    # Numbers
    "abs": (field("minus").abs(), 7), "add": (field("n").add(field("d")), 9.5), "subtract": (field("n").subtract(8), -1),
    "multiply": (field("n").multiply(6), 42), "divide": (field("minus").divide(2), -3), "divide doubles": (field("n").divide(2.0), 3.5),
    "mod": (field("minus").mod(3), -1), "ceil": (field("d").ceil(), 3.0), "floor": (field("d").floor(), 2.0), "round": (field("d").round(), 3.0),
    "trunc": (Constant.of(4.1239).trunc(2), 4.12), "pow": (field("n").pow(2), 49.0), "sqrt": (Constant.of(16).sqrt(), 4.0),
    "exp": (Constant.of(0).exp(), 1.0), "ln": (Constant.of(1).ln(), 0.0), "log": (Constant.of(100).log(10), 2.0),
    "log10": (Constant.of(1000).log10(), 3.0),
    # Texts
    "char_length": (field("s").char_length(), 5), "byte_length": (field("s").byte_length(), 10), "length": (field("numbers").length(), 3),
    "to_upper": (field("csv").to_upper(), "A,B,,C"), "to_lower": (field("s").to_lower(), "ünï😀x"), "trim": (field("words").trim(), "red green"),
    "ltrim": (field("words").ltrim(), "red green  "), "rtrim": (field("csv").rtrim("c"), "a,b,,"), "split": (field("csv").split(","), ["a", "b", "", "c"]),
    "join": (field("csv").split(",").join("-"), "a-b--c"), "substring": (field("s").substring(3, 1), "😀"),
    "string_reverse": (field("csv").string_reverse(), "c,,b,a"), "string_concat": (field("csv").string_concat("!", "?"), "a,b,,c!?"),
    "concat": (field("numbers").concat([9]), [1, 5, 3, 9]), "string_contains": (field("csv").string_contains(",,"), True),
    "starts_with": (field("csv").starts_with("a,"), True), "ends_with": (field("csv").ends_with("b"), False),
    "string_index_of": (field("s").string_index_of("x"), 4), "string_repeat": (Constant.of("ab").string_repeat(3), "ababab"),
    "string_replace_all": (field("csv").string_replace_all(",", ""), "abc"), "string_replace_one": (field("csv").string_replace_one(",", ""), "ab,,c"),
    "like": (field("csv").like("a_b%"), True), "regex_match": (field("csv").regex_match("[a-c,]+"), True),
    "regex_contains": (field("csv").regex_contains("^b"), False), "regex_find": (field("csv").regex_find("[b-z]"), "b"),
    "regex_find_all": (field("csv").regex_find_all("[abc]"), ["a", "b", "c"]),
    # Arrays
    "array": (Array([field("n"), field("missing"), 2]), [7, None, 2]), "array_length": (field("a").array_length(), 4),
    "array_get": (field("a").array_get(-1), "k"), "offset": (field("a").offset(0), 3), "array_get beyond": (field("a").array_get(9), MISSING),
    "array_first": (field("numbers").array_first(), 1), "array_last": (field("numbers").array_last(), 3),
    "array_first_n": (field("numbers").array_first_n(2), [1, 5]), "array_last_n": (field("numbers").array_last_n(2), [5, 3]),
    "array_slice": (field("numbers").array_slice(1, 1), [5]), "array_reverse": (field("numbers").array_reverse(), [3, 5, 1]),
    "array_concat": (field("numbers").array_concat([None]), [1, 5, 3, None]), "array_contains": (field("a").array_contains(1.5), True),
    "array_contains_all": (field("a").array_contains_all([3, "k"]), True), "array_contains_any": (field("a").array_contains_any([4, None]), True),
    "array_index_of": (field("a").array_index_of("k"), 3), "array_index_of_all": (field("a").array_index_of_all(None), [1]),
    "array_maximum": (field("numbers").array_maximum(), 5), "array_minimum": (field("numbers").array_minimum(), 1),
    "array_maximum_n": (field("numbers").array_maximum_n(2), [5, 3]), "array_minimum_n": (field("numbers").array_minimum_n(2), [1, 3]),
    "array_filter": (field("numbers").array_filter(Variable("e").greater_than(2), "e"), [5, 3]),
    "array_transform": (field("numbers").array_transform(Variable("e").multiply(10).add(Variable("i")), "e", "i"), [10, 51, 32]),
    # Maps
    "map": (Map({"x": field("n"), "y": field("missing")}), {"x": 7}), "map_get": (field("m").map_get("q.r"), 2),
    "get_field": (field("m").get_field("p"), 1), "map_set": (field("m").map_set("z", 3), {"p": 1, "q.r": 2, "z": 3}),
    "map_remove": (field("m").map_remove("p"), {"q.r": 2}), "map_merge": (field("m").map_merge({"p": 9}), {"p": 9, "q.r": 2}),
    "map_keys": (field("m").map_keys(), ["p", "q.r"]), "map_values": (field("m").map_values(), [1, 2]),
    "map_entries": (field("m").map_entries(), [{"k": "p", "v": 1}, {"k": "q.r", "v": 2}]),
    # Times
    "timestamp_to_unix_seconds": (field("t").timestamp_to_unix_seconds(), 1_710_084_645),
    "timestamp_to_unix_millis": (field("t").timestamp_to_unix_millis(), 1_710_084_645_123),
    "timestamp_to_unix_micros": (field("t").timestamp_to_unix_micros(), 1_710_084_645_123_456),
    "unix_seconds_to_timestamp": (Constant.of(0).unix_seconds_to_timestamp(), at(1970, 1, 1)),
    "unix_millis_to_timestamp": (Constant.of(1_500).unix_millis_to_timestamp(), at(1970, 1, 1, 0, 0, 1, 500_000)),
    "unix_micros_to_timestamp": (Constant.of(-1).unix_micros_to_timestamp(), at(1969, 12, 31, 23, 59, 59, 999_999)),
    "timestamp_add": (field("t").timestamp_add("day", 1), TIME + datetime.timedelta(days=1)),
    "timestamp_subtract": (field("t").timestamp_subtract("hour", 2), TIME - datetime.timedelta(hours=2)),
    "timestamp_diff": (field("t").timestamp_diff(at(2024, 3, 9), "hour"), 39),
    "timestamp_trunc": (field("t").timestamp_trunc("week(monday)"), at(2024, 3, 4)),
    "timestamp_trunc in a zone": (field("t").timestamp_trunc("day", "America/New_York"), at(2024, 3, 10, 5)),
    "timestamp_extract": (field("t").timestamp_extract("dayofyear"), 70),
    "timestamp_extract in a zone": (field("t").timestamp_extract("hour", "Asia/Kolkata"), 21),
    # Logic
    "conditional": (Conditional(field("yes"), Constant.of("good"), Constant.of("bad")), "good"),
    "switch_on": (field("no").switch_on("a", field("yes"), "b", "c"), "b"), "and": (And(field("yes"), field("null").equal(None)), True),
    "or": (Or(field("no"), field("missing")), None), "xor": (Xor([field("yes"), field("no")]), True), "nor": (Nor(field("no"), field("no")), True),
    "not": (Not(field("no")), True), "cmp": (field("n").cmp(9), -1), "between": (field("n").between(7, 8), True),
    "equal_any": (field("n").equal_any([1, 7.0]), True), "not_equal_any": (field("missing").not_equal_any([1]), True),
    "logical_maximum": (field("n").logical_maximum(9, field("null")), 9), "logical_minimum": (field("n").logical_minimum("x"), 7),
    "exists": (field("null").exists(), True), "is_absent": (field("missing").is_absent(), True), "if_absent": (field("missing").if_absent(1), 1),
    "if_null": (field("null").if_null(field("missing"), 2), 2), "coalesce": (field("missing").coalesce(field("null"), 3), 3),
    "is_error": (field("s").add(1).is_error(), True), "if_error": (field("s").add(1).if_error(0), 0), "missing": (field("missing"), MISSING),
    # Types, references, vectors, places
    "type": (field("d").type(), "float64"), "is_type": (field("v").is_type("vector"), True), "document_id": (field("__name__").document_id(), "row"),
    "collection_id": (field("__name__").collection_id(), "rows"), "storage_size": (Constant.of("abc").storage_size(), 4),
    "vector_length": (field("v").vector_length(), 2), "euclidean_distance": (field("v").euclidean_distance(Vector([0.0, 0.0])), 5.0),
    "dot_product": (field("v").dot_product(field("w")), 3.0), "cosine_distance": (field("v").cosine_distance(field("w")), pytest.approx(0.4)),
    "geo_distance": (field("here").geo_distance(GeoPoint(0.0, 90.0)), pytest.approx(10_007_543, rel=0.002)),
    "current_document": (FunctionExpression("map_get", [CurrentDocument(), Constant.of("n")]), 7),
    "current_timestamp": (CurrentTimestamp().timestamp_diff(field("t"), "day").greater_than(600), True),
    "rand": (And(Rand().greater_than_or_equal(0), Rand().less_than(1)), True),
}


@pytest.fixture(scope="module")
def row(address):
    from google.cloud import firestore

    client = firestore.Client(project="functions")
    client.document("rows/row").set(ROW)
    yield client.pipeline().collection("rows")
    client.close()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(row, name):
    expression, expected = FUNCTIONS[name]
    result = row.select(expression.as_("x")).execute()[0].data()
    if expected is MISSING:
        assert result == {}
        return
    found = result["x"]
    assert found == expected
    # 1 is equal to 1.0 and to True in Python, and different in Firestore.
    assert isinstance(found, type(expected)) or not isinstance(expected, (bool, int, float))


def test_failures_name_the_function(row):
    from google.api_core.exceptions import InvalidArgument

    for expression, text in [
        (field("n").divide(0), "divide"), (field("n").char_length(), "char_length"), (field("csv").regex_match("("), "regular expression"),
        (field("t").timestamp_trunc("day", "Mars/Base"), "time zone"), (FunctionExpression("error", [Constant.of("my own text")]), "my own text"),
    ]:
        with pytest.raises(InvalidArgument) as error:
            row.select(expression.as_("x")).execute()
        assert text in str(error.value) and "stage 2 (select)" in str(error.value)
