"""REST and the other routes, with `curl`: what anybody can do from a shell."""

import gzip
import http.client
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


@pytest.mark.one_server("curl connects for each request, and a transaction belongs to its node")
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


@pytest.mark.parametrize("header, expected", [
    ("Host: evil.example", 421), ("Host: evil-localhost.com", 421), ("Host: localhost.evil.com", 421), ("Host: 127.0.0.1.evil.com", 421),
    ("Host:", 400), ("Origin: https://evil.example", 403), ("Origin: null", 403), ("Host: LOCALHOST.:1", 200), ("Host: app.localhost", 200),
    ("Host: [::1]", 200), ("Origin: http://localhost:5173", 200),
])
@pytest.mark.parametrize("protocol", ["--http1.1", "--http2-prior-knowledge"])
def test_foreign_hosts_and_pages_change_nothing(curl, root, project, header, expected, protocol):
    if header == "Host:" and protocol != "--http1.1":
        pytest.skip("HTTP/2 always says which host is meant")
    write = {"update": {"name": f"projects/{project}/databases/(default)/documents/c/a"} | fields(n=1)}
    status, answer = curl("POST", f"{root}:commit", json.dumps({"writes": [write]}), headers=(header, "Content-Type: text/plain"), protocol=protocol)
    assert status == expected
    if expected != 200:
        assert answer["error"]["code"] == expected and answer["error"]["message"]
    assert curl("GET", f"{root}/c/a")[0] == (200 if expected == 200 else 404)
    assert curl("GET", "/healthz", headers=("Host: probe.example",), protocol=protocol) == (200, "ok\n")


def ask(address, method, path, body=None, **headers):
    connection = http.client.HTTPConnection(address, timeout=20)
    connection.request(method, path, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, response.headers, content


def test_compression(address, curl, root):
    write = gzip.compress(json.dumps({"fields": {"text": {"stringValue": "again and again " * 500}}}).encode())
    assert ask(address, "PATCH", f"{root}/c/a", write, Content_Encoding="gzip")[0] == 200
    status, headers, content = ask(address, "GET", f"{root}/c/a", Accept_Encoding="gzip")
    assert status == 200 and headers["content-encoding"] == "gzip" and len(content) < 1000
    assert "again and again" in json.loads(gzip.decompress(content))["fields"]["text"]["stringValue"]
    query = json.dumps({"structuredQuery": {"from": [{"collectionId": "c"}]}})
    status, headers, content = ask(address, "POST", f"{root}:runQuery", query, Accept_Encoding="gzip")
    assert status == 200 and headers["content-encoding"] == "gzip" and len(json.loads(gzip.decompress(content))) == 1
    status, headers, content = ask(address, "GET", f"{root}/c/a")
    assert status == 200 and "content-encoding" not in headers and len(content) > 8000
    bomb = gzip.compress(b" " * (11 << 20))
    status, headers, content = ask(address, "POST", f"{root}:commit", bomb, Content_Encoding="gzip")
    assert status == 413 and json.loads(content)["error"]["code"] == 413
    assert ask(address, "POST", f"{root}:commit", b"{}", Content_Encoding="gzip")[0] == 400
    assert ask(address, "POST", f"{root}:commit", b"{}", Content_Encoding="br")[0] == 415


@pytest.mark.parametrize("protocol", ["--http1.1", "--http2-prior-knowledge"])
def test_a_body_that_is_too_large(address, root, protocol):
    command = ["curl", "-s", "-g", protocol, "--max-time", "20", "-w", "\n%{http_code}", "--data-binary", "@-", f"http://{address}{root}:commit"]
    text, status = subprocess.run(command, input=b" " * (12 << 20), capture_output=True, check=True).stdout.decode().rsplit("\n", 1)
    assert status == "413" and json.loads(text)["error"]["status"] == "INVALID_ARGUMENT"


def test_verbs(address, curl, root):
    curl("PATCH", f"{root}/c/a", fields(n=1))
    status, headers, content = ask(address, "HEAD", f"{root}/c/a")
    assert status == 200 and content == b"" and int(headers["content-length"]) > 0
    for path, allow in [("/c/a", "GET, HEAD, PATCH, DELETE, OPTIONS"), ("/c", "GET, HEAD, POST, OPTIONS"), (":commit", "POST, OPTIONS")]:
        status, headers, content = ask(address, "PUT", root + path, "{}")
        assert status == 405 and headers["allow"] == allow and json.loads(content)["error"]["code"] == 405
        status, headers, content = ask(address, "OPTIONS", root + path)
        assert status == 200 and headers["allow"] == allow and content == b""
    for path in ["/", "/healthz", "/livez", "/readyz", "/metrics"]:
        assert ask(address, "HEAD", path)[0] == 200
    preflight = {"Origin": "http://localhost:1", "Access_Control_Request_Method": "PATCH"}
    status, headers, _ = ask(address, "OPTIONS", f"{root}/c/a", **preflight)
    assert status == 200 and headers["access-control-allow-origin"] == "http://localhost:1"
    status, headers, _ = ask(address, "OPTIONS", f"{root}/c/a", **(preflight | {"Origin": "https://evil.example"}))
    assert status == 403 and "access-control-allow-origin" not in headers


def test_the_form_of_answers(address, curl, root):
    curl("PATCH", f"{root}/c/a", fields(n=1, m="x"))
    status, page = curl("GET", f"{root}/c?fields=documents(name,fields/m),nextPageToken")
    assert status == 200 and list(page["documents"][0]) == ["name", "fields"] and list(page["documents"][0]["fields"]) == ["m"]
    for parameter in ("prettyPrint=false", "$prettyPrint=false", "pp=0"):
        assert b"\n" not in ask(address, "GET", f"{root}/c/a?{parameter}")[2]
    assert b"\n" in ask(address, "GET", f"{root}/c/a")[2]
    for wrong in ("fields=nosuch", "fields=name,", "$fields=(", "prettyPrint=maybe"):
        status, error = curl("PATCH", f"{root}/c/b?{wrong}", fields(n=1))
        assert status == 400 and error["error"]["status"] == "INVALID_ARGUMENT"
    assert curl("GET", f"{root}/c/b")[0] == 404


def test_malformed_tokens(curl, root):
    status, error = curl("GET", f"{root}/c/a", headers=("Authorization: Bearer garbage",))
    assert status == 401 and error["error"]["status"] == "UNAUTHENTICATED"
    status, error = curl("POST", f"{root}:runQuery", {"structuredQuery": {}}, headers=("Authorization: Bearer garbage",))
    assert status == 401 and error[0]["error"]["status"] == "UNAUTHENTICATED"


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


def test_clearing_notifies_listeners(curl, project, db, listen):
    db.document("c/a").set({"n": 1})
    listening = listen(db.collection("c"))
    listening.until({"a": {"n": 1}})
    curl("DELETE", f"/emulator/v1/projects/{project}/databases/(default)/documents")
    listening.until({})
    db.document("c/b").set({"n": 2})
    listening.until({"b": {"n": 2}})
