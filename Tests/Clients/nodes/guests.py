"""Clients without credentials, and the rules that decide what they may do."""

import os
import queue
import random
import subprocess
import threading
import time

import grpc
from google.cloud.firestore_v1.types import firestore as methods

from .calls import raw
from .recording import ACKNOWLEDGED, FOREVER, Change, Delivery, Deployment, Documents, Request
from .workload import SUBJECTS, Client


class Guest(Client):
    """Without credentials: rules decide what it may do."""

    credentials = None
    pause = 0.005

    def act(self):
        node, subject, start = self.node(), f"s{self.random.randrange(SUBJECTS)}", time.monotonic()
        path = f"guarded/{subject}"
        if self.random.random() < 0.3:
            code = self.write(node, path)
        else:
            code = self.look(node, path)
        if code in (None, grpc.StatusCode.PERMISSION_DENIED):
            self.recording.requests.append(
                Request(self.name, node.name, start, time.monotonic(), subject, is_granted=code is None))

    def look(self, node, path):
        asked = time.monotonic()
        try:
            found, _ = node.read(Documents((path,)), timeout=self.timeout())
        except grpc.RpcError as error:
            self.minds(error, node)
            return error.code()
        # What was committed behind the end of the rules must not be shown either, whenever the request began.
        for version in found.values():
            self.recording.deliveries.append(
                Delivery(self.name, node.name, asked, time.monotonic(), path.split("/")[1], version))
        return None

    def write(self, node, path):
        commit = self.commit(node, [Change(path, "set", {"v": self.next_id()})])
        if commit.outcome == ACKNOWLEDGED:
            return None
        is_denied = commit.code.startswith(grpc.StatusCode.PERMISSION_DENIED.name)
        return grpc.StatusCode.PERMISSION_DENIED if is_denied else grpc.StatusCode.UNKNOWN


class GuestListener(Client):
    """Listens to a document that rules show from time to time, without credentials."""

    credentials = None
    pause = 0.02

    def act(self):
        node, subject = self.node(), f"s{self.random.randrange(SUBJECTS)}"
        requests, asked = queue.Queue(), time.monotonic()
        request = raw(methods.ListenRequest)(database=self.round.place.database)
        request.add_target.CopyFrom(self.round.place.target(1, Documents((f"guarded/{subject}",))))
        requests.put(request)
        call = node.listen(iter(requests.get, None))
        timer = threading.Timer(self.random.uniform(0.2, 1.5), call.cancel)
        timer.start()
        try:
            for response in call:
                if not self.receive(response, node, subject, asked):
                    break
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.CANCELLED:
                self.minds(error, node)
        finally:
            timer.cancel()
            call.cancel()
            requests.put(None)

    def receive(self, response, node, subject, asked):
        """False if the listener was turned away."""
        if response.HasField("document_change"):
            _, version = self.round.place.found(response.document_change.document)
            self.recording.deliveries.append(
                Delivery(self.name, node.name, asked, time.monotonic(), subject, version))
        if response.target_change.cause.code:
            self.recording.count("listeners turned away by rules")
            return False
        return True


class Deployer(threading.Thread):
    """Deploys rules again and again, which grant guests one subject after the other."""

    RULES = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents/rounds/{round} {
            match /guarded/{id} { allow read, write: if id == '%s'; }
            match /marks/{id} { allow write: if true; }
          }
        }
    """

    def __init__(self, name, recording, deploy, folder, seed):
        super().__init__(daemon=True, name=name)
        self.recording, self.is_stopped = recording, False
        self._deploy = deploy
        self._file = os.path.join(folder, "deployed.rules")
        self._random = random.Random(f"{seed} {name}")

    def run(self):
        number = self._random.randrange(SUBJECTS)
        while not self.is_stopped:
            self.deploy(f"s{number}")
            number = (number + self._random.randint(1, SUBJECTS - 1)) % SUBJECTS
            time.sleep(self._random.uniform(0.05, 0.4))

    def deploy(self, subject):
        with open(self._file, "w") as file:
            file.write(self.RULES % subject)
        deployment = Deployment(time.monotonic(), FOREVER, frozenset([subject]))
        self.recording.deployments.append(deployment)
        try:
            self._deploy(self._file)
            deployment.end = time.monotonic()
        except (RuntimeError, subprocess.TimeoutExpired):
            self.recording.count("deployments without an answer")

    def stop(self):
        self.is_stopped = True
