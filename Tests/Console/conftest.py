# SPDX-License-Identifier: Apache-2.0
"""A real Chromium in front of the console.

By default the stand-in answers in front of a `hearth serve` (HEARTH names the binary). CONSOLE_ADDRESS, as the server prints it with the
token, and CONSOLE_SERVER (host:port) run the same tests against a server that answers itself.
"""
import json, os, pathlib, re, signal, subprocess, sys, tempfile, time, urllib.error, urllib.parse, urllib.request
import pytest
from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
SHOTS = ROOT / ".build" / "screenshots"


class Console:
    def __init__(self, address, server):
        self.address, self.server = address, server
        self.base, self.token = re.match(r"(http://[^/]+)/console/#t=(.*)", address).groups()

    def project(self, name):
        return Database(self, f"projects/{name}/databases/(default)")


class Database:
    """Another client of the same database: plain REST, as the administrator."""

    def __init__(self, console, name):
        self.console, self.name, self.root = console, name, f"{name}/documents"
        self.project = name.split("/")[1]

    def call(self, method, path, body=None):
        url = f"http://{self.console.server}{urllib.parse.quote(path, safe='/:?=&')}"
        request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, {"Authorization": "Bearer owner"}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise AssertionError(error.read().decode()) from None

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

    def url(self, page="data", path="", query=""):
        inner = "/".join(urllib.parse.quote(s, safe="") for s in path.split("/")) if path else ""
        return f"{self.console.base}/console/{page}/{self.project}/(default){'/' + inner if inner else ''}{query}#t={self.console.token}"


@pytest.fixture(scope="session")
def console():
    if address := os.environ.get("CONSOLE_ADDRESS"):
        yield Console(address, os.environ["CONSOLE_SERVER"])
        return
    with tempfile.TemporaryDirectory() as folder:
        port = pathlib.Path(folder) / "port"
        server = subprocess.Popen([os.environ.get("HEARTH", str(ROOT / ".build/debug/hearth")), "serve", "--development", "--in-memory", "--port", "0", "--port-file", str(port)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.time() + 20
            while not (port.exists() and port.read_text().strip()):
                assert time.time() < deadline and server.poll() is None, "hearth serve does not start"
                time.sleep(0.05)
            at = f"127.0.0.1:{port.read_text().strip()}"
            stand_in = subprocess.Popen([sys.executable, str(HERE / "stand_in.py"), "--upstream", at, "--projects", "demo,second"], stdout=subprocess.PIPE, text=True)
            try:
                yield Console(stand_in.stdout.readline().strip(), at)
            finally:
                stand_in.kill()
                stand_in.wait()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(20)


@pytest.fixture
def demo(console):
    database = console.project("demo")
    database.clear()
    return database


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), headless=True,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--force-color-profile=srgb"])
        yield browser
        browser.close()


class Watched:
    """Opens pages, and collects what must stay empty: errors, violations of the policy, foreign requests."""

    def __init__(self, browser, console):
        self.browser, self.console, self.problems, self.contexts, self.tolerated = browser, console, [], [], []

    def open(self, url, **options):
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        context = self.browser.new_context(**options)
        context.add_init_script("document.addEventListener('securitypolicyviolation', (e) => console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI))")
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10000)
        page.on("console", lambda m: self.problems.append(f"{m.type}: {m.text}") if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: self.problems.append(f"exception: {e}"))
        page.on("request", lambda r: None if r.url.startswith((self.console.base, "blob:", "data:", "about:")) else self.problems.append(f"foreign request: {r.url}"))
        page.goto(url)
        return page

    def tolerate(self, text):
        self.tolerated.append(text)


@pytest.fixture
def watched(browser, console, request):
    watched = Watched(browser, console)
    yield watched
    SHOTS.mkdir(parents=True, exist_ok=True)
    for i, context in enumerate(watched.contexts):
        for page in context.pages:
            page.screenshot(path=SHOTS / f"{request.node.name}{i or ''}.png")
        context.close()
    assert [p for p in watched.problems if not any(t in p for t in watched.tolerated)] == []
