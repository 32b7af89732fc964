"""A gRPC client that only counts: what it does with an answer costs next to nothing, so that a server is measured.

Speaks just enough HTTP/2 for loopback measurements: it grants the largest windows immediately, and looks at frame headers,
message lengths and the first byte of each message only.
"""

import socket
import struct
import time

from documents import DATABASE

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
LARGEST_WINDOW = 2**31 - 1
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS, PADDED = 1, 1, 4, 8


class CallFailed(Exception):
    pass


class Stream:
    """What has come on one stream: how many messages, and how many that begin with the wanted byte."""

    __slots__ = ("messages", "wanted", "ended", "left", "pending", "at_start", "window")

    def __init__(self, window=0):
        self.window = window
        self.messages = 0
        self.wanted = 0
        self.ended = False
        self.left = 0
        self.pending = b""
        self.at_start = False

    def feed(self, data, first_byte):
        position, end = 0, len(data)
        while position < end:
            if self.left:
                if self.at_start:
                    self.at_start = False
                    if data[position] == first_byte:
                        self.wanted += 1
                step = min(self.left, end - position)
                self.left -= step
                position += step
                continue
            missing = 5 - len(self.pending)
            if end - position < missing or self.pending:
                self.pending += bytes(data[position : position + missing])
                position += missing
                if len(self.pending) < 5:
                    return
                header, self.pending = self.pending, b""
                self.left = struct.unpack_from(">I", header, 1)[0]
            else:
                self.left = struct.unpack_from(">I", data, position + 1)[0]
                position += 5
            self.messages += 1
            self.at_start = True


