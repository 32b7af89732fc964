"""A real browser on a page of ours, which posts what it has found."""

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

BROWSER = next(filter(None, map(shutil.which, ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])), None)
FOLDER = pathlib.Path(__file__).parent


class Pages:
    """Serves the pages beside this file, and `given` as JSON."""

    def __init__(self, given=None):
        self.given, self.found = given, queue.Queue()
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                pages.answer(self)

            def do_POST(self):
                pages.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, exchange):
        path = urllib.parse.urlsplit(exchange.path).path
        kind, data = "text/html", b""
        if path == "/given":
            kind, data = "application/json", json.dumps(self.given).encode()
        elif path in ("/page.html", "/pipelines.html"):
            data = (FOLDER / path[1:]).read_bytes()
        exchange.send_response(200)
        exchange.send_header("Content-Type", kind)
        exchange.send_header("Content-Length", str(len(data)))
        exchange.end_headers()
        exchange.wfile.write(data)

    def browse(self, app, page="page.html", host="localhost"):
        """Opens a page, and returns what it posts."""
        query = urllib.parse.urlencode({"server": app.address, "database": app.database})
        # The browser's other processes may write for a moment after it was killed.
        with tempfile.TemporaryDirectory(prefix="hearth-browser-", ignore_cleanup_errors=True) as profile:
            browser = subprocess.Popen(
                [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
                 "--host-resolver-rules=MAP evil.example 127.0.0.1", f"http://{host}:{self.port}/{page}?{query}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                return self.found.get(timeout=60)
            finally:
                # With what the system's script for it has started.
                os.killpg(browser.pid, signal.SIGKILL)
                browser.wait()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
