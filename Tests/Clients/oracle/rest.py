"""Steps over REST: JSON bodies, HTTP statuses, the form of errors (HT-1 … HT-4, VAL-24)."""

import http.client
import json
import re
import time
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote, urlencode

from google.protobuf import json_format

from .cases import Call, pick
from .outcome import Outcome, Timestamp
from .wire import CHANGING, METHODS, PROJECT

COMMIT_KEYS = {"createTime": "create_time", "updateTime": "update_time", "commitTime": "commit_time", "readTime": "read_time"}
TOKEN_KEYS = {"transaction", "nextPageToken", "streamToken"}
# Parameters in the path; what is left goes into the body (POST, PATCH) or the query string (GET, DELETE).
DATABASE_CALLS = {"BatchGetDocuments": "batchGet", "BeginTransaction": "beginTransaction", "Commit": "commit", "Rollback": "rollback",
                  "BatchWrite": "batchWrite", "ExecutePipeline": "executePipeline"}
PARENT_CALLS = {"RunQuery": "runQuery", "RunAggregationQuery": "runAggregationQuery", "PartitionQuery": "partitionQuery",
                "ListCollectionIds": "listCollectionIds"}


@dataclass
class Rest:
    """A request as it is: `path` behind /v1/, `body` text or a tree."""

    verb: str
    path: str
    body: object = None
    headers: dict = field(default_factory=dict)
    changes: bool = True
    request = None

    def run(self, session):
        status, _, data = send(session, self.verb, self.path, self.body, self.headers)
        return outcome(status, data)

    def describe(self):
        return f"{self.verb} /v1/{self.path} {self.body if self.body is not None else ''} {self.headers or ''}"


@dataclass
class RestCall:
    """A call of a method by its REST route (0.5)."""

    call: Call

    @property
    def request(self):
        return self.call.request

    @property
    def changes(self):
        return self.call.method in CHANGING

    def run(self, session):
        if self.call.needs and not session.memory.slots.get(self.call.needs):
            return Outcome("REST", "NOT CALLED", "")
        verb, path, body = route(self.call.method, session.memory.bind(self.call.request))
        status, _, data = send(session, verb, path, body, {})
        result = outcome(status, data)
        self._save(session, status, data)
        return result

    def _save(self, session, status, data):
        if status != 200 or not self.call.saves:
            return
        found = json.loads(data)
        for slot, where in self.call.saves.items():
            _, response, streams = METHODS[self.call.method]
            messages = [json_format.ParseDict(each, response(), ignore_unknown_fields=True) for each in (found if streams else [found])]
            saved = pick(messages, where)
            session.memory.save(slot, saved)

    def describe(self):
        return f"REST {self.call.describe()}"


def send(session, verb, path, body, headers):
    text = body if isinstance(body, (str, bytes)) or body is None else json.dumps(body)
    data = (text if isinstance(text, bytes) else (text or "").encode()).replace(PROJECT.encode(), session.client.project.encode())
    connection = http.client.HTTPConnection(session.client.address, timeout=4)
    try:
        defaults = {"authorization": "Bearer owner", **({"content-type": "application/json"} if body is not None else {})}
        connection.request(verb, f"/v1/{path}".replace(PROJECT, session.client.project), data if body is not None else None, {**defaults, **headers})
        answer = connection.getresponse()
        data = session.client.restore(answer.read())
        return answer.status, answer.getheader("content-type"), data
    except (OSError, http.client.HTTPException) as error:
        return 0, None, repr(error).encode()
    finally:
        connection.close()


def outcome(status, data):
    if status == 0:
        return Outcome("REST", "NO ANSWER", data.decode())
    try:
        body = json.loads(data) if data.strip() else None
    except ValueError:
        body = f"no JSON: {data[:80]!r}"
    error = body[0] if isinstance(body, list) and body else body
    details = str(error["error"].get("message", ""))[:300] if isinstance(error, dict) and isinstance(error.get("error"), dict) else ""
    value = {"http": status, "body": tidy(body)}
    if isinstance(body, list):
        value["body"] = sorted(value["body"], key=_place) if body and isinstance(body[0], dict) and {"found", "missing"} & set(body[0]) else value["body"]
    code = f"HTTP {status}"
    if isinstance(error, dict) and isinstance(error.get("error"), dict):
        code = error["error"].get("status", code)
    return Outcome("REST", "OK" if status == 200 and code == "HTTP 200" else code, details, value)


