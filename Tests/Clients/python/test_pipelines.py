"""Pipelines through the official client: what it sends is understood, and what comes back is what it expects (QR-72)."""

import pytest
from google.api_core.exceptions import InvalidArgument
from google.cloud import firestore
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.pipeline_expressions import (
    And, Array, Conditional, Constant, Count, CurrentTimestamp, Field, FunctionExpression, Map, Not, Or, Variable)
from google.cloud.firestore_v1.query_profile import PipelineExplainOptions
from google.cloud.firestore_v1.vector import Vector

BOOKS = {
    "dune": {"title": "Dune", "author": "Frank Herbert", "published": 1965, "rating": 4.6, "genre": "science fiction",
             "tags": ["desert", "politics"], "awards": {"hugo": True}, "v": Vector([1.0, 0.0])},
    "emma": {"title": "Emma", "author": "Jane Austen", "published": 1815, "rating": 4.0, "genre": "romance", "tags": ["love"],
             "awards": {"none": True}, "v": Vector([0.0, 1.0])},
    "ring": {"title": "The Lord of the Rings", "author": "J. R. R. Tolkien", "published": 1954, "rating": 4.7, "genre": "fantasy",
             "tags": ["adventure", "magic", "epic"], "awards": {"hugo": False}, "v": Vector([3.0, 0.0])},
    "hobbit": {"title": "The Hobbit", "author": "J. R. R. Tolkien", "published": 1937, "rating": 4.5, "genre": "fantasy", "tags": []},
    "draft": {"title": None, "published": 2024},
}


@pytest.fixture
def books(fill):
    return fill("books", **BOOKS)


@pytest.fixture
def source(db, books):
    return db.pipeline().collection("books")


def ids(result):
    return [row.id for row in result]


def data(result):
    return [row.data() for row in result]


FILTERS = {
    "equal": (Field.of("author").equal("Jane Austen"), ["emma"]),
    "equal null": (Field.of("title").equal(None), ["draft"]),
    "not equal, with missing fields": (Field.of("genre").not_equal("fantasy"), ["draft", "dune", "emma"]),
    "orders": (And(Field.of("published").greater_than_or_equal(1937), Field.of("published").less_than(1965)), ["hobbit", "ring"]),
    "or": (Or(Field.of("genre").equal("romance"), Field.of("rating").greater_than(4.6)), ["emma", "ring"]),
    "equal any": (Field.of("genre").equal_any(["romance", "science fiction"]), ["dune", "emma"]),
    "not": (Not(Field.of("published").greater_than(1900)), ["emma"]),
    "exists": (Field.of("rating").exists(), ["dune", "emma", "hobbit", "ring"]),
    "absent": (Field.of("rating").is_absent(), ["draft"]),
    "array": (Field.of("tags").array_contains("magic"), ["ring"]),
    "array of any": (Field.of("tags").array_contains_any(["love", "epic"]), ["emma", "ring"]),
    "nested": (Field.of("awards.hugo").equal(True), ["dune"]),
    "name": (Field.of("__name__").document_id().equal("dune"), ["dune"]),
    "arithmetic": (Field.of("published").add(35).equal(2000), ["dune"]),
    "prefix": (Field.of("title").starts_with("The "), ["hobbit", "ring"]),
    "like": (Field.of("title").like("%u%"), ["dune"]),
    "regular expression": (Field.of("author").regex_contains("[Tt]olk"), ["hobbit", "ring"]),
    "length": (Field.of("tags").array_length().greater_than(2), ["ring"]),
}


@pytest.mark.parametrize("name", FILTERS)
def test_filters(source, name):
    condition, expected = FILTERS[name]
    assert sorted(ids(source.where(condition).execute())) == expected


def test_documents_keep_their_names_and_times(db, source):
    result = source.sort(Field.of("published").descending()).limit(2).execute()
    assert ids(result) == ["draft", "dune"]
    assert result[1].ref == db.document("books/dune") and result[1].create_time == result[1].update_time
    assert list(result[1].data()["v"]) == [1.0, 0.0] and result[1].get("title") == "Dune"
    assert {**result[1].data(), "v": BOOKS["dune"]["v"]} == BOOKS["dune"]
    assert result.execution_time.seconds > 1_700_000_000
    assert ids(source.sort(Field.of("published").ascending()).offset(1).limit(2).stream()) == ["hobbit", "ring"]


def test_sources(db, books):
    db.document("books/dune/notes/n1").set({"text": "spice"})
    assert ids(db.pipeline().collection_group("notes").execute()) == ["n1"]
    assert len(db.pipeline().database().execute()) == 6
    assert ids(db.pipeline().documents(db.document("books/emma"), db.document("books/nothing"), db.document("books/dune")).execute()) == ["emma", "dune"]
    rows = db.pipeline().literals({"a": 1, "b": Constant.of("abc").char_length()}, {"a": [1, None]}).execute()
    assert data(rows) == [{"a": 1, "b": 3}, {"a": [1, None]}] and rows[0].ref is None


def nested(levels, make):
    value = 1
    for _ in range(levels):
        value = make(value)
    return value


