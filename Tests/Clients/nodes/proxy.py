"""A TCP proxy in front of nodes, or between a node and PostgreSQL, that cuts, delays, and loses parts of messages."""

import asyncio
import threading

# What `break_next` can do to the next message of a connection.
HALF_REQUEST = "half request"  # half of what the client sends arrives, then both sides are cut
LOST_ANSWER = "lost answer"  # the request arrives, the answer does not
HALF_ANSWER = "half answer"


class _Connection:
    def __init__(self, target, writers):
        self.target, self.writers = target, writers
        self.fault = None
        # Nothing is passed on any more; and both sides are closed.
        self.has_ended, self.is_cut = False, False

    def cut(self):
        self.is_cut = True
        for writer in self.writers:
            writer.transport.abort()


class ConnectionProxy:
    """Gives every connection to the next of `targets` ("host:port") that accepts it.

    `delay` is in seconds, for each piece of data in each direction. `accepts = False` turns new connections away. All
    methods can be called from any thread.
    """

    def __init__(self, targets, delay=0):
        self.targets = list(targets)
        self.delay, self.accepts = delay, True
        self.counts = {"connections": 0, "cut": 0, HALF_REQUEST: 0, LOST_ANSWER: 0, HALF_ANSWER: 0}
        self._next = 0
        self._connections = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._call(asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=256))
        self.port = self._server.sockets[0].getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"

    def _call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    # Faults.

    def cut(self, target=None):
        """Closes all connections, or those to one target. Returns how many."""
        return self._call(self._cut(target))

    async def _cut(self, target):
        chosen = self._chosen(target)
        for connection in chosen:
            connection.cut()
        self.counts["cut"] += len(chosen)
        return len(chosen)

    def break_next(self, fault, target=None, count=1):
        """The next message on `count` connections meets a fault, each on a connection of its own."""
        return self._call(self._break_next(fault, target, count))

    async def _break_next(self, fault, target, count):
        chosen = [each for each in self._chosen(target) if not each.fault][:count]
        for connection in chosen:
            connection.fault = fault
        return len(chosen)

    def _chosen(self, target):
        return [each for each in self._connections if not each.is_cut and target in (None, each.target)]

    def close(self):
        self.accepts = False
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _close(self):
        self._server.close()
        await self._cut(None)
        # They end by themselves when their connections are gone.
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        if tasks:
            await asyncio.wait(tasks, timeout=3)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Passing on.

    async def _serve(self, reader, writer):
        far = await self._connect() if self.accepts else None
        if far is None:
            writer.transport.abort()
            return
        target, far_reader, far_writer = far
        connection = _Connection(target, [writer, far_writer])
        self._connections.add(connection)
        self.counts["connections"] += 1
        try:
            await asyncio.gather(
                self._pass_on(connection, reader, far_writer, True),
                self._pass_on(connection, far_reader, writer, False))
        finally:
            self._connections.discard(connection)
            connection.cut()

    async def _connect(self):
        for _ in range(len(self.targets)):
            target = self.targets[self._next % len(self.targets)]
            self._next += 1
            host, port = target.rsplit(":", 1)
            try:
                return target, *await asyncio.wait_for(asyncio.open_connection(host, int(port)), 2)
            except (OSError, asyncio.TimeoutError):
                continue
        return None

    async def _pass_on(self, connection, reader, writer, is_request):
        try:
            while data := await reader.read(1 << 16):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if not self._is_passed(connection, writer, data, is_request):
                    return
                await writer.drain()
            writer.write_eof()
        except (OSError, RuntimeError):
            connection.cut()

    def _is_passed(self, connection, writer, data, is_request):
        """Writes the data, or what the fault of the connection leaves of it; False if that ends the connection."""
        fault = connection.fault
        if connection.is_cut or connection.has_ended:
            return False
        if fault == HALF_REQUEST and is_request or fault == HALF_ANSWER and not is_request:
            writer.write(data[: len(data) // 2])
            # Gives the half the time to arrive: a reset discards what was not read.
            self._loop.call_later(0.02, connection.cut)
        elif fault == LOST_ANSWER and not is_request:
            connection.cut()
        else:
            writer.write(data)
            return True
        connection.has_ended = True
        self.counts[fault] += 1
        return False
