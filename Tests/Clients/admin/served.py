"""A `hearth serve` with a data directory and a bucket, which can be restarted and killed."""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("HEARTH_BINARY", str(ROOT / ".build" / "debug" / "hearth"))
_numbers = itertools.count(1)


class Server:
    def __init__(self, folder, *options):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.bucket = self.folder / "bucket"
        self.options = options
        self.process = None
        self.start()

    def start(self, *more):
        port_file = self.folder / f"port-{next(_numbers)}"
        self.process = subprocess.Popen(
            [BINARY, "serve", "--host", "127.0.0.1", "--port", "0", "--port-file", port_file, "--data", self.data, "--bucket",
             f"exports={self.bucket}", "--no-console", "--log-level", "error", *self.options, *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=sys.stderr)
        end = time.monotonic() + 60
        while not port_file.exists():
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise RuntimeError(f"hearth serve did not start: {self.process.poll()}")
            time.sleep(0.01)
        self.address = f"127.0.0.1:{int(port_file.read_text())}"

    def stop(self, kill=False):
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def call(self, verb, path, body=None, query=None, token="owner"):
        """The status and the JSON of an answer of REST. A body may be bytes."""
        url = f"http://{self.address}/v1/{path}" + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        request = urllib.request.Request(url, data=body, method=verb, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")

    def good(self, verb, path, body=None, query=None):
        status, answer = self.call(verb, path, body, query)
        assert status == 200, (verb, path, answer)
        return answer

    def refused(self, verb, path, body=None, query=None, token="owner"):
        """The canonical name of the error."""
        status, answer = self.call(verb, path, body, query, token)
        assert status != 200, (verb, path, answer)
        return answer["error"]["status"]

    def until_done(self, operation, seconds=30):
        end = time.monotonic() + seconds
        while not operation.get("done"):
            assert time.monotonic() < end, operation
            time.sleep(0.02)
            operation = self.good("GET", operation["name"])
        return operation

    def write(self, database, *paths, **fields):
        """Sets documents with a field n, or with fields in the form of REST."""
        fields = fields or {"n": {"integerValue": "1"}}
        name = f"{database}/documents"
        for start in range(0, len(paths), 400):
            writes = [{"update": {"name": f"{name}/{path}", "fields": fields}} for path in paths[start:start + 400]]
            self.good("POST", f"{name}:commit", {"writes": writes})

    def ids(self, database, collection):
        answer = self.good("GET", f"{database}/documents/{collection}", query={"pageSize": 300, "mask.fieldPaths": "__name__"})
        return sorted(document["name"].rsplit("/", 1)[1] for document in answer.get("documents", []))
