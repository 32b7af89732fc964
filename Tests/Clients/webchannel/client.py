"""WebChannel as the web SDK speaks it, on bare sockets: what goes over the wire is what stands here."""

import codecs
import json
import socket
import time
import urllib.parse

UNIT = 2  # bytes of a UTF-16 code unit, in which lengths of frames count


def quote(text):
    """encodeURIComponent"""
    return urllib.parse.quote(text, safe="-_.!~*'()")


def form(messages, first=None, headers=None, offset=None):
    """The body of a POST. `messages`: objects, or texts that are sent as they are."""
    parts = [] if headers is None else ["headers=" + quote("".join(f"{name}:{value}\r\n" for name, value in headers))]
    parts.append(f"count={len(messages)}")
    if messages:
        offset = first if offset is None else offset
        parts.append(f"ofs={offset}")
        for index, message in enumerate(messages):
            text = message if isinstance(message, str) else json.dumps(message, separators=(",", ":"), ensure_ascii=False)
            parts.append(f"req{first - offset + index}___data__={quote(text)}")
    return "&".join(parts).encode()


class Frames:
    """Takes bytes in any pieces; gives the frames that are complete."""

    def __init__(self):
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.rest = b""

    def take(self, data):
        self.rest += self.decoder.decode(data).encode("utf-16-le")
        while (end := self.rest.find(b"\n\0")) >= 0:
            while end % UNIT:
                end = self.rest.find(b"\n\0", end + 1)
            start = end + UNIT
            size = int(self.rest[:end].decode("utf-16-le")) * UNIT
            if len(self.rest) < start + size:
                return
            text, self.rest = self.rest[start:start + size].decode("utf-16-le"), self.rest[start + size:]
            yield json.loads(text)


class Answer:
    """A request that was sent, and its answer as it arrives."""

    def __init__(self, address, method, target, headers=(), body=None, timeout=10, receive_buffer=None):
        host, _, port = address.rpartition(":")
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = [f"{method} {target} HTTP/1.1", f"Host: {address}", *(f"{name}: {value}" for name, value in headers)]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        self.request = "\r\n".join(lines + ["", ""]).encode() + (body or b"")
        self.data = b""
        self.ended = False
        self.socket.sendall(self.request)

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError("the connection ended in the middle of an answer")
        self.data += data

    def head(self):
        while b"\r\n\r\n" not in self.data:
            self._more()
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {}
        for line in lines:
            name, value = line.split(":", 1)
            self.headers[name.lower()] = value.strip()
        return self

    def pieces(self):
        """The body as it arrives."""
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            left = int(self.headers.get("content-length", 0))
            while left:
                if not self.data:
                    self._more()
                piece, self.data = self.data[:left], self.data[left:]
                left -= len(piece)
                yield piece
            self.ended = True
            return
        while True:
            while b"\r\n" not in self.data:
                self._more()
            size, self.data = self.data.split(b"\r\n", 1)
            left = int(size, 16)
            if not left:
                self.ended = True
                return
            while left:
                if not self.data:
                    self._more()
                piece, self.data = self.data[:left], self.data[left:]
                left -= len(piece)
                yield piece
            while len(self.data) < 2:
                self._more()
            self.data = self.data[2:]

    def body(self):
        data = b"".join(self.pieces())
        self.close()
        return data

    def close(self):
        self.socket.close()


class Refused(Exception):
    def __init__(self, answer, body):
        super().__init__(f"{answer.status}: {body[:200]!r}")
        self.status, self.headers, self.body = answer.status, answer.headers, body


class Back:
    """One GET: the arrays that it brings."""

    def __init__(self, channel, target, timeout, receive_buffer=None):
        self.channel = channel
        self.answer = Answer(channel.address, "GET", target, channel.headers, timeout=timeout, receive_buffer=receive_buffer)
        self.waiting = []
        self.pieces = None

    def __iter__(self):
        """Arrays, one after the other, until the answer ends."""
        if self.pieces is None:
            self.answer.head()
            if self.answer.status != 200:
                raise Refused(self.answer, self.answer.body())
            self.frames, self.pieces = Frames(), self.answer.pieces()
        while True:
            while self.waiting:
                array = self.waiting.pop(0)
                self.channel.took(array)
                yield array
            piece = next(self.pieces, None)
            if piece is None:
                return
            for frame in self.frames.take(piece):
                self.waiting.extend(frame)

    def next(self):
        """The next array; None at the end."""
        return next(iter(self), None)

    def close(self):
        self.answer.close()


