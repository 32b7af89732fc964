"""REST: a sample of every other family by its routes, and bodies that only JSON can hold (0.4 … 0.6, VAL-24)."""

from itertools import islice
from urllib.parse import quote

from ..cases import Call, Case
from ..rest import Rest, RestCall
from ..wire import DATABASE, METHODS, PROJECT, ROOT
from . import aggregations, illegal_writes, preconditions, queries, reads, transactions, transforms, writes

# The double −0.0 in a Value: the emulator's JSON loses its sign, which one case shows.
MINUS_ZERO = b"\x19" + b"\0" * 7 + b"\x80"
SEED = RestCall(queries.SEED)


def cases(seed, count, quick):
    yield from _bodies()
    yield from _routes()
    for family, step in ((preconditions, 41), (transforms, 17), (writes, 7), (illegal_writes, 5), (queries, 5), (aggregations, 7), (reads, 5), (transactions, 7)):
        for case in islice(family.cases(seed, 1, True), 0, None, step * (4 if quick else 1)):
            if all(_fits(each) for each in case.steps):
                yield Case("rest", f"{case.family}: {case.name}", [RestCall(each) for each in case.steps])


def _fits(step):
    if not isinstance(step, Call) or isinstance(step.request, bytes) or step.method not in METHODS:
        return False
    # Unknown fields, as `verify` is, do not get into JSON; large requests would say nothing new.
    data = step.request.SerializeToString()
    return len(data) < 100_000 and MINUS_ZERO not in data and b"\x2a" + bytes([len(ROOT) + 4]) not in data and not _odd_time(step.request)


def _odd_time(message):
    """Times that JSON cannot hold."""
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        if descriptor.message_type.full_name == "google.protobuf.Timestamp":
            if not descriptor.is_repeated and (value.nanos < -2000 or -1000 < value.nanos < 0 or value.nanos > 999_999_999 or not -62_135_596_800 <= value.seconds <= 253_402_300_799):
                return True
        elif descriptor.message_type.GetOptions().map_entry:
            if any(hasattr(each, "ListFields") and _odd_time(each) for each in value.values()):
                return True
        elif hasattr(value, "ListFields"):
            if _odd_time(value):
                return True
        elif any(_odd_time(each) for each in value):
            return True
    return False


def _commit(*writes):
    return Rest("POST", f"{DATABASE}/documents:commit", {"writes": list(writes)})


def _update(value, **more):
    return _commit({"update": {"name": f"{ROOT}/c/d", "fields": {"f": value}}, **more})


READ = Rest("GET", f"{ROOT}/c/d", changes=False)


