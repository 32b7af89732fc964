"""Talks to the echo service of FirestoreRPCTests with grpcio. Usage: grpcio_client.py HOST:PORT"""
import sys
import time

import grpc

channel = grpc.insecure_channel(sys.argv[1], options=[("grpc.max_receive_message_length", -1)])
raw = dict(request_serializer=None, response_deserializer=None)
unary = channel.unary_unary("/test.Echo/Unary", **raw)
fail = channel.unary_unary("/test.Echo/Fail", **raw)
hang = channel.unary_unary("/test.Echo/Hang", **raw)
metadata = channel.unary_unary("/test.Echo/Metadata", **raw)
missing = channel.unary_unary("/test.Echo/Missing", **raw)
chat = channel.stream_stream("/test.Echo/Chat", **raw)
many = channel.unary_stream("/test.Echo/Many", **raw)
listen = channel.unary_stream("/test.Echo/Listen", **raw)


def expect(condition, what):
    if not condition:
        sys.exit(f"grpcio: {what}")


def error(call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except grpc.RpcError as e:
        return e
    sys.exit("grpcio: an error was expected")


# unary, small, empty, large; many simultaneous calls on one connection
expect(unary(b"hello", timeout=20) == b"hello", "unary")
expect(unary(b"", timeout=20) == b"", "empty message")
large = bytes(range(256)) * 4096 * 9
expect(unary(large, timeout=60) == large, "9 MiB")
futures = [unary.future(b"%d" % i, timeout=60) for i in range(2000)]
expect([f.result() for f in futures] == [b"%d" % i for i in range(2000)], "2000 at once")
expect(unary(b"z" * 100_000, timeout=20, compression=grpc.Compression.Gzip) == b"z" * 100_000, "gzip")
expect(metadata(b"", timeout=20, metadata=[("x-test", "value")]) == b"value deadline", "metadata")

# errors
e = error(fail, b"", timeout=20)
expect(e.code() == grpc.StatusCode.FAILED_PRECONDITION, "status code")
expect(e.details() == "nö: 100 %\n", f"status message {e.details()!r}")
expect(dict(e.trailing_metadata())["grpc-status-details-bin"] == b"details", "status details")
expect(error(missing, b"", timeout=20).code() == grpc.StatusCode.UNIMPLEMENTED, "unknown method")
expect(error(unary, b"x" * (11 << 20), timeout=60).code() == grpc.StatusCode.INVALID_ARGUMENT, "over the limit")
expect(error(unary, b"\0" * (11 << 20), timeout=60, compression=grpc.Compression.Gzip).code()
       == grpc.StatusCode.INVALID_ARGUMENT, "over the limit when inflated")
expect(unary(b"still there", timeout=20) == b"still there", "after errors")

# deadlines and cancellation
expect(error(hang, b"", timeout=0.2).code() == grpc.StatusCode.DEADLINE_EXCEEDED, "deadline")
f = hang.future(b"")
f.cancel()
for i in range(300):  # more than the library's own limit for resets
    call = listen(b"")
    expect(next(call) == b"hello", "listen")
    call.cancel()
expect(unary(b"alive", timeout=20) == b"alive", "after 300 cancelled streams")

# streams
expect([m for m in chat(iter([b"a", b"bb", b""]), timeout=20)] == [b"a", b"bb", b""], "chat")
expect(error(lambda: list(chat(iter([b"a", b"fail"]), timeout=20))).code() == grpc.StatusCode.ABORTED, "chat that fails")
slow = many(b"300 65536", timeout=60)
first = next(slow)
time.sleep(0.3)
expect(unary(b"meanwhile", timeout=20) == b"meanwhile", "beside a slow reader")
expect(1 + sum(1 for m in slow if len(m) == 65536) == 300, "slow reader")
print("ok")
