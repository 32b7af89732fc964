"""OT-15: an archive in a bucket behaves like one in a folder."""

import concurrent.futures
import secrets

import pytest

from archive.caller import CallFailed, Caller


@pytest.fixture(params=["bucket", "folder", "encrypted"])
def any_store(request, tmp_path, bucket, endpoint):
    if request.param == "folder":
        place, options = [tmp_path], {}
    else:
        place, options = [f"s3://{bucket}/p", endpoint], {}
    if request.param == "encrypted":
        key = tmp_path / "key"
        key.touch(0o600)
        key.write_bytes(secrets.token_bytes(32))
        options["ARCHIVE_KEY"] = str(key)
    with Caller(*place, **options) as caller:
        yield caller


def test_objects_are_stored_once_listed_in_order_and_removed(any_store):
    names = ["a b/+", "a+b", "a-b", "a/b/c", "a/b/d", "a/e", "a0", "a=&?#%25", "b/1", "ä/日"]
    for name in reversed(names):
        assert any_store.put(name, name.encode())
        assert not any_store.put(name, b"other")
    assert [any_store.get(name) for name in names] == [name.encode() for name in names]
    assert any_store.list() == [(name, len(name.encode())) for name in names]
    assert [name for name, _ in any_store.list("a/")] == ["a/b/c", "a/b/d", "a/e"]
    assert [name for name, _ in any_store.list("a/b")] == ["a/b/c", "a/b/d"]
    assert [name for name, _ in any_store.list("", "a/b/c", 2)] == ["a/b/d", "a/e"]
    assert any_store.list("c") == [] and any_store.list("", None, 0) == []
    assert any_store.get("absent") is None
    for name in names:
        any_store.delete(name)
        any_store.delete(name)
    assert any_store.list() == []
    any_store.check("check-1")
    assert any_store.list() == []


def test_a_large_object_arrives_whole(any_store):
    content = secrets.token_bytes(20 << 20)
    assert any_store.put("large", content)
    assert any_store.get("large") == content


def test_a_listing_has_more_objects_than_a_page(store, client, bucket):
    names = [f"journal/{number:05}" for number in range(2_345)]

    def put(name):
        client.put_object(Bucket=bucket, Key=f"servers/one/{name}", Body=b"x")

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(put, names))
    client.put_object(Bucket=bucket, Key="servers/two/other", Body=b"x")
    assert [name for name, _ in store.list()] == names
    assert [name for name, _ in store.list("journal/01", limit=1_001)] == names[1_000:2_000]
    assert [name for name, _ in store.list("journal/", after="journal/00999", limit=1_200)] == names[1_000:2_200]


def test_of_two_writers_one_succeeds(bucket, endpoint):
    place = f"s3://{bucket}/p"
    with Caller(place, endpoint) as first, Caller(place, endpoint) as second:
        for number in range(20):
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                stored = list(pool.map(lambda writer: writer.put(f"lease-{number}", str(id(writer)).encode()), [first, second]))
            assert sorted(stored) == [False, True]
            winner = first if stored[0] else second
            assert first.get(f"lease-{number}") == str(id(winner)).encode()


def test_objects_are_those_that_aws_itself_sees(store, client, bucket):
    assert store.put("a b/ä", b"content")
    [found] = client.list_objects_v2(Bucket=bucket)["Contents"]
    assert found["Key"] == "servers/one/a b/ä"
    assert client.get_object(Bucket=bucket, Key=found["Key"])["Body"].read() == b"content"
    client.put_object(Bucket=bucket, Key="servers/one/folder/", Body=b"")
    assert store.list() == [("a b/ä", 7)]


def test_a_bucket_that_does_not_exist_is_reported(endpoint):
    with Caller("s3://no-such-bucket/p", endpoint) as caller:
        for call in [lambda: caller.put("a", b"x"), lambda: caller.get("a"), caller.list]:
            with pytest.raises(CallFailed, match="no such bucket.*create it") as failed:
                call()
            assert failed.value.code == "notFound" and "s3://no-such-bucket at http://127.0.0.1" in str(failed.value)


def test_names_that_lead_elsewhere_are_refused(any_store):
    for name in ["", "../a", "a/../b", "a//b", ".a", "a\0b"]:
        with pytest.raises(CallFailed, match="is not a name of an object"):
            any_store.put(name, b"x")
