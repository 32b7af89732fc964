"""Every operator, orders, cursors, limits, projections, groups, aggregates, vectors, partitions (QR-1 … QR-72)."""

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, FieldFilter, Or
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.vector import Vector


@pytest.fixture
def cities(fill):
    return fill(
        "cities",
        BJ={"name": "Beijing", "country": "China", "population": 21_500_000, "capital": True, "regions": ["jingjinji", "hebei"]},
        DC={"name": "Washington", "country": "USA", "population": 680_000, "capital": True, "regions": ["east_coast"]},
        LA={"name": "Los Angeles", "country": "USA", "state": "CA", "population": 3_900_000, "capital": False, "regions": ["west_coast", "socal"]},
        SF={"name": "San Francisco", "country": "USA", "state": "CA", "population": 860_000, "capital": False, "regions": ["west_coast", "norcal"]},
        TOK={"name": "Tokyo", "country": "Japan", "population": 9_000_000, "capital": True, "regions": ["kanto", "honshu"]},
        X={"name": None, "population": float("nan"), "regions": "west_coast"},
    )


def ids(query):
    return [doc.id for doc in query.stream()]


def where(*arguments):
    return FieldFilter(*arguments)


@pytest.mark.parametrize("filter, expected", [
    (("country", "==", "USA"), "DC LA SF"),
    (("capital", "==", True), "BJ DC TOK"),
    (("population", "<", 860_000), "DC"),
    (("population", "<=", 860_000), "DC SF"),
    (("population", ">", 3_900_000), "TOK BJ"),
    (("population", ">=", 3_900_000), "LA TOK BJ"),
    (("population", "==", 860_000.0), "SF"),
    (("country", "!=", "USA"), "BJ TOK"),
    (("regions", "array_contains", "west_coast"), "LA SF"),
    (("regions", "array_contains_any", ["west_coast", "kanto"]), "LA SF TOK"),
    (("country", "in", ["Japan", "China"]), "BJ TOK"),
    (("country", "not-in", ["Japan", "China"]), "DC LA SF"),
    (("country", "not-in", ["Japan", None]), ""),
    (("name", "==", None), "X"),
    (("name", "!=", None), "BJ LA SF TOK DC"),
    (("population", "==", float("nan")), "X"),
    (("population", "!=", float("nan")), "DC SF LA TOK BJ"),
], ids=str)
def test_operators(cities, filter, expected):
    assert ids(cities.where(filter=where(*filter))) == expected.split()


def test_composites(cities):
    both = And([where("country", "==", "USA"), where("population", ">", 700_000)])
    assert ids(cities.where(filter=both)) == ["SF", "LA"]
    either = Or([where("capital", "==", True), where("population", ">=", 3_900_000)])
    assert sorted(ids(cities.where(filter=either))) == ["BJ", "DC", "LA", "TOK"]
    nested = And([Or([where("country", "==", "Japan"), where("state", "==", "CA")]), where("population", "<", 5_000_000)])
    assert ids(cities.where(filter=nested)) == ["SF", "LA"]


def test_several_inequalities(cities):
    query = cities.where(filter=where("population", ">", 700_000)).where(filter=where("name", ">", "M"))
    assert ids(query.order_by("population")) == ["SF", "TOK"]


def test_orders_limits_offsets(cities):
    known = cities.where(filter=where("country", ">", ""))
    assert ids(known.order_by("country").order_by("population", direction=firestore.Query.DESCENDING)) == ["BJ", "TOK", "LA", "SF", "DC"]
    by_size = cities.order_by("population", direction="DESCENDING")
    assert ids(by_size) == ["BJ", "TOK", "LA", "SF", "DC", "X"]
    assert ids(by_size.limit(2)) == ["BJ", "TOK"]
    assert ids(by_size.offset(1).limit(2)) == ["TOK", "LA"]
    assert ids(by_size.offset(10)) == []
    assert [doc.id for doc in cities.order_by("population").limit_to_last(2).get()] == ["TOK", "BJ"]
    assert ids(cities) == ["BJ", "DC", "LA", "SF", "TOK", "X"]
    assert ids(cities.order_by("__name__", direction="DESCENDING")) == ["X", "TOK", "SF", "LA", "DC", "BJ"]


