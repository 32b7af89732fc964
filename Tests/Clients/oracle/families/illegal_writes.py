"""Names, paths, values, sizes and shapes that a write may not have, and the largest ones it may (DM-1 … DM-29)."""

from ..cases import Case, call
from ..values import INF, NAN, document, fields, geo, name, ref, ts, update, v, vector
from ..wire import DATABASE, PROJECT, ROOT, Document, Value, Write

OTHER = f"projects/{PROJECT}/databases/other/documents"

IDS = [
    "a", "é", "e\u0301", "a b", "a.b", ".", "..", "...", "_", "__", "___", "____", "__a__", "__a", "a__", "__é__", "__id7__", "__id-7__", "__id07__",
    "__id9223372036854775807__", "__id-9223372036854775808__", "__id9223372036854775808__", "__id__", "__id-0__", "__id+7__", "__idx__",
    "__id7_", "\0", "\n", "%2F", "a" * 1500, "a" * 1501, "é" * 750, "é" * 751, "~", "*", "[", "`", "\ufeff", "(default)", "\U0001f600",
]

NAMES = [
    "", "c", "c/d", "/c/d", f"{ROOT}", f"{ROOT}/", f"{ROOT}/c", f"{ROOT}/c/d/", f"{ROOT}/c//d", f"{ROOT}//d", f"{ROOT}/c/d/e", f"{ROOT}/c/d/e/f",
    f"{DATABASE}/c/d", f"projects/{PROJECT}/databases/(default)/document/c/d", f"{DATABASE}", f"projects/{PROJECT}", f"projects//databases/(default)/documents/c/d",
    f"{OTHER}/c/d", "projects/elsewhere/databases/(default)/documents/c/d", f"projects/{PROJECT}/databases//documents/c/d",
    f"projects/{PROJECT}/databases/default/documents/c/d", f"{ROOT}/" + "/".join(["c", "d"] * 100), f"{ROOT}/" + "/".join(["c", "d"] * 101),
    f"{ROOT}/" + "/".join(["c" * 1000, "d" * 1000] * 3), f"{ROOT}/" + "/".join(["c" * 1000, "d" * 1000] * 4), f"{ROOT}/c/d?x=1", f"{ROOT}/c/d#x",
]

KEYS = ["", "a", "a.b", "`", "\\", " ", "é", "0", "__", "___", "_a_", "__a__", "__type__", "__name__", "__a", "a__", "/", "~", "a" * 1500, "a" * 1501,
        "é" * 750, "é" * 751, "\0", "____"]

PATHS = ["", ".", "a.", ".a", "a..b", "a b", "a.b", "0", "a.0", "é", "a-b", "`", "``", "`a", "a`", "`a`b", "`a`.b", "`a.b`", "`a\\`b`", "`a\\\\b`", "`a\\b`", "a\\b",
         "__name__", "a.__name__", "__x__", "a.__x__", "__", "_", "__x", "a" * 1500, "a" * 1501, "a[0]", "a/b", "*", "a.*", "`é`", " a", "`\0`", "a,b", "`__x__`"]


def nested(levels, leaf=1, arrays=False):
    value = v(leaf)
    for level in range(levels):
        value = v([value]) if arrays and level % 2 else v({"a": value})
    return value


def _array_with(value):
    return Value(array_value={"values": [value]})


