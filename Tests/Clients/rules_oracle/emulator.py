"""What Google's emulator decides (REST; the recipe is that of its own tools)."""

import base64
import http.client
import json
import re

from .rulesets import PROJECT, ROOT


class Emulator:
    def __init__(self, address):
        self.address = address
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.requests = 0

    def call(self, method, path, body=None, token="owner"):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.requests += 1
        for attempt in range(2):
            try:
                self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
                answer = self.connection.getresponse()
                return answer.status, answer.read().decode()
            except (http.client.HTTPException, OSError):
                if attempt:
                    raise
                self.connection.close()

    def install(self, rules):
        """None, or the errors of the ruleset."""
        status, text = self.call("PUT", f"/emulator/v1/projects/{PROJECT}:securityRules", {"rules": {"files": [{"name": "r.rules", "content": rules}]}})
        if status == 200:
            return None
        return json.loads(text)["error"]["message"]

    def seed(self, documents):
        self.call("DELETE", f"/emulator/v1/{ROOT}")
        status, text = self.call("POST", f"/v1/{ROOT}:commit", {"writes": [{"update": document} for document in documents]})
        if status != 200:
            raise SystemExit(f"rules-oracle: the emulator refuses the documents: {text}")

    @staticmethod
    def token(claims):
        if claims is None:
            return None
        def part(value):
            return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
        return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."

    def decide(self, request):
        """("allow" or "deny" or None, the last outcome). None: the request is not one that rules decide about."""
        token = self.token(request["as"])
        if "get" in request:
            if len(request["get"]) == 1:
                status, text = self.call("GET", f"/v1/{ROOT}/{request['get'][0]}", token=token)
            else:
                status, text = self.call("POST", f"/v1/{ROOT}:batchGet", {"documents": [f"{ROOT}/{path}" for path in request["get"]]}, token)
        elif "query" in request:
            parent = f"/{request['parent']}" if "parent" in request else ""
            status, text = self.call("POST", f"/v1/{ROOT}{parent}:runQuery", {"structuredQuery": request["query"]}, token)
        else:
            status, text = self.call("POST", f"/v1/{ROOT}:commit", {"writes": request["commit"]}, token)
        if status in (200, 404, 409):
            return "allow", None
        if status == 403:
            return "deny", self.outcome(text)
        return None, text

    @staticmethod
    def outcome(text):
        answer = json.loads(text)
        message = (answer[0] if isinstance(answer, list) else answer)["error"]["message"]
        head = message.rpartition(" for '")[0]
        if not head:
            return message.strip()
        # Outcomes are joined by commas, and may contain some.
        return re.split(r" for '[a-z, ]*' @ L\d+, ", head)[-1].strip()


def changes(request):
    return "commit" in request
