"""Pipelines of a page in a real browser: the requests that the web SDK sends, over REST and across origins."""

import pytest

from .app import App
from .browsing import BROWSER, Pages

BOOKS = {
    "dune": {"title": "Dune", "year": 1965, "rating": 4.5, "genre": "sf", "open": True},
    "emma": {"title": "Emma", "year": 1815, "rating": 4.0, "genre": "romance", "open": False},
    "hobbit": {"title": "The Hobbit", "year": 1937, "rating": 4.75, "genre": "fantasy", "open": True},
    "rings": {"title": "The Lord of the Rings", "year": 1954, "rating": 4.75, "genre": "fantasy"},
}


# Values and stages as the SDK encodes them.

def constant(value):
    match value:
        case None:
            return {"nullValue": None}
        case bool():
            return {"booleanValue": value}
        case int():
            return {"integerValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [constant(element) for element in value]}}
        case dict():
            # What is encoded already has one member, named after its type.
            if len(value) == 1 and next(iter(value)).endswith("Value"):
                return value
            return {"mapValue": {"fields": {key: constant(element) for key, element in value.items()}}}
    raise TypeError(value)


def field(path):
    return {"fieldReferenceValue": path}


def call(name, *arguments):
    return {"functionValue": {"name": name, "args": [constant(argument) for argument in arguments]}}


def variable(name):
    return {"variableReferenceValue": name}


def stage(name, *arguments, **options):
    return {"name": name, "args": [constant(argument) for argument in arguments], **({"options": {key: constant(value) for key, value in options.items()}} if options else {})}


def fields(**expressions):
    return {"mapValue": {"fields": {key: constant(value) for key, value in expressions.items()}}}


def order(expression, direction="ascending"):
    return fields(direction=direction, expression=expression)


def collection(path="/books"):
    return stage("collection", {"referenceValue": path})


def where(name, *arguments):
    return stage("where", call(name, *arguments))


def pipeline(*stages, **options):
    return {"pipeline": {"stages": list(stages)}, **({"options": {key: constant(value) for key, value in options.items()}} if options else {})}


BY_YEAR = stage("sort", order(field("year")))
IDS = stage("select", fields(id=call("document_id", field("__name__"))))
DEEP = {"m": 1}
for _ in range(60):
    DEEP = {"m": DEEP}

# The stages, and the fields of their rows.
PIPELINES = {
    "all": ([collection(), IDS], [{"id": id} for id in BOOKS]),
    "equal": ([collection(), where("equal", field("genre"), "fantasy"), BY_YEAR, IDS], [{"id": "hobbit"}, {"id": "rings"}]),
    "a missing field is not equal": ([collection(), where("not_equal", field("open"), True), IDS], [{"id": "emma"}, {"id": "rings"}]),
    "and, or": ([collection(), where("or", call("and", call("greater_than", field("year"), 1900), call("less_than", field("year"), 1950)), call("equal", field("genre"), "sf")), IDS],
                [{"id": "dune"}, {"id": "hobbit"}]),
    "any of": ([collection(), where("equal_any", field("year"), [1815, 1954, None]), BY_YEAR, IDS], [{"id": "emma"}, {"id": "rings"}]),
    "a window": ([collection(), stage("sort", order(field("rating"), "descending"), order(field("year"))), stage("offset", 1), stage("limit", 2), IDS], [{"id": "rings"}, {"id": "dune"}]),
    "numbers": ([collection(), where("equal", call("mod", field("year"), 2), 0), stage("select", fields(twice=call("multiply", field("rating"), 2)))], [{"twice": 9.5}]),
    "texts": ([collection(), where("starts_with", field("title"), "The "), stage("select", fields(t=call("to_upper", field("title")))), stage("limit", 1)], [{"t": "THE HOBBIT"}]),
    "a regular expression": ([collection(), where("regex_contains", field("title"), "^[DE]"), IDS], [{"id": "dune"}, {"id": "emma"}]),
    "added and removed": ([collection(), where("equal", field("year"), 1815), stage("add_fields", fields(age=call("subtract", 2015, field("year")))), stage("remove_fields", *map(field, ["year", "rating", "open"]))],
                          [{"age": 200, "genre": "romance", "title": "Emma"}]),
    "groups": ([collection(), stage("aggregate", fields(n=call("count"), best=call("maximum", field("rating"))), fields(genre=field("genre"))), stage("sort", order(field("genre")))],
               [{"best": 4.75, "genre": "fantasy", "n": 2}, {"best": 4.0, "genre": "romance", "n": 1}, {"best": 4.5, "genre": "sf", "n": 1}]),
    "distinct": ([collection(), stage("distinct", fields(rating=field("rating"))), stage("sort", order(field("rating")))], [{"rating": 4.0}, {"rating": 4.5}, {"rating": 4.75}]),
    "elements": ([stage("literals", fields(a=[1, 2], b="x")), stage("unnest", field("a"), field("e"), index_field=field("i")), stage("remove_fields", field("a"))],
                 [{"b": "x", "e": 1, "i": 0}, {"b": "x", "e": 2, "i": 1}]),
    "a union": ([collection("/none"), stage("union", {"pipelineValue": {"stages": [collection(), where("equal", field("year"), 1965)]}}), IDS], [{"id": "dune"}]),
    "a join": ([collection(), where("equal", field("year"), 1937), stage("let", fields(g=field("genre"))), stage("select", fields(
        title=field("title"), others=call("scalar", {"pipelineValue": {"stages": [collection(), where("equal", field("genre"), variable("g")), stage("aggregate", fields(n=call("count")), fields())]}})))],
               [{"title": "The Hobbit", "others": 2}]),
    "by name": ([stage("documents", {"referenceValue": "/books/rings"}, {"referenceValue": "/books/none"}, {"referenceValue": "/books/dune"}), IDS], [{"id": "rings"}, {"id": "dune"}]),
    "a group of collections": ([stage("collection_group", {"referenceValue": ""}, "notes"), stage("select", fields(text=field("text")))], [{"text": "spice"}]),
    "a map becomes the row": ([collection(), stage("limit", 1), stage("replace_with", call("map", "t", field("title"), "y", call("array", field("year"), [1])), "full_replace")], [{"t": "Dune", "y": [1965, [1]]}]),
    "what no document holds": ([stage("literals", fields(nested=[[1, [2, []]]], empty={"": "x"}, deep=DEEP))], [{"nested": [[1, [2, []]]], "empty": {"": "x"}, "deep": DEEP}]),
    "nothing": ([collection("/none")], []),
    "documents change": ([collection(), where("equal", field("genre"), "sf"), stage("update", fields(genre="science fiction"))], [{"documents_modified": 1}]),
    "and were changed": ([collection(), where("equal", field("genre"), "science fiction"), IDS], [{"id": "dune"}]),
}


def plain(value):
    (kind, content), = value.items()
    match kind:
        case "integerValue":
            return int(content)
        case "arrayValue":
            return [plain(element) for element in content.get("values", [])]
        case "mapValue":
            return {key: plain(element) for key, element in content.get("fields", {}).items()}
        case "nullValue":
            return None
        case _:
            return content


def browse(app, given):
    pages = Pages(given)
    try:
        return pages.browse(app, "pipelines.html")
    finally:
        pages.close()


@pytest.fixture
def app(hearth, database):
    app = App(hearth, database)
    app.commit(*[app.set(f"books/{id}", **book) for id, book in BOOKS.items()], app.set("books/dune/notes/n1", text="spice"))
    return app


@pytest.mark.one_server("a browser keeps connections, so it needs a balancer that looks at every request")
@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
def test_pipelines_of_a_page(app):
    found = browse(app, {name: {"pipeline": pipeline(*stages)} for name, (stages, _) in PIPELINES.items()})
    assert "error" not in found, found
    for name, (_, expected) in PIPELINES.items():
        answer = found[name]
        assert answer["status"] == 200, f"{name}: {answer}"
        assert all("executionTime" in message for message in answer["messages"]), name
        rows = [row for message in answer["messages"] for row in message.get("results", [])]
        assert [{key: plain(value) for key, value in row.get("fields", {}).items()} for row in rows] == expected, name
    assert app.get("books/dune")["genre"] == {"stringValue": "science fiction"}


@pytest.mark.one_server("a browser keeps connections, so it needs a balancer that looks at every request")
@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
def test_options_transactions_and_mistakes_of_a_page(app):
    explained = {form: {"pipeline": pipeline(collection(), explain_options={"mode": "analyze", "output_format": form})} for form in ("text", "json")}
    found = browse(app, {
        **explained, "rows": {"pipeline": pipeline(collection(), stage("limit", 1))},
        "begin": {"pipeline": pipeline(collection()), "request": {"newTransaction": {"readOnly": {}}}},
        "unknown": {"pipeline": pipeline(collection(), stage("nonsense"))},
        "elsewhere": {"pipeline": pipeline(collection()), "request": {"readTime": "1999-01-01T00:00:00Z"}},
    })
    assert "error" not in found, found
    texts = {form: found[form]["messages"][-1]["explainStats"]["data"] for form in explained}
    assert all(text["@type"] == "type.googleapis.com/google.protobuf.StringValue" for text in texts.values())
    assert texts["text"]["value"].startswith("Plan") and texts["json"]["value"].startswith('{"plan":')
    row, = found["rows"]["messages"][0]["results"]
    assert row["name"] == app.name("books/dune") and row["createTime"] == row["updateTime"]
    assert "transaction" in found["begin"]["messages"][0]
    assert found["unknown"]["status"] == 400 and "stage 2 (nonsense)" in found["unknown"]["messages"][0]["error"]["message"]
    assert found["elsewhere"]["status"] in (400, 412)
