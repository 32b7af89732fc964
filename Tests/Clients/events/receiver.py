"""Receivers of events: a plain one that keeps requests, and Google's functions in its own framework."""

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FUNCTIONS = os.path.join(os.path.dirname(__file__), "functions.py")


class Receiver:
    """Keeps what it receives as (headers, body). `answer(number, headers)` gives the status, or (status, headers)."""

    def __init__(self, answer=lambda number, headers: 200, port=0):
        self.requests = []
        self.lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value.encode("latin-1").decode("utf-8") for name, value in self.headers.items()}
                with receiver.lock:
                    number = len(receiver.requests)
                    receiver.requests.append((headers, body))
                answer_of = answer(number, headers)
                status, more = answer_of if isinstance(answer_of, tuple) else (answer_of, {})
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *arguments):
        self.server.shutdown()
        self.server.server_close()


class Framework:
    """One function of functions.py behind functions-framework."""

    def __init__(self, target):
        import functions_framework
        from werkzeug.serving import make_server

        app = functions_framework.create_app(target=target, source=FUNCTIONS, signature_type="cloudevent")
        self.server = make_server("127.0.0.1", 0, app, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
