"""ArchiveCaller, the program that makes the calls: a line of JSON for each, and one for its answer."""

import base64
import json
import os
import subprocess


class CallFailed(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Caller:
    def __init__(self, *arguments, **environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        keys = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
        self._process = subprocess.Popen(
            [os.environ["HEARTH_ARCHIVE_CALLER"], *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**kept, **keys, **environment})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def ask(self, call):
        self._process.stdin.write(json.dumps(call) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "message" in answer:
            raise CallFailed(answer.get("error"), answer["message"])
        return answer

    def put(self, name, content):
        return self.ask({"call": "put", "name": name, "bytes": base64.b64encode(content).decode()})["stored"]

    def get(self, name):
        answer = self.ask({"call": "get", "name": name})
        return base64.b64decode(answer.get("bytes", "")) if answer["isThere"] else None

    def list(self, prefix="", after=None, limit=None):
        objects = self.ask({"call": "list", "prefix": prefix, "after": after, "limit": limit})["objects"]
        return [(name, int(size)) for name, size in objects]

    def delete(self, name):
        self.ask({"call": "delete", "name": name})

    def check(self, folder):
        self.ask({"call": "check", "name": folder})