def _place(message):
    return str(message.get("missing") or message.get("found", {}).get("name", ""))


def tidy(found, key=None):
    """Times become Timestamps and are labelled with the rest; tokens and texts of errors go."""
    if isinstance(found, dict):
        if "error" in found and isinstance(found["error"], dict):
            error = {name: item for name, item in found["error"].items() if name != "message"}
            return {**{name: tidy(item, name) for name, item in found.items() if name != "error"}, "error": error}
        plain = {}
        for name, item in found.items():
            if key == "fields":
                plain[name] = tidy(item)
            elif name in COMMIT_KEYS and isinstance(item, str):
                plain[COMMIT_KEYS[name]] = _stamp(item)
            elif name in TOKEN_KEYS and isinstance(item, str):
                plain[name] = "a token" if item else ""
            elif name == "status" and isinstance(item, list):
                plain[name] = [each.get("code", 0) for each in item]
            else:
                plain[name] = tidy(item, name)
        return plain
    if isinstance(found, list):
        return [tidy(item, key) for item in found]
    if key == "timestampValue" and isinstance(found, str):
        stamp = _stamp(found)
        return "the request's time" if isinstance(stamp, Timestamp) and abs(stamp.seconds - time.time()) < 86_400 else found
    if key in ("doubleValue", "latitude", "longitude") and isinstance(found, (int, float)) and not isinstance(found, bool):
        return repr(float(found))  # 0.0 and -0.0 are two texts
    return found


def _stamp(text):
    match = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z", text)
    if not match:
        return text
    seconds = datetime.fromisoformat(match[1] + "+00:00").timestamp()
    return Timestamp(seconds=int(seconds), nanos=int((match[2] or "0").ljust(9, "0")))


def route(method, message):
    """Verb, path and body of a request."""
    body = json_format.MessageToDict(message)

    def escaped(name):
        return quote(name, safe="/()")

    if method in DATABASE_CALLS:
        database = body.pop("database", "")
        return "POST", f"{escaped(database)}/documents:{DATABASE_CALLS[method]}", body
    if method in PARENT_CALLS:
        parent = body.pop("parent", "")
        return "POST", f"{escaped(parent)}:{PARENT_CALLS[method]}", body
    if method == "GetDocument":
        return "GET", escaped(body.pop("name", "")) + _query(body), None
    if method == "DeleteDocument":
        return "DELETE", escaped(body.pop("name", "")) + _query(body), None
    if method == "ListDocuments":
        return "GET", f"{escaped(body.pop('parent', ''))}/{quote(body.pop('collectionId', ''), safe='')}" + _query(body), None
    if method == "CreateDocument":
        document = body.pop("document", {})
        return "POST", f"{escaped(body.pop('parent', ''))}/{quote(body.pop('collectionId', ''), safe='')}" + _query(body), document
    document = body.pop("document", {})
    return "PATCH", escaped(document.pop("name", "")) + _query(body), document


def _query(body, prefix=""):
    pairs = list(_pairs(body, prefix))
    return "?" + urlencode(pairs) if pairs else ""


def _pairs(body, prefix):
    for key, item in body.items():
        if isinstance(item, dict):
            yield from _pairs(item, f"{prefix}{key}.")
        elif isinstance(item, str) and key in ("mask", "updateMask"):
            # A FieldMask of protobuf's own kind is one string; Firestore's is a message.
            yield f"{prefix}{key}", item
        elif isinstance(item, list):
            for each in item:
                yield f"{prefix}{key}", each
        else:
            yield f"{prefix}{key}", str(item).lower() if isinstance(item, bool) else item