def _bodies():
    """Values in every spelling."""
    values = {
        "integer as text": {"integerValue": "5"}, "integer as number": {"integerValue": 5}, "integer with a fraction": {"integerValue": 5.5}, "integer as 5.0": {"integerValue": 5.0},
        "integer as 5e0": {"integerValue": "5e0"}, "integer that is none": {"integerValue": "x"}, "integer too large": {"integerValue": "9223372036854775808"}, "largest integer": {"integerValue": "9223372036854775807"},
        "integer as boolean": {"integerValue": True}, "double": {"doubleValue": 1.5}, "double as integer": {"doubleValue": 1}, "double as text": {"doubleValue": "1.5"}, "NaN": {"doubleValue": "NaN"},
        "Infinity": {"doubleValue": "Infinity"}, "-Infinity": {"doubleValue": "-Infinity"}, "-0.0": {"doubleValue": -0.0}, "double as nonsense": {"doubleValue": "x"},
        "null": {"nullValue": None}, "null by name": {"nullValue": "NULL_VALUE"}, "null by number": {"nullValue": 0}, "null by nonsense": {"nullValue": "x"}, "boolean": {"booleanValue": False},
        "boolean as text": {"booleanValue": "true"}, "boolean as number": {"booleanValue": 1}, "text": {"stringValue": "é\u0000\U0001f600"}, "text as number": {"stringValue": 5},
        "base64": {"bytesValue": "+/8="}, "base64 for URLs": {"bytesValue": "-_8"}, "base64 without padding": {"bytesValue": "+/8"}, "bad base64": {"bytesValue": "!!"}, "no bytes": {"bytesValue": ""},
        "time": {"timestampValue": "2020-01-02T03:04:05Z"}, "time with milliseconds": {"timestampValue": "2020-01-02T03:04:05.120Z"}, "time with nanoseconds": {"timestampValue": "2020-01-02T03:04:05.123456789Z"},
        "time with a zone": {"timestampValue": "2020-01-02T03:04:05+01:00"}, "time without a zone": {"timestampValue": "2020-01-02T03:04:05"}, "bad time": {"timestampValue": "yesterday"},
        "first time": {"timestampValue": "0001-01-01T00:00:00Z"}, "last time": {"timestampValue": "9999-12-31T23:59:59.999999999Z"}, "year 0": {"timestampValue": "0000-01-01T00:00:00Z"},
        "place": {"geoPointValue": {"latitude": 1.5, "longitude": -2}}, "place at 0": {"geoPointValue": {}}, "bad place": {"geoPointValue": {"latitude": 91}}, "reference": {"referenceValue": f"{ROOT}/c/d"},
        "bad reference": {"referenceValue": "c/d"}, "empty array": {"arrayValue": {}}, "array": {"arrayValue": {"values": [{"integerValue": "1"}, {"nullValue": None}]}}, "array of arrays": {"arrayValue": {"values": [{"arrayValue": {}}]}},
        "empty values": {"arrayValue": {"values": []}}, "array as array": {"arrayValue": []}, "empty map": {"mapValue": {}}, "map": {"mapValue": {"fields": {"x": {"stringValue": "y"}}}}, "map with empty fields": {"mapValue": {"fields": {}}},
        "nothing": {}, "null itself": None, "two kinds": {"integerValue": "1", "stringValue": "x"}, "unknown kind": {"nonsenseValue": 1}, "plain number": 5, "plain text": "x",
        "names of the proto": {"integer_value": "5"}, "vector": {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"}, "value": {"arrayValue": {"values": [{"doubleValue": 1}]}}}}},
    }
    for title, value in values.items():
        yield Case("rest", f"value: {title}", [_update(value), READ])
    name = f"{ROOT}/c/d"
    bodies = {
        "no body": None, "empty": "", "no JSON": "{", "an array": [], "text": '"x"', "null": "null", "nothing": {}, "unknown field": {"nonsense": 1}, "unknown field in a write": {"writes": [{"delete": name, "nonsense": 1}]},
        "two operations": {"writes": [{"delete": name, "update": {"name": name}}]}, "two preconditions": {"writes": [{"delete": name, "currentDocument": {"exists": True, "updateTime": "2020-01-01T00:00:00Z"}}]},
        "names of the proto": {"writes": [{"update": {"name": name}, "current_document": {"exists": False}}]}, "a write that is none": {"writes": [5]}, "writes that are none": {"writes": {}}, "null writes": {"writes": None},
        "mask as text": {"writes": [{"update": {"name": name, "fields": {"a": {"integerValue": 1}}}, "updateMask": "a"}]}, "mask": {"writes": [{"update": {"name": name}, "updateMask": {"fieldPaths": ["a"]}}]},
        "bad transaction": {"writes": [], "transaction": "!!"}, "unknown transaction": {"writes": [], "transaction": "AAAA"}, "key twice": '{"writes": [], "writes": []}', "comment": '{"writes": [] /* */}', "trailing comma": '{"writes": [],}',
        "not UTF-8": b'{"writes": ["\xff"]}', "request time": {"writes": [{"transform": {"document": name, "fieldTransforms": [{"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}]}}]},
        "server value by number": {"writes": [{"transform": {"document": name, "fieldTransforms": [{"fieldPath": "t", "setToServerValue": 1}]}}]},
        "unknown server value": {"writes": [{"transform": {"document": name, "fieldTransforms": [{"fieldPath": "t", "setToServerValue": "NONSENSE"}]}}]}, "verify": {"writes": [{"verify": name, "currentDocument": {"exists": False}}]},
    }
    for title, body in bodies.items():
        yield Case("rest", f"body: {title}", [Rest("POST", f"{DATABASE}/documents:commit", body), READ])
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8", ""):
        yield Case("rest", f"content type {kind!r}", [Rest("POST", f"{DATABASE}/documents:commit", {"writes": [{"delete": name}]}, {"content-type": kind})])
    query = {"from": [{"collectionId": "c"}]}
    queries_ = {
        "plain": {"structuredQuery": query}, "limit as number": {"structuredQuery": {**query, "limit": 1}}, "limit as message": {"structuredQuery": {**query, "limit": {"value": 1}}}, "limit as text": {"structuredQuery": {**query, "limit": "1"}},
        "direction": {"structuredQuery": {**query, "orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}]}}, "direction by number": {"structuredQuery": {**query, "orderBy": [{"field": {"fieldPath": "n"}, "direction": 2}]}},
        "bad direction": {"structuredQuery": {**query, "orderBy": [{"field": {"fieldPath": "n"}, "direction": "SIDEWAYS"}]}}, "bad operator": {"structuredQuery": {**query, "where": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "LIKE", "value": {"integerValue": 1}}}}},
        "two filters in one": {"structuredQuery": {**query, "where": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "EQUAL", "value": {"integerValue": 1}}, "unaryFilter": {"field": {"fieldPath": "n"}, "op": "IS_NULL"}}}},
        "two selectors": {"structuredQuery": query, "newTransaction": {}, "readTime": "2020-01-01T00:00:00Z"}, "no result": {"structuredQuery": {"from": [{"collectionId": "none"}]}}, "no query": {}, "error": {"structuredQuery": {**query, "limit": -1}},
        "offset": {"structuredQuery": {**query, "offset": 2}}, "new transaction": {"structuredQuery": query, "newTransaction": {"readOnly": {}}},
    }
    for title, body in queries_.items():
        yield Case("rest", f"query: {title}", [SEED, Rest("POST", f"{ROOT}:runQuery", body, changes=False)])
    for title, body in {"found and missing": {"documents": [f"{ROOT}/c/a", f"{ROOT}/c/none"]}, "nothing": {"documents": []}, "error": {"documents": ["x"]}, "two selectors": {
            "documents": [], "newTransaction": {}, "readTime": "2020-01-01T00:00:00Z"}}.items():
        yield Case("rest", f"batch get: {title}", [SEED, Rest("POST", f"{ROOT}:batchGet", body, changes=False)])


def _routes():
    escaped = DATABASE.replace("(default)", "%28default%29")
    create = {"fields": {"a": {"integerValue": "1"}}}
    paths = {
        "get": ("GET", f"{ROOT}/c/a", None), "get missing": ("GET", f"{ROOT}/c/none", None), "default, escaped": ("GET", f"{escaped}/documents/c/a", None), "with a mask": ("GET", f"{ROOT}/c/a?mask.fieldPaths=n&mask.fieldPaths=m.x", None),
        "with an unknown parameter": ("GET", f"{ROOT}/c/a?nonsense=1", None), "with an API key": ("GET", f"{ROOT}/c/a?key=abc", None), "with $alt": ("GET", f"{ROOT}/c/a?alt=json", None), "list": ("GET", f"{ROOT}/c", None),
        "list by snake case": ("GET", f"{ROOT}/c?page_size=2", None), "list a page": ("GET", f"{ROOT}/c?pageSize=2&orderBy=n%20desc", None), "list of nothing": ("GET", f"{ROOT}/none", None), "list missing": ("GET", f"{ROOT}/c?showMissing=true", None),
        "list missing, badly": ("GET", f"{ROOT}/c?showMissing=perhaps", None), "page size is text": ("GET", f"{ROOT}/c?pageSize=x", None), "deeper list": ("GET", f"{ROOT}/c/a/c", None), "the root": ("GET", ROOT, None), "the database": ("GET", DATABASE, None),
        "an escaped slash": ("GET", f"{ROOT}/c/a%2Fb", None), "an escaped id": ("GET", f"{ROOT}/c/{quote('é')}", None), "a plus": ("GET", f"{ROOT}/c/a+b", None), "a slash at the end": ("GET", f"{ROOT}/c/a/", None), "two slashes": ("GET", f"{ROOT}/c//a", None),
        "create": ("POST", f"{ROOT}/c?documentId=new", create), "create an existing one": ("POST", f"{ROOT}/c?documentId=a", create), "create, reserved": ("POST", f"{ROOT}/c?documentId=__x__", create), "create with a mask": ("POST", f"{ROOT}/c?documentId=new&mask.fieldPaths=b", create),
        "create with a bad body": ("POST", f"{ROOT}/c?documentId=new", "{"), "create nothing": ("POST", f"{ROOT}/c?documentId=new", None), "patch": ("PATCH", f"{ROOT}/c/a?updateMask.fieldPaths=a", create), "patch all": ("PATCH", f"{ROOT}/c/a", create),
        "patch one that is to exist": ("PATCH", f"{ROOT}/c/none?currentDocument.exists=true", create), "patch one that is not to": ("PATCH", f"{ROOT}/c/a?currentDocument.exists=false", create), "patch, returning a field": ("PATCH", f"{ROOT}/c/a?mask.fieldPaths=n&updateMask.fieldPaths=a", create),
        "patch with a time": ("PATCH", f"{ROOT}/c/a?currentDocument.updateTime=2020-01-01T00:00:00Z", create), "patch with a bad time": ("PATCH", f"{ROOT}/c/a?currentDocument.updateTime=x", create), "patch with a name inside": ("PATCH", f"{ROOT}/c/a", {**create, "name": f"{ROOT}/c/b"}),
        "delete": ("DELETE", f"{ROOT}/c/a", None), "delete missing": ("DELETE", f"{ROOT}/c/none", None), "delete if it exists": ("DELETE", f"{ROOT}/c/none?currentDocument.exists=true", None), "delete a collection": ("DELETE", f"{ROOT}/c", None), "patch a collection": ("PATCH", f"{ROOT}/c", create),
        "put": ("PUT", f"{ROOT}/c/a", create), "head": ("HEAD", f"{ROOT}/c/a", None), "options": ("OPTIONS", f"{ROOT}/c/a", None), "unknown verb": ("POST", f"{ROOT}:nonsense", {}), "unknown version": ("GET", f"../v9/{ROOT}/c/a", None), "nothing": ("GET", "", None),
        "get by POST": ("POST", f"{ROOT}/c/a", {}), "query by GET": ("GET", f"{ROOT}:runQuery", None), "pipeline": ("POST", f"{ROOT}:executePipeline", {}), "collections": ("POST", f"{ROOT}:listCollectionIds", {}), "collections below": ("POST", f"{ROOT}/c/a:listCollectionIds", {"pageSize": 1}),
        "query below": ("POST", f"{ROOT}/c/a:runQuery", {"structuredQuery": {"from": [{"collectionId": "c"}]}}), "begin": ("POST", f"{ROOT}:beginTransaction", {}), "begin read-only": ("POST", f"{ROOT}:beginTransaction", {"options": {"readOnly": {}}}),
        "begin with both modes": ("POST", f"{ROOT}:beginTransaction", {"options": {"readOnly": {}, "readWrite": {}}}), "roll back nonsense": ("POST", f"{ROOT}:rollback", {"transaction": "AAAA"}), "roll back bad base64": ("POST", f"{ROOT}:rollback", {"transaction": "!"}),
        "database in the body": ("POST", f"{ROOT}:commit", {"database": "nonsense", "writes": []}), "another project": ("GET", ROOT.replace(PROJECT, "elsewhere") + "/c/a", None),
    }
    for title, (verb, path, body) in paths.items():
        yield Case("rest", f"route: {title}", [SEED, Rest(verb, path, body, changes=verb != "GET")])
