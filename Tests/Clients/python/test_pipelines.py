"""Pipelines through the official client: what it sends is understood, and what comes back is what it expects (QR-72)."""

import asyncio

import pytest
from google.api_core.exceptions import Aborted, InvalidArgument
from google.cloud import firestore
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.pipeline_expressions import (
    And, Array, Conditional, Constant, Count, CurrentDocument, CurrentTimestamp, Field, FunctionExpression, Map, Not, Or, Variable)
from google.cloud.firestore_v1.pipeline_source import PipelineSource
from google.cloud.firestore_v1.pipeline_types import FindNearestOptions, SampleOptions, UnnestOptions
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


ACCUMULATORS = {
    "count of values": (Field.of("title").count(), 4), "count_if": (Field.of("rating").greater_than(4.5).count_if(), 2),
    "count_distinct": (Field.of("genre").count_distinct(), 3), "sum": (Field.of("published").sum(), 9695),
    "average": (Field.of("published").average(), 1939.0), "minimum": (Field.of("rating").minimum(), 4.0), "maximum": (Field.of("title").maximum(), "The Lord of the Rings"),
    "first": (Field.of("published").first(), 1815), "last": (Field.of("published").last(), 2024),
    "array_agg": (Field.of("genre").array_agg(), ["romance", "fantasy", "fantasy", "science fiction", None]),
    "array_agg_distinct": (Field.of("genre").array_agg_distinct(), ["romance", "fantasy", "science fiction", None]),
    "sum without numbers": (Field.of("author").sum(), 0), "average without numbers": (Field.of("author").average(), None),
}


@pytest.mark.parametrize("name", ACCUMULATORS)
def test_accumulators(source, name):
    accumulator, expected = ACCUMULATORS[name]
    assert data(source.sort(Field.of("published").ascending()).aggregate(accumulator.as_("x")).execute()) == [{"x": expected}]


def test_conditions_on_groups(source):
    authors = source.aggregate(Count().as_("n"), Field.of("published").maximum().as_("last"), groups=[Field.of("author").to_upper().as_("author")])
    assert data(authors.where(Field.of("n").greater_than(1)).execute()) == [{"author": "J. R. R. TOLKIEN", "n": 2, "last": 1954}]
    # Without a value is a group, too.
    assert data(authors.sort(Field.of("author").ascending()).limit(1).execute()) == [{"author": None, "n": 1, "last": 2024}]


def test_nested_names(source):
    dune = source.where(Field.of("title").equal("Dune"))
    assert dune.add_fields(Constant.of(1).as_("awards.nebula")).execute()[0].get("awards") == {"hugo": True, "nebula": 1}
    assert dune.remove_fields("awards.hugo").execute()[0].get("awards") == {}
    assert data(dune.select(Field.of("title").as_("a.b"), Field.of("genre").as_("a.c")).execute()) == [{"a": {"b": "Dune", "c": "science fiction"}}]
    assert data(dune.select("missing.x").execute()) == [{"missing": {}}]


def test_elements(source):
    tags = source.where(Field.of("genre").exists()).unnest("tags", alias="tag", options=UnnestOptions("i"))
    assert data(tags.where(Field.of("i").equal(1)).select("tag", "i").sort(Field.of("tag").ascending()).execute()) == [
        {"tag": "magic", "i": 1}, {"tag": "politics", "i": 1}]
    # No elements, no row; no array, one row.
    assert len(source.unnest("tags", alias="tag").execute()) == 2 + 1 + 3 + 0 + 1


def test_names_of_rows(db, source):
    rows = source.sort(Field.of("published").ascending()).limit(1)
    assert rows.select("title", "__name__").execute()[0].ref == db.document("books/emma")
    assert rows.select("title").execute()[0].ref is None
    assert rows.select(Field.of("__name__").as_("key")).execute()[0].get("key") == db.document("books/emma")


