import itertools
import json
import os
import shutil
import subprocess

import grpc
import pytest
from google.cloud import firestore_admin_v1
from google.cloud.firestore_admin_v1.services.firestore_admin.transports import FirestoreAdminGrpcTransport, FirestoreAdminRestTransport
from google.oauth2.credentials import Credentials

from admin.served import Server

_numbers = itertools.count(1)
GCLOUD = shutil.which("gcloud")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("admin"), "--strict")
    yield server
    server.stop()


@pytest.fixture
def project():
    return f"project-{next(_numbers)}"


@pytest.fixture
def database(server, project):
    """A new database of a new project."""
    server.good("POST", f"projects/{project}/databases", {"locationId": "here"}, {"databaseId": "(default)"})
    return f"projects/{project}/databases/(default)"


class Interceptor(grpc.UnaryUnaryClientInterceptor):
    def intercept_unary_unary(self, continuation, details, request):
        details = details._replace(metadata=[*(details.metadata or []), ("authorization", "Bearer owner")])
        return continuation(details, request)


@pytest.fixture(params=["grpc", "rest"])
def client(request, server):
    if request.param == "grpc":
        channel = grpc.intercept_channel(grpc.insecure_channel(server.address), Interceptor())
        transport = FirestoreAdminGrpcTransport(channel=channel)
    else:
        transport = FirestoreAdminRestTransport(host=server.address, url_scheme="http", credentials=Credentials(token="owner"))
    return firestore_admin_v1.FirestoreAdminClient(transport=transport)


@pytest.fixture
def gcloud(server, tmp_path, project):
    """Runs `gcloud firestore`, and returns what it prints."""
    if GCLOUD is None:
        pytest.skip("gcloud is not installed (the package google-cloud-cli)")
    token = tmp_path / "token"
    token.write_text("owner")
    environment = {
        **os.environ,
        "CLOUDSDK_CONFIG": str(tmp_path / "config"),
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_FIRESTORE": f"http://{server.address}/",
        "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE": str(token),
        "CLOUDSDK_CORE_PROJECT": project,
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
        "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "1",
        "CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK": "1",
    }

    def run(*words, fails=False):
        done = subprocess.run(
            [GCLOUD, "firestore", *words, "--format=json"], env=environment, capture_output=True, text=True, timeout=120)
        assert (done.returncode != 0) == fails, (words, done.stdout, done.stderr)
        return done.stderr if fails else json.loads(done.stdout or "null")

    return run
