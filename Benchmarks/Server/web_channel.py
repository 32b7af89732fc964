"""A client of WebChannel that looks at framing and at marks in the text, so that it costs next to nothing beside a server.

Each request has a connection of its own, which is open before it is needed: the emulator closes one on which a second POST arrives.
"""

import re
import socket
import urllib.parse

PATH = "/google.firestore.v1.Firestore/"
# The number of an array, before its message.
ARRAY = re.compile(rb"\[(\d+),\[[{\"]")
# A message is shorter than this together with its number.
TAIL = 4_096


class Connection:
    """One HTTP/1.1 connection, one request at a time."""

    def __init__(self, port, timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.host = f"127.0.0.1:{port}"
        self.data = b""

    def send(self, verb, target, body=None):
        head = f"{verb} {target} HTTP/1.1\r\nHost: {self.host}\r\n"
        if body is not None:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        self.socket.sendall(head.encode() + b"\r\n" + (body or b""))
        self.head = None

    def more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise EOFError("the server has closed the connection")
        self.data += data

    def read_head(self):
        while (end := self.data.find(b"\r\n\r\n")) < 0:
            self.more()
        self.head, self.data = self.data[:end].lower(), self.data[end + 4:]
        self.is_chunked = b"transfer-encoding: chunked" in self.head
        length = re.search(rb"content-length: *(\d+)", self.head)
        self.left = int(length[1]) if length and not self.is_chunked else 0
        if not self.head.startswith(b"http/1.1 200"):
            raise RuntimeError(f"{self.head!r} {self.data[:200]!r}")

    def piece(self):
        """The next part of the body; None at its end."""
        if self.head is None:
            self.read_head()
        if not self.is_chunked:
            if not self.left:
                return None
            if not self.data:
                self.more()
            piece, self.data = self.data[:self.left], self.data[self.left:]
            self.left -= len(piece)
            return piece
        while (end := self.data.find(b"\r\n")) < 0:
            self.more()
        size = int(self.data[:end], 16)
        whole = end + 2 + size + 2
        while len(self.data) < whole:
            self.more()
        piece, self.data = self.data[end + 2:whole - 2], self.data[whole:]
        return piece if size else None

    def body(self):
        return b"".join(iter(self.piece, None))

    def close(self):
        self.socket.close()


class WebChannel:
    """A session."""

    def __init__(self, port, method, database, *messages):
        self.port, self.database = port, urllib.parse.quote(database, safe="()")
        self.base = f"{PATH}{method}/channel?VER=8&database={self.database}"
        self.posts, self.gets = Connection(port), None
        self.next_map, self.request, self.last = 0, 1, 0
        greeting = self.ask(f"&CVER=22&X-HTTP-Session-Id=gsessionid&RID={self.request}", messages)
        sid = re.search(rb'\["c","([^"]+)"', greeting)[1].decode()
        self.session = "&SID=" + urllib.parse.quote(sid, safe="")

    def ask(self, query, messages=()):
        self.begin(query, messages)
        return self.posted()

    def begin(self, query, messages):
        parts = ["headers=" + urllib.parse.quote("Authorization:Bearer owner\r\n", safe="")] if not self.next_map else []
        parts += [f"count={len(messages)}", f"ofs={self.next_map}"]
        parts += [f"req{index}___data__={urllib.parse.quote(message, safe='')}" for index, message in enumerate(messages)]
        self.next_map += len(messages)
        self.posts.send("POST", self.base + query, "&".join(parts).encode())

    def post(self, *messages):
        """Sends messages; `posted` waits for the answer."""
        self.request += 1
        self.begin(f"{self.session}&RID={self.request}&AID={self.last}", messages)

    def posted(self):
        """The answer."""
        answer = self.posts.body()
        self.connect()
        return answer

    def connect(self):
        """A new connection for the next POST: servers close those that have waited for long."""
        self.posts.close()
        self.posts = Connection(self.port)

    def get(self):
        """A new GET, which acknowledges what has been read."""
        if self.gets is None:
            self.gets = Connection(self.port)
        self.gets.send("GET", f"{self.base}{self.session}&RID=rpc&AID={self.last}&CI=0&TYPE=xmlhttp")
        self.tail = b""

    def until(self, mark):
        """Reads, over as many GETs as it takes, until a mark has come; returns the text around it."""
        while True:
            piece = self.gets.piece()
            if piece is None:
                self.get()
                continue
            text = self.tail + piece
            for number in ARRAY.findall(text[-TAIL:]):
                self.last = max(self.last, int(number))
            self.tail = text[-len(mark):]
            if mark in text:
                return text

    def again(self):
        """Replaces the GET, so that what was read is acknowledged. The old one is read to its end: to the emulator, which may notice the
        close of its connection late, the session then has no GET."""
        old, self.gets = self.gets, None
        self.get()
        while old.piece() is not None:
            pass
        old.close()
        self.connect()

    def close(self):
        self.request += 1
        self.connect()
        self.posts.send("POST", f"{self.base}{self.session}&RID={self.request}&TYPE=terminate", b"")
        self.posts.body()
        for connection in (self.posts, self.gets):
            if connection:
                connection.close()
