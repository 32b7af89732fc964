import threading

import boto3
import pytest
from moto.server import ThreadedMotoServer

from archive.caller import Caller


@pytest.fixture(scope="session")
def endpoint():
    """A server of S3 in this process."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(scope="session")
def client(endpoint):
    """AWS's own client of that server."""
    return boto3.client(
        "s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="testing", aws_secret_access_key="testing")


_numbers = iter(range(1, 1_000_000))
_lock = threading.Lock()


@pytest.fixture
def bucket(client):
    """An empty bucket."""
    with _lock:
        name = f"archive-{next(_numbers)}"
    client.create_bucket(Bucket=name)
    return name


@pytest.fixture
def store(bucket, endpoint):
    """Our archive in that bucket, under a prefix."""
    with Caller(f"s3://{bucket}/servers/one", endpoint) as caller:
        yield caller
