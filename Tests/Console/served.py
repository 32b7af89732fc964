# SPDX-License-Identifier: Apache-2.0
"""A `hearth serve` with a console, and other clients of its databases."""
import json, os, pathlib, re, secrets, signal, subprocess, time, urllib.error, urllib.parse, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("HEARTH_BINARY", str(ROOT / ".build/debug/hearth"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# How long anything that must happen may take: machines of CI do other things at the same time.
PATIENCE = int(os.environ.get('PATIENCE', '60'))
FULL = bool(os.environ.get("HEARTH_FULL"))


def write_key(file):
    """Writes a key as `hearth admin-key` does, and returns it."""
    key = secrets.token_urlsafe(32)
    file.write_text(key + "\n")
    file.chmod(0o600)
    return key


class Served:
    """A server, which can be killed and started again at the same port."""

    def __init__(self, folder, *options, keys="owner"):
        self.folder, self.options, self.keys, self.port = pathlib.Path(folder), list(options), keys, 0
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder)}
        self.process = None
        self.start()

    def start(self):
        file = self.folder / "port"
        file.unlink(missing_ok=True)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen([BINARY, "serve", "--port", str(self.port), "--port-file", str(file), *self.options],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)
        end = time.monotonic() + PATIENCE
        while not (file.exists() and file.read_text().strip()):
            assert self.process.poll() is None and time.monotonic() < end, f"hearth serve does not start: {self.log()}"
            time.sleep(0.02)
        self.port = int(file.read_text())
        self.server = f"127.0.0.1:{self.port}"
        self.base = f"http://{self.server}"
        self.address = self.command("--print").stdout.strip()
        found = re.fullmatch(r"https?://[^/]+/console/#t=(.*)", self.address)
        self.token = found[1] if found else None

    def log(self):
        return (self.folder / "log").read_text()[-3000:]

    def command(self, *arguments, **environment):
        """`hearth console`."""
        place = ["--data", self.options[self.options.index("--data") + 1]] if "--data" in self.options else ["--port", str(self.port)]
        return subprocess.run([BINARY, "console", *place, *arguments], env={**self.environment, **environment}, capture_output=True, text=True, timeout=PATIENCE)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()

    def project(self, name):
        return Database(self, f"projects/{name}/databases/(default)")

    def send(self, method, path, body=None, headers=None):
        """A plain request: the status, the headers, and the body."""
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()


class Database:
    """Another client of a database: plain REST, as the administrator."""

    def __init__(self, console, name):
        self.console, self.name, self.root = console, name, f"{name}/documents"
        self.project = name.split("/")[1]

    def call(self, method, path, body=None, headers=None):
        status, _, data = self.console.send(method, urllib.parse.quote(path, safe="/:?=&"), body,
                                            {"Authorization": f"Bearer {self.console.keys}", "Content-Type": "application/json", **(headers or {})})
        if status == 404:
            return None
        assert status == 200, data.decode()
        return json.loads(data or b"{}")

    def commit(self, *writes):
        return self.call("POST", f"/v1/{self.root}:commit", {"writes": writes})

    def set(self, path, fields):
        return self.commit({"update": {"name": f"{self.root}/{path}", "fields": fields}})

    def get(self, path):
        return self.call("GET", f"/v1/{self.root}/{path}")

    def fields(self, path):
        return (self.get(path) or {}).get("fields")

    def clear(self):
        self.call("DELETE", f"/emulator/v1/{self.name}/documents")

    def url(self, page="data", path="", query="", token=True):
        inner = "/".join(urllib.parse.quote(s, safe="") for s in path.split("/")) if path else ""
        fragment = f"#t={self.console.token}" if token else ""
        return f"{self.console.base}/console/{page}/{self.project}/(default){'/' + inner if inner else ''}{query}{fragment}"
