"""A balancer for web pages: requests of a WebChannel session reach its node, by the route that the node has named."""

import contextvars
import re

from .proxy import ConnectionProxy

_ROUTE_OF_REQUEST = re.compile(rb"[?&]gsessionid=([^& ]+)")
_ROUTE_OF_ANSWER = re.compile(rb"\r\nx-http-session-id: *([^\r\n]+)", re.IGNORECASE)
_wanted = contextvars.ContextVar("wanted", default=None)


class RouteProxy(ConnectionProxy):
    """Gives a connection to the node of its first request's route; without one, or with an unknown one, to the next."""

    def __init__(self, targets):
        self._nodes = {}
        super().__init__(targets)

    async def _serve(self, reader, writer):
        head = await reader.read(1 << 16)
        # A request line may come in pieces.
        while b"\r\n" not in head and (more := await reader.read(1 << 16)):
            head += more
        route = _ROUTE_OF_REQUEST.search(head.split(b"\r\n", 1)[0])
        _wanted.set(self._nodes.get(route.group(1)) if route else None)
        await super()._serve(_Begun(head, reader), writer)

    async def _connect(self):
        if wanted := _wanted.get():
            self._next = self.targets.index(wanted)
        return await super()._connect()

    def _is_passed(self, connection, writer, data, is_request):
        if not is_request and (route := _ROUTE_OF_ANSWER.search(data)):
            self._nodes[route.group(1)] = connection.target
        return super()._is_passed(connection, writer, data, is_request)


class _Begun:
    """A reader whose first bytes were read before."""

    def __init__(self, data, reader):
        self._data, self._reader = data, reader

    async def read(self, count):
        if self._data:
            data, self._data = self._data, b""
            return data
        return await self._reader.read(count)