class Channel:
    """A session. Every request has a connection of its own; a session belongs to none."""

    def __init__(self, address, method, database, *messages, headers=(), origin=None, version=8, client=22, body=None, detects=False):
        self.address, self.method, self.database = address, method, database
        self.headers = [("Origin", origin)] if origin else []
        self.path = f"/google.firestore.v1.Firestore/{method}/channel"
        self.request_number, self.next_map, self.last, self.seen = 4711, 0, 0, {}
        self.sid = self.route = None
        query = {"VER": version, "database": database, "RID": self.request_number, "CVER": client, "X-HTTP-Session-Id": "gsessionid", "t": 1}
        # `detects`: whether the first GET still has to show that no proxy holds answers back.
        self.detects, self.polls = detects, False
        start = time.monotonic()
        answer = self.ask("POST", query, form(messages, 0, headers) if body is None else body)
        self.round_trip = time.monotonic() - start
        # What balancers recognize the server by, if it is one of several.
        self.route = self.answer_headers.get("x-http-session-id")
        self.next_map = len(messages)
        self.greeting = list(Frames().take(answer))[0]
        self.sid = self.greeting[0][1][1]

    def target(self, query):
        return f"{self.path}?" + "&".join(f"{name}={quote(str(value))}" for name, value in query.items() if value is not None)

    def ask(self, verb, query, body=None):
        """A request with a complete answer."""
        kind = [("Content-Type", "application/x-www-form-urlencoded")] if body is not None else []
        answer = Answer(self.address, verb, self.target(query), self.headers + kind, body).head()
        data = answer.body()
        self.answer_headers = answer.headers
        if answer.status != 200:
            raise Refused(answer, data)
        return data

    def query(self, **more):
        route = {"gsessionid": self.route} if self.route else {}
        return {"VER": 8, "database": self.database, **route, "SID": self.sid} | more

    def post(self, *messages, first=None, body=None, aid=None):
        """Messages on the forward channel; returns the three elements of the answer."""
        if first is None:
            first, self.next_map = self.next_map, self.next_map + len(messages)
        self.request_number += 1
        query = self.query(RID=self.request_number, AID=self.last if aid is None else aid, t=1)
        return list(Frames().take(self.ask("POST", query, form(messages, first) if body is None else body)))[0]

    def get(self, aid=None, polling=False, wait=None, timeout=10, sid=None, receive_buffer=None):
        query = self.query(RID="rpc", AID=self.last if aid is None else aid, CI=int(polling), TO=wait, TYPE="xmlhttp", t=1)
        return Back(self, self.target(query | ({"SID": sid} if sid else {})), timeout, receive_buffer)

    def took(self, array):
        """Array ids ascend by one; one that comes again is the same."""
        number, content = array
        if number in self.seen:
            assert self.seen[number] == content, f"array {number} has changed"
            return
        assert number == self.last + 1, f"array {number} after {self.last}"
        self.seen[number] = content
        self.last = number

    def terminate(self, verb="POST"):
        self.request_number += 1
        return self.ask(verb, self.query(RID=self.request_number, TYPE="terminate"), b"" if verb == "POST" else None)

    def follow(self, enough, seconds=20, polling=False):
        """All messages, over as many GETs as it takes, until `enough(message)` says so; keep-alives are left out."""
        end = time.monotonic() + seconds
        found = []
        while time.monotonic() < end:
            back = self._detecting_get(seconds) if self.detects else self.get(polling=polling or self.polls, timeout=seconds)
            for _, content in back:
                if content in (["noop"], ["close"], ["stop"]):
                    continue
                found.append(content[0])
                if enough(content[0]):
                    back.close()
                    return found
            back.close()
        raise TimeoutError(f"not within {seconds} s; there were {len(found)} messages, the last {found[-1:]}")

    def poll(self, seconds=20):
        """All messages of one GET, the first of which may find out that there is a proxy."""
        back = self._detecting_get(seconds) if self.detects else self.get(polling=True, timeout=seconds)
        return [content[0] for _, content in back if content not in (["noop"], ["close"], ["stop"])]

    def _detecting_get(self, seconds):
        """As the SDK does: a GET whose first byte takes more than twice the time of the handshake is behind a proxy that holds answers
        back. From then on the client polls (WC-41)."""
        self.detects = False
        back = self.get(timeout=2 * self.round_trip)
        try:
            back.answer._more()
            back.answer.socket.settimeout(seconds)
            return back
        except TimeoutError:
            back.close()
            self.polls = True
            return self.get(polling=True, timeout=seconds)
