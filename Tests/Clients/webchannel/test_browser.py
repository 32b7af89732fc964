"""A page in a real browser, which checks origins, preflights and streams in its own way."""

import http.server
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.parse

import pytest

from .app import App

BROWSER = next(filter(None, map(shutil.which, ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])), None)
PAGE = pathlib.Path(__file__).with_name("page.html")


@pytest.fixture
def pages():
    """Serves the page; the browser posts what it has found."""
    found = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            data = PAGE.read_bytes() if self.path.startswith("/page") else b""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self):
            found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, found
    server.shutdown()


def browse(origin, app, found):
    query = urllib.parse.urlencode({"server": app.address, "database": app.database})
    # The browser's other processes may write for a moment after it was killed.
    with tempfile.TemporaryDirectory(prefix="hearth-browser-", ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
             "--host-resolver-rules=MAP evil.example 127.0.0.1", f"{origin}/page?{query}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return found.get(timeout=60)
        finally:
            # With what the system's script for it has started.
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()


@pytest.mark.one_server("a browser keeps connections, so it needs a balancer that looks at every request")
@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
def test_a_page_of_this_machine(hearth, database, pages):
    port, found = pages
    app = App(hearth, database)
    assert browse(f"http://localhost:{port}", app, found) == {
        "committed": True, "heard": "é 😀", "rest": 200, "beacons": [True, True], "ended": 400}
    assert app.get("c/a") and app.get("c/b") is not None


@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
def test_a_page_from_elsewhere(hearth, database, pages):
    port, found = pages
    app = App(hearth, database)
    assert "Failed to fetch" in browse(f"http://evil.example:{port}", app, found)["error"]
    assert app.get("c/foreign") is None and app.get("c/a") is None
