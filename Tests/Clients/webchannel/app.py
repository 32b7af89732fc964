"""What a web app does through sessions: writes, listens, and looks at what it has."""

import http.client
import json

from .client import Answer, Channel, Refused

OWNER = ("Authorization", "Bearer owner")


def is_snapshot(message):
    """A global snapshot: everything before it is true at one moment."""
    change = message.get("targetChange", {})
    return "resumeToken" in change and change.get("targetChangeType", "NO_CHANGE") == "NO_CHANGE" and not change.get("targetIds")


class App:
    """One database of one server."""

    def __init__(self, address, database, origin=None, detects=False):
        self.address, self.database, self.origin, self.detects = address, database, origin, detects

    def name(self, path):
        return f"{self.database}/documents/{path}"

    def rest(self, verb, path, body=None, headers=(OWNER,)):
        connection = http.client.HTTPConnection(self.address, timeout=60)
        data = None if body is None else json.dumps(body).encode()
        connection.request(verb, path, data, dict(headers) | {"Content-Type": "text/plain"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text) if text.strip() else None

    def commit(self, *writes):
        status, answer = self.rest("POST", f"/v1/{self.database}/documents:commit", {"writes": list(writes)})
        assert status == 200, answer
        return answer

    def get(self, path):
        status, answer = self.rest("GET", f"/v1/{self.name(path)}")
        return answer.get("fields", {}) if status == 200 else None

    def set(self, path, **fields):
        return {"update": {"name": self.name(path), "fields": {key: encode(value) for key, value in fields.items()}}}

    def increment(self, path, field="n", by=1):
        transform = {"fieldPath": field, "increment": {"integerValue": str(by)}}
        return {"update": {"name": self.name(path), "fields": {}}, "updateMask": {"fieldPaths": []}, "updateTransforms": [transform]}

    def channel(self, method, *messages, headers=(OWNER,), **more):
        return Channel(self.address, method, self.database, *messages, headers=headers, origin=self.origin, detects=self.detects, **more)

    # Targets.

    def query(self, collection, target=2, **more):
        query = {"from": [{"collectionId": collection}], "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}]}
        return {"database": self.database, "addTarget": {
            "query": {"structuredQuery": query, "parent": f"{self.database}/documents"}, "targetId": target} | more}

    def documents(self, *paths, target=2):
        return {"database": self.database, "addTarget": {"documents": {"documents": [self.name(path) for path in paths]}, "targetId": target}}

    def listen(self, *targets, **more):
        return self.channel("Listen", *targets, **more)

    # Writing.

    def writer(self, **more):
        """A Write session, and its first token."""
        channel = self.channel("Write", {"database": self.database}, **more)
        channel.token = channel.follow(lambda message: True)[-1]["streamToken"]
        return channel

    def batch(self, channel, *writes):
        return {"streamToken": channel.token, "writes": list(writes)}


def encode(value):
    match value:
        case bool():
            return {"booleanValue": value}
        case int():
            return {"integerValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
    raise TypeError(value)


class View:
    """What a listener shows: documents by name, as messages change them."""

    def __init__(self):
        self.documents, self.received = {}, []

    def take(self, messages):
        for message in messages:
            self.received.append(message)
            if change := message.get("documentChange"):
                name = change["document"]["name"]
                if change.get("targetIds"):
                    self.documents[name] = change["document"].get("fields", {})
                else:
                    self.documents.pop(name, None)
            elif gone := message.get("documentDelete") or message.get("documentRemove"):
                self.documents.pop(gone["document"], None)
            elif message.get("targetChange", {}).get("targetChangeType") == "RESET":
                self.documents.clear()
        return self


def refusal(action):
    """The status that a request is rejected with; 200 if it is not."""
    try:
        action()
        return 200
    except Refused as error:
        return error.status


__all__ = ["Answer", "App", "Channel", "OWNER", "Refused", "View", "encode", "is_snapshot", "refusal"]