class CountingClient:
    """One connection."""

    def __init__(self, port, first_byte=None, token=None):
        """Messages that begin with `first_byte`, the tag of their first field, are counted apart."""
        self.first_byte = first_byte
        self.token = token
        self.authority = f"127.0.0.1:{port}"
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray()
        self.streams = {}
        self.next_stream = 1
        self.headers = {}
        # What the server lets us send: to each stream at first, and on the connection.
        self.stream_window = 65_535
        self.window = 65_535
        # No push, the largest window for every stream and for the connection.
        settings = struct.pack(">HIHI", 2, 0, 4, LARGEST_WINDOW)
        self.socket.sendall(
            PREFACE
            + frame(SETTINGS, 0, 0, settings)
            + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", LARGEST_WINDOW - 65_535))
        )

    def close(self):
        self.socket.close()

    def call(self, path, message):
        """Sends a message and waits for the end of the answer."""
        stream = self.open(path, message)
        while not stream.ended:
            self.receive()
        return stream

    def check(self, path, message, messages=1):
        """The same for calls that must be answered by a message: errors come without one."""
        stream = self.call(path, message)
        if stream.messages < messages:
            raise CallFailed(f"{path}: {stream.messages} messages")
        return stream

    def timed(self, path, message, wanted=0):
        """Seconds from the call to the end of the answer."""
        start = time.perf_counter()
        stream = self.check(path, message)
        elapsed = time.perf_counter() - start
        if stream.wanted < wanted:
            raise CallFailed(f"{path}: {stream.wanted} of {wanted} messages")
        return elapsed

    def timed_all(self, path, messages, in_flight):
        """Seconds for all of them, so many at a time."""
        start = time.perf_counter()
        opened = []
        for message in messages:
            opened.append(self.open(path, message))
            while len(self.streams) >= in_flight:
                self.receive()
        while self.streams:
            self.receive()
        elapsed = time.perf_counter() - start
        if not all(stream.messages for stream in opened):
            raise CallFailed(f"{path}: some calls were answered without a message")
        return elapsed

    def open(self, path, message, half_close=True):
        number, stream = self.next_stream, Stream(self.stream_window)
        self.next_stream += 2
        self.streams[number] = stream
        if path not in self.headers:
            self.headers[path] = self.header_block(path)
        self.send(number, message, half_close, frame(HEADERS, END_HEADERS, number, self.headers[path]))
        return stream

    def send(self, number, message, half_close=False, out=b""):
        """A message on an open stream, behind what stands in front of it."""
        stream = self.streams[number]
        body = struct.pack(">BI", 0, len(message)) + message
        start = 0
        while start < len(body):
            room = min(16_384, self.window, stream.window)
            if room <= 0:
                self.socket.sendall(out)
                out = b""
                self.receive()
                if stream.ended:
                    return
                continue
            piece = body[start : start + room]
            start += len(piece)
            self.window -= len(piece)
            stream.window -= len(piece)
            out += frame(DATA, END_STREAM if start == len(body) and half_close else 0, number, piece)
        self.socket.sendall(out)

    def wait(self, stream, is_met):
        """Receives until a stream that stays open has brought what is wanted."""
        while not is_met(stream):
            if stream.ended:
                raise CallFailed("the stream has ended")
            self.receive()

    def receive(self):
        """Takes what has come, waiting for something if nothing has."""
        data = self.socket.recv(1 << 20)
        if not data:
            raise CallFailed("the connection was closed")
        buffer = self.buffer
        buffer += data
        position, available, view = 0, len(buffer), memoryview(buffer)
        try:
            while available - position >= 9:
                high, length, kind, flags, number = struct.unpack_from(">BHBBI", view, position)
                length += high << 16
                end = position + 9 + length
                if end > available:
                    break
                self.take(kind, flags, number, view[position + 9 : end])
                position = end
        finally:
            view.release()
        del buffer[:position]

    def take(self, kind, flags, number, payload):
        if kind == DATA:
            stream = self.streams.get(number)
            if stream is not None:
                if flags & PADDED:
                    payload = payload[1 : len(payload) - payload[0]]
                stream.feed(payload, self.first_byte)
                if flags & END_STREAM:
                    self.end(number)
        elif kind == HEADERS:
            if flags & END_STREAM:
                self.end(number)
        elif kind == RESET:
            self.end(number)
        elif kind == WINDOW_UPDATE:
            more = struct.unpack(">I", payload)[0]
            if number == 0:
                self.window += more
            elif number in self.streams:
                self.streams[number].window += more
        elif kind == SETTINGS and not flags & ACK:
            self.settle(payload)
            self.socket.sendall(frame(SETTINGS, ACK, 0, b""))
        elif kind == PING and not flags & ACK:
            self.socket.sendall(frame(PING, ACK, 0, bytes(payload)))
        elif kind == GOAWAY:
            raise CallFailed(f"the server said goodbye: {bytes(payload)}")

    def settle(self, settings):
        for position in range(0, len(settings), 6):
            name, value = struct.unpack_from(">HI", settings, position)
            if name == 4:
                for stream in self.streams.values():
                    stream.window += value - self.stream_window
                self.stream_window = value

    def end(self, number):
        stream = self.streams.pop(number, None)
        if stream is not None:
            stream.ended = True

    def header_block(self, path):
        # Literals without indexing, names from the static table where it has them.
        return (
            b"\x83\x86"
            + b"\x04"
            + text(path)
            + b"\x01"
            + text(self.authority)
            + b"\x0f\x10"
            + text("application/grpc")
            + b"\x00"
            + text("te")
            + text("trailers")
            + b"\x00"
            + text("google-cloud-resource-prefix")
            + text(DATABASE)
            + (b"\x0f\x08" + text(f"Bearer {self.token}") if self.token else b"")
        )


def frame(kind, flags, stream, payload):
    return struct.pack(">BHBBI", len(payload) >> 16, len(payload) & 0xFFFF, kind, flags, stream) + payload


def text(content):
    data = content.encode()
    if len(data) < 127:
        return bytes([len(data)]) + data
    # Seven bits fit into the first byte, the others follow in groups of seven, the lowest first.
    length, rest = bytearray([127]), len(data) - 127
    while rest >= 128:
        length.append(rest % 128 + 128)
        rest //= 128
    return bytes(length) + bytes([rest]) + data
