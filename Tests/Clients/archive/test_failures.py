"""OT-15: what goes wrong on the way to a bucket is tried again, or reported with the way out."""

import pytest

from archive.caller import CallFailed, Caller
from archive.scripted import Scripted, answer, error, slowly

STORED = answer(200, b"", 'ETag: "0"')
WHOLE = answer(200, b"hello")
PAGE = answer(200, b"<html>Sign in</html>", "Content-Type: text/html; charset=utf-8")


def called(server, **environment):
    return Caller("s3://bucket/p", server.endpoint, **environment)


@pytest.mark.parametrize("step", [
    error(500, "InternalError"), error(503, "SlowDown"), answer(429), answer(502, b"<html>"), b"", WHOLE[:-2], b"HTTP/1.1 200 OK\r\n",
    b"nonsense", answer(200, b"hello", "x-amz-checksum-sha256: AAAA"), 0.1,
])
def test_passing_failures_are_tried_again(step):
    with Scripted([step, step, WHOLE]) as server, called(server) as caller:
        assert caller.get("a") == b"hello"
        assert [path for _, path, _ in server.requests] == ["/bucket/p/a"] * 3


def test_a_slow_answer_is_read_to_its_end():
    with Scripted([slowly(WHOLE, 20, 0.05)]) as server, called(server) as caller:
        assert caller.get("a") == b"hello"


def test_failures_that_do_not_pass_end():
    with Scripted([error(503, "SlowDown")] * 9) as server, called(server) as caller:
        with pytest.raises(CallFailed, match=r"5 attempts.*SlowDown") as failed:
            caller.put("a", b"x")
        assert failed.value.code == "unavailable" and len(server.requests) == 5


def test_own_bytes_after_a_lost_answer_count_as_stored():
    with Scripted([b"", error(412, "PreconditionFailed"), answer(200, b"mine")]) as server, called(server) as caller:
        assert caller.put("a", b"mine")
    with Scripted([b"", error(412, "PreconditionFailed"), answer(200, b"theirs")]) as server, called(server) as caller:
        assert not caller.put("a", b"mine")
    with Scripted([error(412, "PreconditionFailed")]) as server, called(server) as caller:
        assert not caller.put("a", b"mine")


@pytest.mark.parametrize("step, code, words", [
    (error(403, "AccessDenied"), "permissionDenied", "s3:ListBucket"), (error(400, "ExpiredToken"), "unauthenticated", "have expired"),
    (error(404, "NoSuchBucket"), "notFound", "create it"), (PAGE, "failedPrecondition", "HTML page"),
    (answer(301, b"", "x-amz-bucket-region: us-west-2"), "failedPrecondition", "set the region to us-west-2"),
    (answer(404, b"<!DOCTYPE html><p>nothing here"), "failedPrecondition", "HTML page"),
])
def test_refusals_say_what_to_do_and_are_not_tried_again(step, code, words):
    with Scripted([step] * 9) as server, called(server) as caller:
        for number, call in enumerate([lambda: caller.get("a"), lambda: caller.put("a", b"x"), caller.list, lambda: caller.delete("a")]):
            with pytest.raises(CallFailed, match=words) as failed:
                call()
            assert failed.value.code == code and len(server.requests) == number + 1
            assert f"s3://bucket at {server.endpoint}" in str(failed.value)


def test_a_file_of_credentials_is_read_again_when_they_have_expired(tmp_path):
    file = tmp_path / "credentials"
    file.write_text("[default]\naws_access_key_id = OLD\naws_secret_access_key = S\n")
    with Scripted([STORED, error(400, "ExpiredToken"), STORED]) as server, called(server, ARCHIVE_CREDENTIALS=str(file)) as caller:
        assert caller.put("a", b"x")
        file.write_text("[default]\naws_access_key_id = NEW\naws_secret_access_key = S\naws_session_token = T\n")
        assert caller.put("b", b"x")
        assert len(server.requests) == 3
