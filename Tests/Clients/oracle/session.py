"""A case at work on one server."""

import http.client

from .cases import Memory
from .outcome import Outcome, collapse
from .wire import DATABASE, PROJECT, request


class Session:
    def __init__(self, client, project):
        self.client = client
        client.project = project
        self.memory = Memory()
        self.streams = {}
        self.background = {}
        self.transactions = []

    def clear(self):
        """Forgets every document of the project's database (an emulator's convenience, SE-5)."""
        path = f"/emulator/v1/{DATABASE}/documents".replace(PROJECT, self.client.project)
        connection = http.client.HTTPConnection(self.client.address, timeout=30)
        connection.request("DELETE", path, headers={"authorization": "Bearer owner"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"oracle: DELETE {path} answered {answer.status}")

    def outcome(self, method, messages, code, details):
        for message in messages:
            transaction = getattr(message, "transaction", b"")
            if transaction:
                self.transactions.append(transaction)
        return Outcome(method, code, details, collapse(method, messages) if messages or code == "OK" else None)

    def end(self):
        """Nothing of this case, no lock and no stream, outlives it."""
        for stream in self.streams.values():
            stream.close()
        for transaction in list(self.transactions):
            self.client.call("Rollback", request("Rollback", database=DATABASE, transaction=transaction))
        for thread, _ in self.background.values():
            thread.join(60)


def play(case, client, project):
    """The outcomes of a case's steps on one server."""
    session = Session(client, project)
    session.clear()
    outcomes = []
    try:
        for step in case.steps:
            outcomes.append(step.run(session))
    finally:
        session.end()
    return outcomes
