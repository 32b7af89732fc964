"""Random requests, and how botocore signs them.

python -m archive.vectors writes those that the Swift tests check, into Tests/Server/FirestoreArchiveTests/Fixtures/signatures.json.
"""

import datetime
import hashlib
import json
import pathlib
import random
import urllib.parse
from unittest import mock

import botocore.auth
import botocore.awsrequest
import botocore.credentials

FIXTURE = pathlib.Path(__file__).resolve().parents[2] / "Server/FirestoreArchiveTests/Fixtures/signatures.json"
LETTERS = "aZ09-._~ +%&=?#@!*'();:,$[]{}|\\^`<>\"äé日😀/"
HOSTS = ["box.s3.eu-central-1.amazonaws.com", "s3.example.com:9000", "127.0.0.1:5000", "[::1]:9000"]


def text(source, shortest=0, longest=12, letters=LETTERS):
    return "".join(source.choice(letters) for _ in range(source.randint(shortest, longest)))


def random_request(source):
    """A request in the form that ArchiveCaller reads."""
    names = [text(source, 1) for _ in range(source.randint(0, 4))]
    headers = {"If-None-Match": "*", "x-amz-meta-a": text(source, 1, 8, "ab  ;=,").strip() or "a", "Content-Type": "application/octet-stream"}
    return {
        "method": source.choice(["GET", "PUT", "DELETE"]),
        "host": source.choice(HOSTS),
        "key": "/" + text(source, 0, 30),
        "query": [[name, source.choice(["", text(source)])] for name in names],
        "headers": [[name, headers[name]] for name in source.sample(sorted(headers), source.randint(0, 3))],
        "body": text(source, 0, 40),
        "accessKey": "AKIA" + text(source, 8, 8, "ABC123"),
        "secretKey": text(source, 20, 40, "aZ09+/"),
        "token": source.choice([None, text(source, 5, 50, "aZ09+/=")]),
        "region": source.choice(["us-east-1", "eu-central-1", "auto"]),
        "time": source.randint(0, 4_000_000_000),
    }


def signed_by_botocore(request):
    """The target and the headers of botocore's own request."""
    quote = lambda part: urllib.parse.quote(part, safe="-._~")  # noqa: E731
    query = sorted((quote(name), quote(value)) for name, value in request["query"])
    target = urllib.parse.quote(request["key"], safe="-._~/") + ("?" + "&".join(f"{name}={value}" for name, value in query) if query else "")
    wanted = botocore.awsrequest.AWSRequest(
        method=request["method"], url=f"https://{request['host']}{target}", headers=dict(request["headers"]), data=request["body"].encode())
    # Over https botocore leaves the body out unless it is asked to sign it.
    wanted.context["payload_signing_enabled"] = True
    wanted.context["client_config"] = mock.Mock(s3={"payload_signing_enabled": True})
    credentials = botocore.credentials.Credentials(request["accessKey"], request["secretKey"], request["token"])
    now = datetime.datetime.fromtimestamp(request["time"], datetime.timezone.utc)
    with mock.patch("botocore.auth.get_current_datetime", lambda *_, **__: now.replace(tzinfo=None)):
        botocore.auth.S3SigV4Auth(credentials, "s3", request["region"]).add_auth(wanted)
    names = ["authorization", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token"]
    assert wanted.headers["x-amz-content-sha256"] == hashlib.sha256(request["body"].encode()).hexdigest()
    return {"target": target, "headers": {name: wanted.headers[name] for name in names if name in wanted.headers}}


def vectors(seed, count):
    source = random.Random(seed)
    for _ in range(count):
        request = random_request(source)
        yield request, signed_by_botocore(request)


if __name__ == "__main__":
    rows = [json.dumps({"request": request, "signed": signed}, ensure_ascii=True) for request, signed in vectors(27, 60)]
    FIXTURE.write_text("[\n" + ",\n".join(rows) + "\n]\n")