VALUES = {
    "no kind": Value(),
    "no kind in an array": _array_with(Value()),
    "no kind in a map": v({"a": Value()}),
    "field reference": Value(field_reference_value="a"),
    "function": Value(function_value={"name": "f"}),
    "pipeline": Value(pipeline_value={"stages": []}),
    "array in array": v([[1]]),
    "empty array in array": v([[]]),
    "array in map in array": v([{"a": [1]}]),
    "vector in array": v([vector(1)]),
    "vector in map": v({"a": vector(1)}),
    "empty vector": vector(),
    "vector of integers": v({"__type__": "__vector__", "value": [1, 2]}),
    "vector of mixed": v({"__type__": "__vector__", "value": [1, 2.5]}),
    "vector of strings": v({"__type__": "__vector__", "value": ["a"]}),
    "vector of null": v({"__type__": "__vector__", "value": [None]}),
    "vector with NaN": vector(NAN, INF, -0.0),
    "vector without value": v({"__type__": "__vector__"}),
    "vector with more": v({"__type__": "__vector__", "value": [1.0], "more": 1}),
    "vector whose value is no array": v({"__type__": "__vector__", "value": 1.0}),
    "unknown __type__": v({"__type__": "other", "value": [1.0]}),
    "__type__ is no string": v({"__type__": 1, "value": [1.0]}),
    "2048 dimensions": vector(*range(2048)),
    "2049 dimensions": vector(*range(2049)),
    "latitude 90": geo(90.0, 180.0),
    "latitude 90.1": geo(90.1, 0.0),
    "latitude -90.1": geo(-90.1, 0.0),
    "longitude 180.1": geo(0.0, 180.1),
    "latitude NaN": geo(NAN, 0.0),
    "longitude infinite": geo(0.0, INF),
    "first second": ts(-62_135_596_800),
    "before the first second": ts(-62_135_596_801, 999_999_999),
    "last nanosecond": ts(253_402_300_799, 999_999_999),
    "after the last second": ts(253_402_300_800),
    "negative nanos": ts(0, -1),
    "too many nanos": ts(0, 1_000_000_000),
    "nanoseconds": ts(1_000, 123_456_789),
    "nanoseconds before 1970": ts(-1_000, 123_456_789),
    "reference to a collection": ref("c"),
    "reference to the root": Value(reference_value=ROOT),
    "empty reference": Value(reference_value=""),
    "reference to nowhere": Value(reference_value="c/d"),
    "reference to another database": ref("c/d", OTHER),
    "reference to another project": ref("c/d", "projects/elsewhere/databases/(default)/documents"),
    "reference with a reserved id": ref("c/__x__"),
    "reference with a numeric id": ref("c/__id7__"),
    "reference with an empty id": ref("c//d/e"),
    "reference with a long id": ref("c/" + "a" * 1501),
    "reference with a slash at the end": ref("c/d/"),
    "reference with a dot": ref("c/."),
    "19 maps": nested(19),
    "20 maps": nested(20),
    "21 maps": nested(21),
    "20 levels with arrays": nested(20, arrays=True),
    "21 levels with arrays": nested(21, arrays=True),
    "20 levels around an empty map": nested(19, leaf={}),
    "21 levels around an empty map": nested(20, leaf={}),
    "string of 1048487 bytes": v("a" * 1_048_487),
    "string of 1048488 bytes": v("a" * 1_048_488),
    "bytes of 1048487 bytes": v(b"a" * 1_048_487),
    "bytes of 1048488 bytes": v(b"a" * 1_048_488),
    "string of 1501 bytes": v("a" * 1501),
    "array of 40001": v(list(range(40_001))),
}


def _sized(total):
    """A document of exactly `total` bytes by the storage rules (DM-23): names 4 × (1 + 1) …, fields, 32."""
    size = len("c") + 1 + len("d") + 1 + 16 + 32
    half = (total - size - 2 * (1 + 1 + 1)) // 2
    rest = total - size - 2 * (1 + 1 + 1) - half
    return {"a": "x" * half, "b": "y" * rest}


def _read(names):
    return call("BatchGetDocuments", database=DATABASE, documents=names)


def cases(seed, count, quick):
    for each in IDS:
        shown = each if len(each) < 30 else f"{each[:5]}… of {len(each.encode())} bytes"
        yield Case("illegal_writes", f"document id {shown!r}", [
            call("Commit", database=DATABASE, writes=[update(f"c/{each}", {"a": 1})]), _read([name(f"c/{each}")]),
            call("GetDocument", name=name(f"c/{each}")), call("Commit", database=DATABASE, writes=[{"delete": name(f"c/{each}")}]),
            call("CreateDocument", parent=ROOT, collection_id="c", document_id=each, document={"fields": fields({"a": 1})})])
        yield Case("illegal_writes", f"collection id {shown!r}", [
            call("Commit", database=DATABASE, writes=[update(f"{each}/d", {"a": 1})]), _read([name(f"{each}/d")]),
            call("ListDocuments", parent=ROOT, collection_id=each), call("ListCollectionIds", parent=ROOT),
            call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": each}]}),
            call("CreateDocument", parent=ROOT, collection_id=each, document_id="e", document={"fields": fields({"a": 1})})])
    for each in NAMES:
        shown = each if len(each) < 120 else f"{each[:60]}… of {len(each)} bytes"
        yield Case("illegal_writes", f"name {shown!r}", [
            call("GetDocument", name=each), _read([each]), call("Commit", database=DATABASE, writes=[{"delete": each}]),
            call("Commit", database=DATABASE, writes=[Write(update=Document(name=each, fields=fields({"a": 1})))]),
            call("BatchWrite", database=DATABASE, writes=[Write(update=Document(name=each, fields=fields({"a": 1})))]),
            call("UpdateDocument", document=Document(name=each, fields=fields({"a": 1}))), call("DeleteDocument", name=each),
        ])
    yield from _fields()
    yield from _shapes()


