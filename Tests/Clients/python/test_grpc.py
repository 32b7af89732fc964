"""gRPC below the client library: health, and calls that are turned away."""

import grpc
import pytest

from conftest import start, stop

COMMIT = "/google.firestore.v1.Firestore/Commit"


def raw(channel, path, kind="unary_unary"):
    """A method that takes and gives bytes."""
    return getattr(channel, kind)(path, request_serializer=bytes, response_deserializer=bytes)


@pytest.fixture
def channel(address):
    with grpc.insecure_channel(address) as channel:
        yield channel


def named(service):
    """grpc.health.v1.HealthCheckRequest"""
    return b"\x0a" + bytes([len(service)]) + service if service else b""


def test_health(channel):
    check = raw(channel, "/grpc.health.v1.Health/Check")
    for service in (b"", b"google.firestore.v1.Firestore"):
        assert check(named(service), timeout=20) == b"\x08\x01"
    with pytest.raises(grpc.RpcError) as error:
        check(named(b"nothing"), timeout=20)
    assert error.value.code() == grpc.StatusCode.NOT_FOUND
    watch = raw(channel, "/grpc.health.v1.Health/Watch", "unary_stream")
    for service, status in ((b"", b"\x08\x01"), (b"nothing", b"\x08\x03")):
        call = watch(named(service), timeout=20)
        assert next(call) == status
        call.cancel()


@pytest.mark.one_server("it stops the server")
def test_health_of_a_server_that_stops(tmp_path):
    process, address = start(["--in-memory"], str(tmp_path))
    with grpc.insecure_channel(address) as channel:
        call = raw(channel, "/grpc.health.v1.Health/Watch", "unary_stream")(b"", timeout=60)
        assert next(call) == b"\x08\x01"
        process.terminate()
        assert next(call) == b"\x08\x02"
        with pytest.raises(grpc.RpcError) as error:
            next(call)
        assert error.value.code() == grpc.StatusCode.UNAVAILABLE
    stop(process)
    assert process.returncode == 0


@pytest.mark.parametrize("authority", ["evil.example", "evil-localhost.com:80", "localhost.evil.com", "127.0.0.1.evil.com"])
def test_foreign_authorities(address, authority):
    with grpc.insecure_channel(address, options=[("grpc.default_authority", authority)]) as channel:
        with pytest.raises(grpc.RpcError) as error:
            raw(channel, COMMIT)(b"", timeout=20)
    assert error.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert authority in error.value.details()


@pytest.mark.parametrize("authority", ["LOCALHOST", "app.localhost:1", "[::1]:8080", "localhost."])
def test_authorities_of_this_machine(address, authority):
    with grpc.insecure_channel(address, options=[("grpc.default_authority", authority)]) as channel:
        assert raw(channel, "/grpc.health.v1.Health/Check")(b"", timeout=20) == b"\x08\x01"


def test_malformed_tokens(channel, project):
    database = f"projects/{project}/databases/(default)".encode()
    with pytest.raises(grpc.RpcError) as error:
        raw(channel, COMMIT)(b"\x0a" + bytes([len(database)]) + database, metadata=[("authorization", "Bearer garbage")], timeout=20)
    assert error.value.code() == grpc.StatusCode.UNAUTHENTICATED
