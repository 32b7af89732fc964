"""REST and the other routes, with `curl`: what anybody can do from a shell."""

import json
import shutil
import subprocess
import urllib.parse

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")


@pytest.fixture
def curl(address):
    def curl(method, path, body=None, headers=("Authorization: Bearer owner",), protocol="--http1.1"):
        command = ["curl", "--silent", "--globoff", protocol, "--max-time", "20", "-X", method, "-w", "\n%{http_code}", f"http://{address}{path}"]
        for header in headers:
            command += ["-H", header]
        if body is not None:
            command += ["-H", "Content-Type: application/json", "--data-binary", body if isinstance(body, str) else json.dumps(body)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        text, status = output.rsplit("\n", 1)
        try:
            return int(status), json.loads(text) if text.strip() else None
        except json.JSONDecodeError:
            return int(status), text

    return curl


@pytest.fixture
def root(project):
    return f"/v1/projects/{project}/databases/(default)/documents"


def fields(**values):
    return {"fields": {name: {"integerValue": str(value)} if isinstance(value, int) else {"stringValue": value} for name, value in values.items()}}


def test_documents(curl, root):
    assert curl("POST", f"{root}/c?documentId=a", fields(n=1))[0] == 200
    status, error = curl("POST", f"{root}/c?documentId=a", fields(n=1))
    assert status == 409 and error["error"]["status"] == "ALREADY_EXISTS"
    status, found = curl("GET", f"{root}/c/a")
    assert status == 200 and found["fields"] == {"n": {"integerValue": "1"}} and found["name"].endswith("/documents/c/a")
    assert found["createTime"] == found["updateTime"]
    status, found = curl("PATCH", f"{root}/c/a?updateMask.fieldPaths=m", fields(n=7, m="x"))
    assert status == 200 and found["fields"] == {"n": {"integerValue": "1"}, "m": {"stringValue": "x"}}
    assert curl("PATCH", f"{root}/c/b?currentDocument.exists=true", fields(n=7))[0] == 404
    assert curl("GET", f"{root}/c/a?mask.fieldPaths=m")[1]["fields"] == {"m": {"stringValue": "x"}}
    assert curl("DELETE", f"{root}/c/a") == (200, {})
    status, error = curl("GET", f"{root}/c/a")
    assert status == 404 and error["error"]["status"] == "NOT_FOUND"


def test_lists(curl, root):
    for id in "abc":
        curl("PATCH", f"{root}/c/{id}", fields(n=ord(id)))
    curl("PATCH", f"{root}/c/x/sub/y", fields(n=1))
    status, page = curl("GET", f"{root}/c?pageSize=2")
    assert status == 200 and [doc["name"][-1] for doc in page["documents"]] == ["a", "b"]
    status, page = curl("GET", f"{root}/c?pageSize=2&pageToken={urllib.parse.quote(page['nextPageToken'], safe='')}")
    assert [doc["name"][-1] for doc in page["documents"]] == ["c"] and "nextPageToken" not in page
    status, page = curl("GET", f"{root}/c?orderBy=n%20desc")
    assert [doc["name"][-1] for doc in page["documents"]] == ["c", "b", "a"]
    status, page = curl("GET", f"{root}/c?showMissing=true")
    assert [doc["name"][-1] for doc in page["documents"]] == ["a", "b", "c", "x"]
    assert curl("POST", f"{root}:listCollectionIds", {})[1]["collectionIds"] == ["c"]
    assert curl("POST", f"{root}/c/x:listCollectionIds", {})[1]["collectionIds"] == ["sub"]


def test_queries(curl, root, project):
    for n in range(5):
        curl("PATCH", f"{root}/c/{n}", fields(n=n))
    query = {"structuredQuery": {
        "from": [{"collectionId": "c"}], "orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}], "limit": 2,
        "where": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "LESS_THAN", "value": {"integerValue": "4"}}}}}
    status, found = curl("POST", f"{root}:runQuery", query)
    assert status == 200 and [each["document"]["name"][-1] for each in found] == ["3", "2"]
    counting = {"structuredAggregationQuery": query | {"aggregations": [{"alias": "all", "count": {}}]}}
    status, found = curl("POST", f"{root}:runAggregationQuery", counting)
    assert status == 200 and found[0]["result"]["aggregateFields"] == {"all": {"integerValue": "2"}}
    names = [f"projects/{project}/databases/(default)/documents/c/{id}" for id in ("1", "9")]
    status, found = curl("POST", f"{root}:batchGet", {"documents": names})
    assert status == 200 and {"found" if "found" in each else "missing" for each in found} == {"found", "missing"}
    group = {"structuredQuery": {"from": [{"collectionId": "c", "allDescendants": True}], "orderBy": [{"field": {"fieldPath": "__name__"}}]}, "partitionCount": "2"}
    assert curl("POST", f"{root}:partitionQuery", group)[0] == 200