def test_cursors(cities):
    ordered = cities.order_by("population")
    assert ids(ordered.start_at({"population": 860_000})) == ["SF", "LA", "TOK", "BJ"]
    assert ids(ordered.start_after({"population": 860_000})) == ["LA", "TOK", "BJ"]
    assert ids(ordered.end_at({"population": 860_000})) == ["X", "DC", "SF"]
    assert ids(ordered.end_before({"population": 860_000})) == ["X", "DC"]
    snapshot = cities.document("LA").get()
    assert ids(ordered.start_after(snapshot)) == ["TOK", "BJ"]
    assert ids(cities.order_by("capital").start_at(snapshot)) == ["LA", "SF", "BJ", "DC", "TOK"]
    assert ids(cities.order_by("__name__").start_after([cities.document("LA")]).end_at([cities.document("TOK")])) == ["SF", "TOK"]


def test_pages_reach_everything_once(fill):
    numbers = fill("numbers", **{f"n{n:03}": {"g": n % 7} for n in range(100)})
    query = numbers.order_by("g").limit(9)
    seen = []
    page = list(query.stream())
    while page:
        seen += [doc.id for doc in page]
        page = list(query.start_after(page[-1]).stream())
    assert len(seen) == 100 and len(set(seen)) == 100


def test_projections(cities):
    found = {doc.id: doc.to_dict() for doc in cities.select(["state", "capital"]).stream()}
    assert found["LA"] == {"state": "CA", "capital": False} and found["X"] == {}
    assert all(doc.to_dict() == {} for doc in cities.select([FieldPath.document_id()]).stream())
    assert cities.document("LA").get(["name", "population"]).to_dict() == {"name": "Los Angeles", "population": 3_900_000}


def test_document_ids(cities, db):
    name = FieldPath.document_id()
    assert ids(cities.where(filter=where(name, ">=", cities.document("LA"))).limit(2)) == ["LA", "SF"]
    assert ids(cities.where(filter=where(name, "in", [cities.document("SF"), cities.document("BJ")]))) == ["BJ", "SF"]
    assert ids(cities.where(filter=where(name, "==", cities.document("TOK")))) == ["TOK"]


def test_fields_in_maps_and_with_odd_names(fill):
    things = fill("things", a={"m": {"x": 1, "a.b": 2}}, b={"m": {"x": 2}}, c={"with space": 1})
    assert ids(things.where(filter=where("m.x", ">", 1))) == ["b"]
    assert ids(things.where(filter=where("m.`a.b`", "==", 2))) == ["a"]
    assert ids(things.where(filter=where("`with space`", "==", 1))) == ["c"]


def test_collection_groups(db):
    for path in ["parks/a", "cities/SF/parks/b", "cities/LA/parks/c", "cities/LA/hoods/x/parks/d", "cities/LA/markets/e"]:
        db.document(path).set({"n": path[-1]})
    group = db.collection_group("parks")
    assert sorted(ids(group)) == ["a", "b", "c", "d"]
    assert sorted(ids(group.where(filter=where("n", ">", "b")))) == ["c", "d"]
    assert sorted(ids(db.document("cities/LA").collection("parks"))) == ["c"]


def test_partitions(db, fill):
    fill("numbers", **{f"n{n:03}": {"n": n} for n in range(300)})
    db.document("deep/down/numbers/last").set({"n": 300})
    partitions = list(db.collection_group("numbers").get_partitions(4))
    seen = [doc.reference.path for partition in partitions for doc in partition.query().stream()]
    assert len(partitions) > 1 and len(seen) == 301 and len(set(seen)) == 301


def test_aggregates(cities):
    known = cities.where(filter=where("country", "==", "USA"))
    (results,) = known.count(alias="all").sum("population", alias="people").avg("population", alias="mean").get()
    assert {result.alias: result.value for result in results} == {"all": 3, "people": 5_440_000, "mean": 5_440_000 / 3}
    assert cities.count().get()[0][0].value == 6
    assert cities.order_by("population").limit(4).count().get()[0][0].value == 4
    nothing = cities.where(filter=where("country", "==", "Nowhere"))
    (results,) = nothing.count(alias="c").sum("population", alias="s").avg("population", alias="a").get()
    # The client shows the null that the average is as zero.
    assert {result.alias: result.value for result in results} == {"c": 0, "s": 0, "a": 0}


