"""A `hearth serve --auth`, its users over REST, and the official client as one of them."""

import collections
import json
import re
import secrets
import subprocess
import sys
import urllib.error
import urllib.request

import grpc
from google.cloud import firestore
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcTransport

from conftest import BINARY


class AccountServer:
    """A server with accounts, in development mode unless the arguments say otherwise."""

    mode = ["--development"]

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [BINARY, "serve", *self.mode, "--port", "0", "--auth", "0", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"ready on (\S+), accounts on (\S+) ", line)
        if not found:
            self.process.kill()
            raise RuntimeError(f"hearth serve did not start: {line!r}")
        self.address, self.accounts = found.groups()

    def post(self, path, body, form=False):
        """A request as an app's SDK sends it; returns the status and the answer."""
        data = body.encode() if form else json.dumps(body).encode()
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        request = urllib.request.Request(f"http://{self.accounts}/{path}?key=fake", data=data, headers={"content-type": kind})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def call(self, method, **fields):
        return self.post(f"identitytoolkit.googleapis.com/v1/accounts:{method}", fields)


class ProductionServer(AccountServer):
    """A server in production: what it believes is proved by its own signature or by a key."""

    mode = []
    PROJECT = "demo-production"

    def __init__(self, folder, rules, *arguments):
        self.key = secrets.token_urlsafe(32)
        (folder / "firestore.rules").write_text(rules)
        key_file = folder / "admin.key"
        key_file.touch(mode=0o600)
        key_file.write_text(self.key + "\n")
        super().__init__(
            "--in-memory", "--project", self.PROJECT, "--rules", str(folder / "firestore.rules"), "--admin-key-file", str(key_file),
            "--auth-project", self.PROJECT, "--auth-url", "https://auth.example.com", "--auth-providers", "anonymous,password",
            *arguments)


class _Details(collections.namedtuple("_Details", "method timeout metadata credentials wait_for_ready compression"), grpc.ClientCallDetails):
    pass


class _Credentials(
        grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor, grpc.StreamUnaryClientInterceptor, grpc.StreamStreamClientInterceptor):
    """Sends a token with every call, or none, instead of the emulator's administrator, which the library impersonates.

    gRPC has no credentials for channels without TLS.
    """

    def __init__(self, token):
        self.token = token

    def _send(self, continuation, details, request):
        metadata = [entry for entry in details.metadata or [] if entry[0].lower() != "authorization"]
        if self.token:
            metadata.append(("authorization", f"Bearer {self.token}"))
        return continuation(
            _Details(details.method, details.timeout, metadata, details.credentials, details.wait_for_ready, details.compression), request)

    intercept_unary_unary = intercept_unary_stream = intercept_stream_unary = intercept_stream_stream = _send


def client(address, project, token=None):
    """The official client as the user of an ID token, or without credentials."""
    db = firestore.Client(project=project)
    channel = grpc.intercept_channel(grpc.insecure_channel(address), _Credentials(token))
    db._transport = FirestoreGrpcTransport(host=address, channel=channel)
    db._firestore_api_internal = FirestoreClient(transport=db._transport)
    return db