def test_writes_and_transactions(curl, root, project):
    name = f"projects/{project}/databases/(default)/documents/c/a"
    write = {"update": {"name": name} | fields(n=1), "currentDocument": {"exists": False}}
    status, answer = curl("POST", f"{root}:commit", {"writes": [write]})
    assert status == 200 and answer["commitTime"] == answer["writeResults"][0]["updateTime"]
    assert curl("POST", f"{root}:commit", {"writes": [write]})[0] == 409
    status, answer = curl("POST", f"{root}:batchWrite", {"writes": [write, {"delete": name + "2"}]})
    assert status == 200 and [each.get("code", 0) for each in answer["status"]] == [6, 0]
    status, begun = curl("POST", f"{root}:beginTransaction", {})
    assert status == 200
    assert curl("POST", f"{root}:batchGet", {"documents": [name], "transaction": begun["transaction"]})[0] == 200
    assert curl("POST", f"{root}:commit", {"transaction": begun["transaction"], "writes": [{"delete": name}]})[0] == 200
    assert curl("GET", f"{root}/c/a")[0] == 404
    status, begun = curl("POST", f"{root}:beginTransaction", {"options": {"readOnly": {}}})
    assert curl("POST", f"{root}:rollback", {"transaction": begun["transaction"]}) == (200, {})


@pytest.mark.parametrize("path, body", [
    (":runQuery", "{"), (":runQuery", "[]"), (":commit", '{"writes": 7}'), (":commit", '{"nothing": 1}'), (":batchGet", '{"documents": ["wrong"]}'),
])
def test_nonsense(curl, root, path, body):
    status, error = curl("POST", root + path, body)
    assert status == 400 and (error[0] if isinstance(error, list) else error)["error"]["status"] == "INVALID_ARGUMENT"


def test_both_versions_of_http(curl, root):
    for protocol in ("--http1.1", "--http2-prior-knowledge"):
        assert curl("PATCH", f"{root}/c/a", fields(n=1), protocol=protocol)[0] == 200


def test_unknown_routes(curl):
    assert curl("GET", "/v1/nothing")[0] == 404


def test_health(curl):
    assert curl("GET", "/")[0] == 200


def test_metrics(curl):
    status, text = curl("GET", "/metrics")
    assert status == 200 and "# TYPE" in text


def test_clearing(curl, root, project):
    curl("PATCH", f"{root}/c/a/sub/b", fields(n=1))
    curl("PATCH", f"{root}/c/a", fields(n=1))
    assert curl("DELETE", f"/emulator/v1/projects/{project}/databases/(default)/documents")[0] == 200
    assert curl("GET", f"{root}/c/a")[0] == 404 and curl("GET", f"{root}/c/a/sub/b")[0] == 404
    assert curl("POST", f"{root}:listCollectionIds", {})[1] in ({}, {"collectionIds": []})


def test_clearing_is_told_to_listeners(curl, project, db, listen):
    db.document("c/a").set({"n": 1})
    listening = listen(db.collection("c"))
    listening.until({"a": {"n": 1}})
    curl("DELETE", f"/emulator/v1/projects/{project}/databases/(default)/documents")
    listening.until({})
    db.document("c/b").set({"n": 2})
    listening.until({"b": {"n": 2}})