def test_nearest_with_distances(source):
    options = FindNearestOptions(limit=2, distance_field=Field.of("distance"))
    found = source.find_nearest("v", Vector([3.0, 4.0]), DistanceMeasure.DOT_PRODUCT, options).execute()
    assert [(row.id, row.get("distance")) for row in found] == [("ring", 9.0), ("emma", 4.0)]
    found = source.find_nearest("v", [2.0, 0.1], DistanceMeasure.COSINE, options).select("title").execute()
    assert {row.get("title") for row in found} == {"Dune", "The Lord of the Rings"}


def test_parts_of_samples(source):
    assert len(source.sample(SampleOptions.percentage(1.0)).execute()) == 5
    assert len(source.sample(SampleOptions.percentage(0.0)).execute()) == 0
    assert len(source.sample(SampleOptions.doc_limit(9)).execute()) == 5


def test_groups_of_values(source):
    decades = source.distinct(Field.of("published").divide(100).as_("century")).sort(Field.of("century").descending())
    assert data(decades.execute()) == [{"century": 20}, {"century": 19}, {"century": 18}]


def test_conditions_behind_windows(source):
    years = source.sort(Field.of("published").descending()).limit(3)
    assert ids(years.where(Field.of("rating").exists()).execute()) == ["dune", "ring"]
    assert ids(source.where(Field.of("rating").exists()).sort(Field.of("published").descending()).limit(3).execute()) == ["dune", "ring", "hobbit"]
    # A missing field sorts as null.
    assert ids(source.sort(Field.of("rating").ascending(), Field.of("title").ascending()).execute())[0] == "draft"


def test_rows_below_a_document(db, source):
    for number, text in enumerate(["sand", "worms"]):
        db.document(f"books/dune/notes/{number}").set({"text": text})
    notes = PipelineSource.subcollection("notes").sort(Field.of("text").descending()).select("text").to_array_expression()
    rows = source.where(Field.of("published").between(1950, 1970)).sort(Field.of("published").descending()).select("title", notes.as_("notes")).execute()
    assert data(rows) == [{"title": "Dune", "notes": ["worms", "sand"]}, {"title": "The Lord of the Rings", "notes": []}]
    counted = PipelineSource.subcollection("notes").aggregate(Count().as_("n"), Field.of("text").first().as_("first")).to_scalar_expression()
    assert data(source.where(Field.of("title").equal("Dune")).select(counted.as_("x")).execute()) == [{"x": {"n": 2, "first": "sand"}}]


def test_joins(db, source):
    db.document("people/tolkien").set({"name": "J. R. R. Tolkien", "born": 1892})
    people = db.pipeline().collection("people").where(Field.of("name").equal(Variable("doc").get_field("author"))).select("born")
    joined = source.define(CurrentDocument().as_("doc")).add_fields(people.to_scalar_expression().as_("born")).where(Field.of("born").exists())
    rows = joined.select("title", Field.of("published").subtract(Field.of("born")).as_("age")).sort(Field.of("age").ascending()).execute()
    assert [row.data() for row in rows if row.get("age")] == [{"title": "The Hobbit", "age": 45}, {"title": "The Lord of the Rings", "age": 62}]


def test_pipelines_as_conditions(db, source):
    same = db.pipeline().collection("books").where(Field.of("genre").equal(Variable("g"))).aggregate(Count().as_("n")).to_scalar_expression()
    assert sorted(ids(source.define(Field.of("genre").as_("g")).where(same.greater_than(1)).execute())) == ["hobbit", "ring"]


def test_changes(db, source):
    old = source.where(Field.of("published").less_than(1960)).add_fields(Constant.of(True).as_("old")).remove_fields("v", "tags", "awards")
    assert data(old.update(Field.of("published").add(1).as_("published")).execute()) == [{"documents_modified": 3}]
    assert db.document("books/emma").get().to_dict() == {
        "title": "Emma", "author": "Jane Austen", "published": 1816, "rating": 4.0, "genre": "romance", "old": True}
    assert data(source.where(Field.of("old").equal(True)).delete().execute()) == [{"documents_modified": 3}]
    assert sorted(ids(source.execute())) == ["draft", "dune"]


