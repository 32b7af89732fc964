"""A server that answers each request with the next step of a script, and notes the requests."""

import http.server
import threading
import time


class Scripted:
    """A step is bytes, sent as they are before the connection is closed, or a number of seconds of silence before it is."""

    def __init__(self, steps):
        self.steps = list(steps)
        self.requests = []
        scripted = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                scripted.requests.append((self.command, self.path, body))
                step = scripted.steps.pop(0) if scripted.steps else b""
                self.close_connection = True
                if isinstance(step, bytes):
                    self.wfile.write(step)
                elif callable(step):
                    step(self.wfile)
                else:
                    time.sleep(step)

            do_GET = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def answer(status, body=b"", *headers):
    lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def error(status, code):
    return answer(status, f"<Error><Code>{code}</Code><Message>Words.</Message></Error>".encode(), "Content-Type: application/xml")


def slowly(content, pieces, pause):
    """Sends an answer in pieces."""

    def send(output):
        size = max(1, len(content) // pieces)
        for start in range(0, len(content), size):
            output.write(content[start:start + size])
            output.flush()
            time.sleep(pause)

    return send