# Messages nest at most 100 levels in this client: three for each map, two for each array.
def test_rows_that_no_document_could_be(db, source):
    odd = {"nested": [[1, [2, []]], [[]]], "empty": {"": "x"}, "maps": nested(30, lambda value: {"m": value}), "arrays": nested(45, lambda value: [value])}
    assert data(db.pipeline().literals(odd).execute()) == [odd]
    rows = source.where(Field.of("title").equal("Emma")).select(
        Array([Array([Field.of("published")]), Array([])]).as_("years"), Map({"": Field.of("title")}).as_("empty"), Constant.of(1).as_("`a.b`")).execute()
    assert data(rows) == [{"years": [[1815], []], "empty": {"": "Emma"}, "a.b": 1}]


def test_shapes(source):
    one = source.where(Field.of("title").equal("Dune"))
    assert data(one.select("title", Field.of("published").subtract(65).as_("year")).execute()) == [{"title": "Dune", "year": 1900}]
    assert data(one.select("awards.hugo").execute()) == [{"awards": {"hugo": True}}]
    added = one.add_fields(Field.of("author").to_upper().as_("name"), Constant.of(1.5).as_("d")).remove_fields("v", "tags").execute()
    assert added[0].get("name") == "FRANK HERBERT" and added[0].get("d") == 1.5 and "tags" not in added[0].data()
    assert data(one.replace_with(Field.of("awards")).execute()) == [{"hugo": True}]
    assert data(one.unnest("tags", alias="tag").select("tag").execute()) == [{"tag": "desert"}, {"tag": "politics"}]
    built = one.select(
        Array([Field.of("title"), 1, None]).as_("list"), Map({"t": Field.of("title")}).as_("map"),
        Conditional(Field.of("rating").greater_than(4.5), Constant.of("good"), Constant.of("bad")).as_("word")).execute()
    assert data(built) == [{"list": ["Dune", 1, None], "map": {"t": "Dune"}, "word": "good"}]


def test_groups(source):
    assert data(source.aggregate(Count().as_("n"), Field.of("rating").average().as_("r"), Field.of("published").minimum().as_("first")).execute()) == [
        {"n": 5, "r": pytest.approx(4.45), "first": 1815}]
    groups = source.where(Field.of("genre").exists()).aggregate(Count().as_("n"), groups=["genre"]).sort(Field.of("n").descending(), Field.of("genre").ascending())
    assert data(groups.execute()) == [{"genre": "fantasy", "n": 2}, {"genre": "romance", "n": 1}, {"genre": "science fiction", "n": 1}]
    assert data(source.where(Field.of("author").exists()).distinct("author").sort(Field.of("author").ascending()).execute()) == [
        {"author": name} for name in ("Frank Herbert", "J. R. R. Tolkien", "Jane Austen")]


def test_nearest(source):
    found = source.find_nearest("v", Vector([2.5, 0.0]), DistanceMeasure.EUCLIDEAN, options=None).limit(2).execute()
    assert ids(found) == ["ring", "dune"]


def test_unions_and_samples(db, source):
    assert len(source.union(db.pipeline().collection("books")).execute()) == 10
    assert len(source.sample(2).execute()) == 2


def test_pipelines_in_pipelines(db, source):
    others = db.pipeline().collection("books").where(Field.of("author").equal(Variable("who"))).aggregate(Count().as_("n"))
    rows = source.where(Field.of("title").equal("The Hobbit")).define(Field.of("author").as_("who")).select(
        "title", others.to_scalar_expression().as_("books")).execute()
    assert data(rows) == [{"title": "The Hobbit", "books": 2}]


def test_a_query_as_a_pipeline(db, books):
    query = books.where(filter=firestore.FieldFilter("published", ">", 1900)).order_by("published").limit(2)
    pipeline = db.pipeline().create_from(query)
    assert ids(pipeline.execute()) == [snapshot.id for snapshot in query.get()] == ["hobbit", "ring"]


def test_times_and_raw_stages(source):
    rows = source.limit(2).select(CurrentTimestamp().as_("now")).execute()
    assert rows[0].get("now") == rows[1].get("now")
    assert ids(source.raw_stage("where", FunctionExpression("equal", [Field.of("title"), Constant.of("Emma")])).execute()) == ["emma"]


def test_explanations(source):
    plan = source.where(Field.of("published").greater_than(1900)).execute(explain_options=PipelineExplainOptions(mode="analyze"))
    assert len(plan) == 4
    text = plan.explain_stats.get_text()
    assert text and not text.startswith("{")


def test_transactions(db, source):
    @firestore.transactional
    def count(transaction):
        rows = source.aggregate(Count().as_("n")).execute(transaction=transaction)
        transaction.set(db.document("counts/books"), {"n": rows[0].get("n")})

    count(db.transaction())
    assert db.document("counts/books").get().get("n") == 5


def test_read_times(db, source):
    time = source.execute().execution_time
    db.document("books/later").set({})
    assert len(source.execute(read_time=time)) == 5
    assert len(source.execute()) == 6


@pytest.mark.parametrize("change, text", [
    (lambda source: source.raw_stage("nonsense"), "nonsense"), (lambda source: source.where(FunctionExpression("nonsense", [])), "nonsense"),
    (lambda source: source.limit(-1), ""), (lambda source: source.select(Field.of("title").multiply(2).as_("x")), ""),
])
def test_mistakes(source, change, text):
    with pytest.raises(InvalidArgument) as error:
        change(source).execute()
    assert text in str(error.value)