def test_conflicts(db, source):
    @firestore.transactional
    def count(transaction):
        rows = source.where(Field.of("genre").equal("fantasy")).aggregate(Count().as_("n")).execute(transaction=transaction)
        db.document("books/other").set({"genre": "fantasy"})
        transaction.set(db.document("counts/fantasy"), {"n": rows[0].get("n")})

    transaction = db.transaction(max_attempts=1)
    with pytest.raises((Aborted, ValueError)):
        count(transaction)
    assert not db.document("counts/fantasy").get().exists


def test_plans(source):
    plan = source.where(Field.of("published").greater_than(1900)).execute(explain_options=PipelineExplainOptions(mode="explain"))
    assert len(plan) == 0 and "collection" in plan.explain_stats.get_text()


def test_concurrent_calls(project, books):
    async def both():
        client = firestore.AsyncClient(project=project)
        pipeline = client.pipeline().collection("books")
        counted = pipeline.aggregate(Count().as_("n")).execute()
        named = pipeline.where(Field.of("genre").equal("romance")).execute()
        results = await asyncio.gather(counted, named)
        rows = [row.id async for row in pipeline.sort(Field.of("published").ascending()).stream()]
        client.close()
        return results, rows

    (counted, named), rows = asyncio.run(both())
    assert data(counted) == [{"n": 5}] and ids(named) == ["emma"] and rows == ["emma", "hobbit", "ring", "dune", "draft"]


def test_many_rows(db):
    batch = db.batch()
    for number in range(300):
        batch.set(db.document(f"many/{1000 + number}"), {"n": number, "text": "x" * 10_000})
    batch.commit()
    rows = db.pipeline().collection("many").execute()
    assert [row.get("n") for row in rows] == list(range(300))


MISTAKES = {
    "unknown variable": (lambda source: source.select(Variable("nothing").as_("x")), "nothing"),
    "several rows": (lambda source: source.select(source.select("title").to_scalar_expression().as_("x")), "multiple results"),
    "nested group": (lambda source: source.aggregate(Count().as_("n"), groups=["awards.hugo"]), "awards.hugo"),
    "places": (lambda source: source.select(Field.of("title").as_("a"), Field.of("genre").as_("a.b")), "same place"),
    "replacement": (lambda source: source.where(Field.of("author").exists()).replace_with(Field.of("author")), "replace_with"),
    "negative offset": (lambda source: source.offset(-1), "negative"),
    "arity": (lambda source: source.where(FunctionExpression("equal", [Field.of("title")])), "2 arguments"),
    "aggregate elsewhere": (lambda source: source.select(FunctionExpression("count", []).as_("n")), "aggregate"),
    "change before the end": (lambda source: source.delete().limit(1), "delete"),
    "search": (lambda source: source.raw_stage("search"), "search"),
    "windows": (lambda source: source.raw_stage("add_window_fields"), "add_window_fields"),
    "two vectors": (lambda source: source.where(Field.of("v").exists()).select(Field.of("v").dot_product(Vector([1.0])).as_("x")), "dimension"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_faults_of_pipelines(source, name):
    change, text = MISTAKES[name]
    with pytest.raises(InvalidArgument) as error:
        change(source).execute()
    assert text in str(error.value) and "stage " in str(error.value)


@pytest.mark.parametrize("change, text", [
    (lambda source: source.raw_stage("nonsense"), "nonsense"), (lambda source: source.where(FunctionExpression("nonsense", [])), "nonsense"),
    (lambda source: source.limit(-1), ""), (lambda source: source.select(Field.of("title").multiply(2).as_("x")), ""),
])
def test_mistakes(source, change, text):
    with pytest.raises(InvalidArgument) as error:
        change(source).execute()
    assert text in str(error.value)
