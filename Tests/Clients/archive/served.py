"""A server with an archive, and writers that note what was acknowledged."""

import http.client
import json
import os
import signal
import subprocess
import threading
import time
from datetime import datetime, timezone

PROJECT = "demo-archive"
DOCUMENTS = f"projects/{PROJECT}/databases/(default)/documents"


def hearth(*arguments, check=True, environment=None):
    done = subprocess.run(
        [os.environ["HEARTH_BINARY"], *arguments], capture_output=True, text=True, env={**os.environ, **(environment or {})}, timeout=600)
    if check and done.returncode != 0:
        raise AssertionError(f"hearth {' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def micros(text):
    """Microseconds since 1970 of a commit time."""
    whole, _, rest = text.rstrip("Z").partition(".")
    seconds = int(datetime.fromisoformat(whole).replace(tzinfo=timezone.utc).timestamp())
    return seconds * 1_000_000 + int((rest + "000000")[:6])


class Server:
    def __init__(self, data, archive, *options, environment=None):
        self.data, self.archive, self.options, self.environment = data, archive, options, environment or {}
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [os.environ["HEARTH_BINARY"], "serve", "--data", self.data, "--archive", self.archive, "--port", "0", "--project", PROJECT,
             "--log-level", "warning", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **self.environment})
        self.line = line = self.process.stdout.readline()
        if "ready on" not in line:
            raise AssertionError(f"the server did not start: {line}{self.process.stderr.read()}")
        self.log = []
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
        self.port = int(line.split("ready on ")[1].split(" ")[0].rstrip(",").rsplit(":", 1)[1])
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ends as by a service manager; returns what it logged."""
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(timeout=60) != 0:
            raise AssertionError(f"the server ended with {self.process.returncode}: {''.join(self.log)}")
        return "".join(self.log)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            # An administrator, in development mode.
            headers = {"Content-Type": "application/json", "Authorization": "Bearer owner"}
            connection.request(method, "/v1/" + path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        finally:
            connection.close()

    def documents(self, collection):
        """The documents of a collection by id, with their integer n."""
        query = {"structuredQuery": {"from": [{"collectionId": collection}]}}
        status, rows = self.call("POST", f"{DOCUMENTS}:runQuery", query)
        if status != 200:
            raise AssertionError(f"{status}: {rows}")
        found = [row["document"] for row in rows if "document" in row]
        return {one["name"].rsplit("/", 1)[1]: int(one["fields"]["n"]["integerValue"]) for one in found}


class Writer(threading.Thread):
    """Commits a new document and an increment, again and again, until the server is gone."""

    def __init__(self, server, number, round_number):
        super().__init__(daemon=True)
        self.server, self.number, self.round = server, number, round_number
        # Document, commit time, when it was acknowledged.
        self.acknowledged = []
        self.tried = []
        self.ends = False

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        count = 0
        while not self.ends:
            name = f"w{self.number}-{self.round}-{count}"
            count += 1
            writes = [
                {"update": {"name": f"{DOCUMENTS}/written/{name}", "fields": {
                    "n": {"integerValue": str(count)}, "text": {"stringValue": name * (count % 40)}}}},
                {"update": {"name": f"{DOCUMENTS}/last/w{self.number}", "fields": {"n": {"integerValue": str(self.round * 1_000_000 + count)}}}},
            ]
            self.tried.append(name)
            try:
                connection.request("POST", f"/v1/{DOCUMENTS}:commit", json.dumps({"writes": writes}), {"Content-Type": "application/json"})
                answer = connection.getresponse()
                body = json.loads(answer.read())
            except (OSError, http.client.HTTPException, ValueError):
                return
            if answer.status != 200:
                return
            self.acknowledged.append((name, micros(body["commitTime"]), time.time()))


def load(server, seconds, round_number, writers=4):
    """What was acknowledged and tried in some seconds of load, after which `end` is called: the writers run until then."""
    running = [Writer(server, number, round_number) for number in range(writers)]
    for writer in running:
        writer.start()
    time.sleep(seconds)
    return running


def ended(running):
    for writer in running:
        writer.ends = True
        writer.join(timeout=20)
    return [one for writer in running for one in writer.acknowledged], {name for writer in running for name in writer.tried}