def test_vectors(fill):
    points = fill(
        "points", a={"at": Vector([1.0, 0.0]), "kind": 1}, b={"at": Vector([0.0, 1.0]), "kind": 1}, c={"at": Vector([3.0, 4.0]), "kind": 2},
        none={"kind": 1})

    def nearest(query, measure, limit=5, **options):
        return [doc.id for doc in query.find_nearest("at", Vector([1.0, 0.1]), limit=limit, distance_measure=measure, **options).stream()]

    assert nearest(points, DistanceMeasure.EUCLIDEAN) == ["a", "b", "c"]
    assert nearest(points, DistanceMeasure.COSINE) == ["a", "c", "b"]
    assert nearest(points, DistanceMeasure.DOT_PRODUCT) == ["c", "a", "b"]
    assert nearest(points, DistanceMeasure.EUCLIDEAN, limit=1) == ["a"]
    assert nearest(points, DistanceMeasure.EUCLIDEAN, distance_threshold=2.0) == ["a", "b"]
    assert nearest(points.where(filter=where("kind", "==", 2)), DistanceMeasure.EUCLIDEAN) == ["c"]
    found = points.find_nearest(
        "at", Vector([1.0, 0.0]), limit=1, distance_measure=DistanceMeasure.EUCLIDEAN, distance_result_field="distance").get()
    assert found[0].get("distance") == 0.0


@pytest.mark.parametrize("build", [
    lambda c: c.where(filter=where("a", "in", [])),
    lambda c: c.where(filter=where("a", "in", list(range(31)))),
    lambda c: c.where(filter=where("a", "not-in", list(range(11)))),
    lambda c: c.where(filter=where("a", "!=", 1)).where(filter=where("b", "!=", 1)),
    lambda c: c.where(filter=where("a", "array_contains", 1)).where(filter=where("b", "array_contains_any", [1])),
    lambda c: c.order_by("a").order_by("a"),
    lambda c: c.limit(-1),
], ids=["empty in", "31 in", "11 not-in", "two !=", "two arrays", "double order", "negative limit"])
def test_queries_that_cannot_be(db, build):
    with pytest.raises(exceptions.InvalidArgument):
        list(build(db.collection("c")).stream())


def test_reading_the_past(db):
    ref = db.document("c/a")
    first = ref.set({"n": 1}).update_time
    ref.set({"n": 2})
    db.document("c/b").set({"n": 3})
    assert ref.get(read_time=first).get("n") == 1
    assert [doc.id for doc in db.collection("c").stream(read_time=first)] == ["a"]
    assert db.collection("c").count().get(read_time=first)[0][0].value == 1


def test_listing(db):
    db.document("c/a").set({})
    db.document("c/missing/sub/x").set({})
    db.document("c/a/one/x").set({})
    db.document("c/a/two/x").set({})
    assert sorted(ref.id for ref in db.collection("c").list_documents()) == ["a", "missing"]
    assert sorted(ref.id for ref in db.collection("c").list_documents(page_size=1)) == ["a", "missing"]
    assert [ref.id for ref in db.collections()] == ["c"]
    assert sorted(ref.id for ref in db.document("c/a").collections()) == ["one", "two"]
    found = {doc.reference.path: doc.exists for doc in db.get_all([db.document("c/a"), db.document("c/missing"), db.document("c/a")])}
    assert found == {"c/a": True, "c/missing": False}


def test_recursive_delete(db):
    for path in ["c/a", "c/a/sub/x", "c/a/sub/x/deep/y", "c/b", "c/gone/sub/z", "other/kept", "c-more/kept"]:
        db.document(path).set({"path": path})
    assert db.recursive_delete(db.collection("c")) == 5
    assert sorted(ref.id for ref in db.collections()) == ["c-more", "other"]
    assert list(db.collection_group("sub").stream()) == []


def test_explain(cities):
    found = cities.where(filter=where("capital", "==", True)).get(explain_options=firestore.ExplainOptions(analyze=True))
    assert len(list(found)) == 3
    assert found.get_explain_metrics().execution_stats.results_returned == 3
