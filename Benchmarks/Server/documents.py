"""The D1 documents, and requests about them, as encoded messages.

Documents, queries and names come from the project's workloads: about 1 KB in ten strings, a group, a shuffled
number and a flag; Q1 one group from the middle on, Q2 a range of numbers, Q3 one group.
"""

import random

import grpc
from google.cloud.firestore_v1 import types

PROJECT = "bench"
DATABASE = f"projects/{PROJECT}/databases/(default)"
COLLECTION = "coll"
PREFIX = "/google.firestore.v1.Firestore/"
GET, COMMIT, RUN_QUERY, AGGREGATE, LISTEN, EXECUTE_PIPELINE = (
    PREFIX + name for name in ("GetDocument", "Commit", "RunQuery", "RunAggregationQuery", "Listen", "ExecutePipeline")
)


def document_id(number):
    return f"doc{number:07d}"


def document_name(number, collection=COLLECTION):
    return f"{DATABASE}/documents/{collection}/{document_id(number)}"


def shuffled(count):
    """A fixed shuffle of 0..<count."""
    numbers = list(range(count))
    random.Random(42).shuffle(numbers)
    return numbers


def strings(number):
    return {f"f{column}": f"value-{number}-{column}-".ljust(90, "x") for column in range(10)}


def fields(number, shuffle):
    return {**strings(number), "grp": number % 100, "n": shuffle[number], "flag": number % 2 == 0}


def value(of):
    """A `Value` message for what the documents hold."""
    if isinstance(of, bool):
        return {"boolean_value": of}
    if isinstance(of, int):
        return {"integer_value": of}
    return {"string_value": of}


def encoded(message):
    return type(message).serialize(message)


def values(of):
    return {name: value(content) for name, content in of.items()}


def get(number=0):
    return encoded(types.GetDocumentRequest(name=document_name(number)))


def set_batches(count, collection=COLLECTION, size=500, shuffle=None, more=None):
    """Commits that set documents 0..<count, in batches, each with `more` fields."""
    shuffle = shuffle or shuffled(count)
    for start in range(0, count, size):
        writes = [
            {"update": {"name": document_name(number, collection), "fields": values({**fields(number, shuffle), **(more or {})})}}
            for number in range(start, min(start + size, count))
        ]
        yield encoded(types.CommitRequest(database=DATABASE, writes=writes))


def increment(number=0, collection="counters", more=None):
    """A commit of one write of 1 KB that changes the document every time it is sent: the number counts up.

    The same bytes again would otherwise be a write that changes nothing, which costs a database next to nothing.
    """
    kept = {**strings(number), "grp": number % 100, "flag": number % 2 == 0, **(more or {})}
    write = {
        "update": {"name": document_name(number, collection), "fields": values(kept)},
        "update_mask": {"field_paths": sorted(kept)},
        "update_transforms": [{"field_path": "n", "increment": {"integer_value": 1}}],
    }
    return encoded(types.CommitRequest(database=DATABASE, writes=[write]))


def tick(number, collection="ticks", document=0, more=None):
    """A commit that sets one small document to a number."""
    write = {"update": {"name": document_name(document, collection), "fields": values({"n": number, **(more or {})})}}
    return encoded(types.CommitRequest(database=DATABASE, writes=[write]))


def commit(*writes):
    return encoded(types.CommitRequest(database=DATABASE, writes=writes))


def run_query(query):
    return encoded(types.RunQueryRequest(parent=f"{DATABASE}/documents", structured_query=query))


def run_aggregation(query):
    return encoded(types.RunAggregationQueryRequest(parent=f"{DATABASE}/documents", structured_aggregation_query=query))


def whole_collection(limit=None):
    """Q4."""
    query = {"from_": [{"collection_id": COLLECTION}]}
    return run_query({**query, "limit": limit} if limit else query)


def pipeline_of_collection():
    """What Q4 asks, as a pipeline."""
    stage = {"name": "collection", "args": [{"reference_value": f"/{COLLECTION}"}]}
    return encoded(types.ExecutePipelineRequest(database=DATABASE, structured_pipeline={"pipeline": {"stages": [stage]}}))


def group(number, limit=100):
    """The first of a group, by number."""
    equal = {"field": {"field_path": "grp"}, "op": "EQUAL", "value": value(number)}
    order = {"field": {"field_path": "n"}, "direction": "ASCENDING"}
    source = [{"collection_id": COLLECTION}]
    return run_query({"from_": source, "where": {"field_filter": equal}, "order_by": [order], "limit": limit})


def answer_of(port, path, request):
    """The message with which a server answers."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        return channel.unary_unary(path)(request)


def listen_to_document(collection="ticks", document=0, target=1):
    return encoded(
        types.ListenRequest(
            database=DATABASE,
            add_target={"documents": {"documents": [document_name(document, collection)]}, "target_id": target},
        )
    )
