# SPDX-License-Identifier: Apache-2.0
"""A test double of docs/console-api.md in front of a running `hearth serve`.

    stand_in.py --upstream 127.0.0.1:8790 --port 8791 --token secret

Serves Console/, forwards /v1/, answers /console/api/ as far as a client of the server can. It goes away when the server answers itself.
"""
import argparse, base64, http.client, json, pathlib, queue, re, threading, time, urllib.parse
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import grpc
from google.cloud.firestore_v1.types import firestore
from google.protobuf import json_format

CONSOLE = pathlib.Path(__file__).resolve().parents[2] / "Console"
CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'")
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
now = lambda: datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
b64 = lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
unb64 = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class State:
    def __init__(self, options):
        self.options, self.host, self.started = options, options.upstream, now()
        self.requests, self.condition, self.next = [], threading.Condition(), 1
        self.indexes, self.samples = [], []
        self.channel = grpc.insecure_channel(self.host)
        threading.Thread(target=self.sample, daemon=True).start()

    def upstream(self, method, path, body=None, authorization="Bearer owner"):
        connection = http.client.HTTPConnection(self.host, timeout=120)
        headers = {"Content-Type": "application/json", **({"Authorization": authorization} if authorization else {})}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, response.getheader("Content-Type", ""), data

    def rest(self, method, path, body=None):
        status, _, data = self.upstream(method, path, json.dumps(body).encode() if body is not None else None)
        return status, json.loads(data or "{}")

    def sample(self):
        while True:
            try:
                text = self.upstream("GET", "/metrics")[2].decode()
                total = lambda pattern: sum(float(v) for v in re.findall(rf"^{pattern}\S* (\S+)$", text, re.M))
                self.samples.append({
                    "time": now(), "calls": total("hearth_calls_total"), "errors": total(r'hearth_calls_total\{(?!.*code="OK")'),
                    "reads": total(r'hearth_calls_total\{.*method="(?:Get|List|Run|Batch)'), "writes": total(r'hearth_calls_total\{.*method="(?:Commit|Write)'),
                    "deletes": 0, "listeners": total(r'hearth_calls_open\{method="Listen'), "connections": total("hearth_connections(?= )"),
                    "memory": total("process_resident_memory_bytes"), "bytes": 4096, "p50": 0.0004, "p99": 0.012})
                del self.samples[:-450]
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(2)

    def record(self, **entry):
        with self.condition:
            self.requests.append({"id": self.next, "time": now(), "transport": "rest", "caller": "administrator", "open": False, **entry})
            self.next += 1
            del self.requests[:-1000]
            self.condition.notify_all()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    log_message = lambda *_: None

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            pass

    def answer(self, status, body=b"", kind="application/json", headers={}):
        body = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def fail(self, code, status, message):
        self.answer(code, {"error": {"code": code, "status": status, "message": message}})

    def any(self):
        url = urllib.parse.urlsplit(self.path)
        self.parameters = dict(urllib.parse.parse_qsl(url.query))
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        state = self.server.state
        if url.path.startswith("/console/api/"):
            if self.headers.get("Authorization") != f"Bearer {state.options.token}":
                return self.fail(401, "UNAUTHENTICATED", "the token of the console is missing or not this server's")
            try:
                return self.api(self.command, url.path[len("/console/api/"):], state)
            except OSError as error:
                return self.fail(503, "UNAVAILABLE", str(error))
        if url.path.startswith("/v1/"):
            return self.forward(state)
        if url.path == "/console":
            return self.answer(308, headers={"Location": "/console/"})
        if url.path.startswith("/console/"):
            return self.page(url.path[len("/console/"):])
        self.fail(404, "NOT_FOUND", "nothing is here")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = any

    def page(self, path):
        file = CONSOLE / path
        if not (path and ".." not in path and file.suffix in TYPES and file.is_file()):
            file = CONSOLE / "index.html"
        self.answer(200, file.read_bytes(), TYPES[file.suffix] + "; charset=utf-8", {
            "Content-Security-Policy": CSP, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache",
            "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"})

    def caller(self, state):
        if self.headers.get("Authorization") != f"Bearer {state.options.token}":
            return self.headers.get("Authorization")
        who = self.headers.get("Hearth-Console-As")
        if not who:
            return "Bearer owner"
        if who == "anonymous":
            return None
        return f"Bearer {b64(json.dumps({'alg': 'none'}))}.{who}."

    def forward(self, state):
        began = time.time()
        try:
            status, kind, data = state.upstream(self.command, self.path, self.body or None, self.caller(state))
        except OSError:
            self.close_connection = True
            return self.connection.close()
        self.answer(status, data, kind)
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        method = path.rsplit(":", 1)[1] if ":" in path else {"GET": "GetDocument", "PATCH": "UpdateDocument", "DELETE": "DeleteDocument"}.get(self.command, "CreateDocument")
        code = "OK"
        if status >= 400:
            error = json.loads(data)
            code = (error[0] if isinstance(error, list) else error)["error"]["status"]
        who = self.headers.get("Hearth-Console-As")
        state.record(method=method[0].upper() + method[1:], path=path.split("/documents", 1)[-1].strip("/").split(":")[0], code=code, duration=time.time() - began,
                     caller="administrator" if not who else "anonymous" if who == "anonymous" else "user:" + json.loads(unb64(who))["sub"], received=len(self.body), sent=len(data),
                     request=json.loads(self.body) if self.body else {}, **({"decision": CANNED} if code == "PERMISSION_DENIED" else {}))

    def api(self, method, path, state):
        database = self.parameters.get("database", "")
        body = json.loads(self.body) if self.body and path != "import" else {}
        match (method, path):
            case ("GET", "server"):
                return self.answer(200, {"version": "0.9.0", "address": state.host, "data": "/var/lib/hearth", "startTime": state.started, "development": True,
                                         "readOnly": state.options.read_only, "requestValues": True, "project": "demo", "settings": {"durability": "full", "indexes": "automatic"}})
            case ("GET", "databases"):
                return self.answer(200, {"databases": [{"name": f"projects/{p}/databases/(default)", "bytes": 4096, "open": True} for p in state.options.projects.split(",") if p]})
            case ("GET", "metrics"):
                return self.answer(200, {"samples": state.samples})
            case ("POST", "live"):
                return self.live(body, state)
            case ("GET", "indexes"):
                return self.answer(200, {"policy": "automatic", "indexes": state.indexes, "needed": [
                    {"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [{"fieldPath": "grp", "order": "ASCENDING"}, {"fieldPath": "n", "order": "DESCENDING"}]}]})
            case ("POST", "indexes"):
                state.indexes.append({"index": body["index"], "state": "READY", "progress": 1, "configured": True, "entries": 1200, "bytes": 65536, "lastUsed": now()})
                return self.answer(200, {})
            case ("DELETE", "indexes"):
                state.indexes = [i for i in state.indexes if i["index"] != body["index"]]
                return self.answer(200, {})
            case ("GET", "rules"):
                project = database.split("/")[1]
                file = state.rest("GET", f"/emulator/v1/projects/{project}:securityRules")[1]["rules"]["files"][0]
                return self.answer(200, {"name": file["name"], "content": file["content"], "hash": f"{hash(file['content']) & 0xffffffff:08x}", "origin": "none" if file["name"] == "OPEN_RULES" else "http",
                                         "canSet": True, "enforced": True, "issues": [], "broken": False})
            case ("PUT", "rules"):
                project = database.split("/")[1]
                target = project if not body.get("checkOnly") else "scratch-of-the-stand-in"
                status, answer = state.rest("PUT", f"/emulator/v1/projects/{target}:securityRules", {"rules": {"files": [{"name": "console.rules", "content": body["content"]}]}})
                issues = [{"severity": i.get("severity", "ERROR"), "line": i.get("sourcePosition", {}).get("line", 1), "column": i.get("sourcePosition", {}).get("column", 1), "message": i["description"]} for i in answer.get("issues", [])]
                if status != 200:
                    found = re.search(r"L(\d+):(\d+) (.*)", answer["error"]["message"])
                    issues = [{"severity": "ERROR", "line": int(found[1]) if found else 1, "column": int(found[2]) if found else 1, "message": found[3] if found else answer["error"]["message"]}]
                return self.answer(200, {"applied": status == 200 and not body.get("checkOnly"), "hash": f"{hash(body['content']) & 0xffffffff:08x}", "issues": issues})
            case ("POST", "decisions"):
                return self.answer(200, {"decision": CANNED})
            case ("POST", "export"):
                return self.export(body, state)
            case ("POST", "import"):
                return self.import_(database, state)
        self.fail(404, "NOT_FOUND", f"nothing is at {path}")

    def export(self, body, state):
        root = f"{body['database']}/documents"
        documents = state.rest("POST", f"/v1/{root}:runQuery", {"structuredQuery": {"from": [{"allDescendants": True}]}})[1]
        lines = [json.dumps({"path": d["document"]["name"][len(root) + 1:], "fields": d["document"].get("fields", {})}) for d in documents if "document" in d]
        lines = [l for l in lines if not body.get("collection") or json.loads(l)["path"].startswith(body["collection"] + "/")]
        self.answer(200, ("\n".join(lines) + "\n").encode(), "application/octet-stream", {"Hearth-Documents": len(lines)})

    def import_(self, database, state):
        def typed(v):
            match v:
                case None: return {"nullValue": None}
                case bool(): return {"booleanValue": v}
                case int(): return {"integerValue": str(v)}
                case float(): return {"doubleValue": v}
                case str(): return {"stringValue": v}
                case list(): return {"arrayValue": {"values": [typed(e) for e in v]}}
            return {"mapValue": {"fields": {k: typed(e) for k, e in v.items()}}}
        lines, writes, existing = [], [], []
        for number, line in enumerate(self.body.decode().splitlines(), 1):
            try:
                document = json.loads(line)
                writes.append({"update": {"name": f"{database}/documents/{document['path']}", "fields": {k: typed(v) for k, v in document["fields"].items()}}})
            except (ValueError, KeyError) as error:
                lines.append({"bad": {"line": number, "message": str(error)}})
        if self.parameters.get("dryRun"):
            existing = [w["update"]["name"].split("/documents/")[1] for w in writes if state.rest("GET", "/v1/" + urllib.parse.quote(w["update"]["name"]))[0] == 200]
        else:
            state.rest("POST", f"/v1/{database}/documents:commit", {"writes": writes})
        lines.append({"done": {"documents": len(writes), "bad": len(lines), **({"existing": len(existing), "examples": existing[:20]} if self.parameters.get("dryRun") else {})}})
        self.answer(200, "".join(json.dumps(l) + "\n" for l in lines).encode(), "application/x-ndjson")

    def live(self, body, state):
        """Listen over gRPC, its responses as lines."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.close_connection = True

        def line(message):
            data = (json.dumps(message) if message else "").encode() + b"\n"
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

        lines, requests = queue.Queue(), queue.Queue()
        as_, database = body.get("as"), body.get("database", "")
        who = "Bearer owner" if not as_ else None if as_ == "anonymous" else f"Bearer {b64(json.dumps({'alg': 'none'}))}.{b64(json.dumps(as_))}."
        for target in body.get("targets", []):
            requests.put(json_format.ParseDict({"database": database, "addTarget": target}, firestore.ListenRequest.pb(firestore.ListenRequest())))
        listen = state.channel.stream_stream("/google.firestore.v1.Firestore/Listen", request_serializer=lambda m: m.SerializeToString(), response_deserializer=firestore.ListenResponse.deserialize)
        call = listen(iter(requests.get, None), metadata=[("authorization", who)] if who else []) if body.get("targets") else None

        def read():
            try:
                for response in call:
                    lines.put({"listen": json_format.MessageToDict(firestore.ListenResponse.pb(response))})
            except grpc.RpcError as error:
                lines.put({"error": {"status": error.code().name, "message": error.details()}} if error.code() != grpc.StatusCode.CANCELLED else None)

        if call:
            threading.Thread(target=read, daemon=True).start()
        last, sampled, spoke = body.get("requestsAfter", 0), "", time.time()
        try:
            while True:
                try:
                    message = lines.get(timeout=0.1)
                    if message:
                        line(message)
                    if not message or "error" in message:
                        break
                    continue
                except queue.Empty:
                    pass
                new = [r for r in state.requests if r["id"] > last] if "requests" in body.get("topics", []) else []
                if new:
                    last = new[-1]["id"]
                    line({"requests": new})
                if state.samples and state.samples[-1]["time"] != sampled:
                    sampled = state.samples[-1]["time"]
                    line({"metrics": state.samples[-1]})
                if time.time() - spoke > 15:
                    spoke = time.time()
                    line(None)
        except OSError:
            pass
        finally:
            requests.put(None)
            if call:
                call.cancel()


CANNED = {"granted": False, "operation": "get books/b1", "statements": [{
    "line": 4, "column": 22, "match": "/databases/{database}/documents/books/{id}", "granted": False, "outcome": "false",
    "values": [{"line": 4, "column": 22, "expression": "request.auth.uid", "result": "\"alice\""}, {"line": 4, "column": 42, "expression": "resource.data.owner", "result": "\"bob\""}]}]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--upstream", default="127.0.0.1:8790")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default="secret")
    parser.add_argument("--projects", default="demo")
    parser.add_argument("--read-only", action="store_true")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.daemon_threads, server.state = True, State(options)
    print(f"http://127.0.0.1:{server.server_port}/console/#t={options.token}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
