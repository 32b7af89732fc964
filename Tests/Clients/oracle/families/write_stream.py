"""The Write stream: handshake, tokens, results in order, how it ends (LS-38, LS-39)."""

from ..cases import Case, call, token_of
from ..streams import WriteSend
from ..values import name, update
from ..wire import DATABASE, WriteRequest

HELLO = WriteSend(WriteRequest(database=DATABASE))
READ = call("BatchGetDocuments", database=DATABASE, documents=[name("c/a"), name("c/b")])


def send(*writes, **more):
    options = {key: more.pop(key) for key in ("token", "saves") if key in more}
    return WriteSend(WriteRequest(writes=list(writes), **more), **options)


def cases(seed, count, quick):
    add = [{"field_path": "n", "increment": {"integer_value": 1}}]
    one = send(update("c/a", {"n": 1}))
    table = {
        "hello": [HELLO], "hello, close": [HELLO, WriteSend(None)], "one write": [HELLO, one], "several": [HELLO, one, send(update("c/a", {"n": 2}), {"delete": name("c/b")}), send(update("c/a", transforms=add))],
        "nothing to write closes": [HELLO, one, send(), send(update("c/b", {"n": 2}))], "close": [HELLO, one, WriteSend(None)],
        "a failure ends it": [HELLO, send(update("c/a", {"n": 1}, current={"exists": True})), one], "illegal": [HELLO, send(update("c/__x__", {"n": 1})), one],
        "same again": [HELLO, one, one], "part fails": [HELLO, send(update("c/b", {"n": 1}), update("c/a", {"n": 1}, current={"exists": True}))],
        "no hello": [one], "no database": [WriteSend(WriteRequest())], "bad database": [WriteSend(WriteRequest(database="x"))], "other database": [WriteSend(WriteRequest(database=DATABASE.replace("(default)", "other")))],
        "writes in hello": [WriteSend(WriteRequest(database=DATABASE, writes=[update("c/a", {"n": 1})]))],
        "stream id in hello": [WriteSend(WriteRequest(database=DATABASE, stream_id="s"))], "token in hello": [WriteSend(WriteRequest(database=DATABASE, stream_token=b"t"))],
        "no token": [HELLO, send(update("c/a", {"n": 1}), token=False)], "garbage token": [HELLO, send(update("c/a", {"n": 1}), stream_token=b"garbage")],
        "stale token": [WriteSend(WriteRequest(database=DATABASE), saves={"t": "stream_token"}), one, send(update("c/a", {"n": 2}), stream_token=token_of("t"))],
        "database again": [HELLO, send(update("c/a", {"n": 1}), database=DATABASE)], "other database again": [HELLO, send(update("c/a", {"n": 1}), database=DATABASE.replace("(default)", "other"))],
        "hello twice": [HELLO, HELLO], "verify": [HELLO, one, send(update("c/a", mask=[]))],
    }
    for title, steps in table.items():
        yield Case("write_stream", title, [*steps, READ])