def _fields():
    for key in KEYS:
        shown = key if len(key) < 30 else f"{key[:5]}… of {len(key.encode())} bytes"
        for title, content in (("field", {key: 1}), ("key of a map", {"m": {key: 1}}), ("key in an array", {"t": [{key: 1}]})):
            yield Case("illegal_writes", f"{title} {shown!r}", [
                call("Commit", database=DATABASE, writes=[update("c/d", content)]), _read([name("c/d")])])
    for path in PATHS:
        shown = path if len(path) < 30 else f"{path[:5]}… of {len(path)} bytes"
        seeded = call("Commit", database=DATABASE, writes=[update("c/d", {"a": 1, "b": {"c": 1}})])
        yield Case("illegal_writes", f"mask path {shown!r}", [
            seeded, call("Commit", database=DATABASE, writes=[update("c/d", {"a": {"b": 2}, "é": 1, "0": 1}, mask=[path])]), _read([name("c/d")])])
        yield Case("illegal_writes", f"paths to read {shown!r}", [
            seeded, call("GetDocument", name=name("c/d"), mask={"field_paths": [path]}),
            call("BatchGetDocuments", database=DATABASE, documents=[name("c/d")], mask={"field_paths": [path]}),
            call("ListDocuments", parent=ROOT, collection_id="c", mask={"field_paths": [path]}),
            call("RunQuery", parent=ROOT, structured_query={"from_": [{"collection_id": "c"}], "select": {"fields": [{"field_path": path}]}}),
        ])
    for title, mask in {"same twice": ["a", "a"], "parent and child": ["a", "a.b"], "child and parent": ["a.b", "a"], "same, quoted": ["a", "`a`"]}.items():
        yield Case("illegal_writes", f"mask: {title}", [
            call("Commit", database=DATABASE, writes=[update("c/d", {"a": {"b": 2, "c": 3}}, mask=mask)]), _read([name("c/d")])])
    for title, value in VALUES.items():
        yield Case("illegal_writes", f"value: {title}", [
            call("Commit", database=DATABASE, writes=[update("c/d", {"f": value})]), _read([name("c/d")])])


def _shapes():
    write = update("c/d", {"a": 1})
    shapes = {
        "no operation": {},
        "no name": {"update": {}},
        "delete with a mask": {"delete": name("c/d"), "update_mask": {"field_paths": ["a"]}},
        "delete with an empty mask": {"delete": name("c/d"), "update_mask": {}},
        "delete of nothing": {"delete": ""},
        "update with times": {**write, "update": {**document("c/d", a=1), "create_time": {"seconds": 1}, "update_time": {"seconds": 1}}},
    }
    for title, shape in shapes.items():
        yield Case("illegal_writes", f"write: {title}", [
            call("Commit", database=DATABASE, writes=[shape]), _read([name("c/d")]), call("BatchWrite", database=DATABASE, writes=[shape])])
    for database in ("", "x", f"projects/{PROJECT}", f"{DATABASE}/", ROOT, f"projects/{PROJECT}/databases/other", "projects//databases/(default)"):
        yield Case("illegal_writes", f"database {database!r}", [
            call("Commit", database=database, writes=[]), call("Commit", database=database, writes=[write]),
            call("BatchWrite", database=database, writes=[]), call("BatchGetDocuments", database=database, documents=[]),
            call("BatchGetDocuments", database=database, documents=[name("c/d")]), call("BeginTransaction", database=database)])
    for size in (1_048_576, 1_048_577):
        yield Case("illegal_writes", f"document of {size} bytes", [
            call("Commit", database=DATABASE, writes=[update("c/d", _sized(size))])])
    invalid = Write(update=Document(name=name("c/d"), fields=fields({"a": "\0\0"}))).SerializeToString().replace(b"\0\0", b"\xff\xfe")
    data = call("Commit", database=DATABASE, writes=[]).request.SerializeToString() + b"\x12" + bytes([len(invalid)]) + invalid
    yield Case("illegal_writes", "invalid UTF-8", [type(call("Commit"))("Commit", data), type(call("Commit"))("Commit", b"\xff\xff\xff")])
    create = {"parent": ROOT, "collection_id": "c", "document": {"fields": fields({"a": 1})}}
    yield Case("illegal_writes", "create with a name", [call("CreateDocument", **{**create, "document": document("c/d", a=1)})])
    yield Case("illegal_writes", "create without a collection", [call("CreateDocument", **{**create, "collection_id": ""}, document_id="d")])
    yield Case("illegal_writes", "create with a slash", [call("CreateDocument", **{**create, "collection_id": "a/b"}, document_id="d")])
    yield Case("illegal_writes", "create with a slash in the id", [call("CreateDocument", **create, document_id="d/e/f")])
    yield Case("illegal_writes", "create below a collection", [call("CreateDocument", **{**create, "parent": name("c")}, document_id="d")])
    yield Case("illegal_writes", "create below a document", [call("CreateDocument", **{**create, "parent": name("c/x")}, document_id="d")])
    yield Case("illegal_writes", "create without a document", [call("CreateDocument", parent=ROOT, collection_id="c", document_id="d"), _read([name("c/d")])])
    yield Case("illegal_writes", "create with an illegal mask", [call("CreateDocument", **create, document_id="d", mask={"field_paths": ["a..b"]}), _read([name("c/d")])])
    yield Case("illegal_writes", "update with an illegal mask", [call("UpdateDocument", document=document("c/d", a=1), mask={"field_paths": ["a..b"]}), _read([name("c/d")])])
