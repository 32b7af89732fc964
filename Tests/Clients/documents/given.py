"""What a reader of the pages already has: files and servers that `<!-- given: … -->` names."""

import gzip
import json
import shutil
import subprocess
from pathlib import Path

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} { allow read, write: if request.auth != null; }
  }
}
"""
CITIES = [
    '{"path": "cities/LA", "fields": {"name": "Los Angeles", "population": 3900000}}',
    '{"path": "cities/TOK", "fields": {"name": "Tokyo", "population": 9000000}}',
]
TABLE = "code,name,population\nBER,Bergen,291940\nOSL,Oslo,709037\n"


def provide(names):
    """Makes each of `names` in the current folder; an absolute path is made there."""
    for name in names:
        if name.startswith("a server"):
            # A development server on its usual port, also under the name that the page gives it.
            named = ["--allow-host", name.split(" called ")[1]] if " called " in name else []
            hearth("serve", *named)
            hearth("import", "--server", "127.0.0.1:8080", "-", input="\n".join(CITIES))
        elif name == "no server":
            subprocess.run(["stop"], check=True, stderr=subprocess.PIPE, text=True)
        else:
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            MAKERS[path.name](path)


def hearth(*arguments, input=None):
    subprocess.run(["hearth", *arguments], check=True, input=input, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def certificate(path):
    key = path.with_name("key.pem")
    options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=db.example.com"]
    subprocess.run(["openssl", "req", "-x509", *options, "-keyout", key, "-out", path], check=True, capture_output=True)


def database(path):
    hearth("import", "--data", str(path), "-", input="\n".join(CITIES))


def schema(path):
    hearth("import", "--data", "schema.sqlite", "-", input=CITIES[0])
    command = ["hearth", "schema", "cities", "--data", "schema.sqlite", "--json", "--quiet"]
    path.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)


def seed(path):
    """The folder of the official tools, with one account."""
    path.mkdir()
    user = {"localId": "alice", "email": "alice@example.com"}
    (path / "accounts.json").write_text(json.dumps({"kind": "identitytoolkit#DownloadAccountResponse", "users": [user]}))


def program(path):
    path.write_text("#!/bin/sh\ncat > /dev/null\n")
    path.chmod(0o755)


def accounts(path):
    """The data directory of a server that has run with accounts."""
    seed(Path("made-accounts"))
    hearth("accounts", "import", "--data", str(path), "--project", "my-app", "made-accounts")
    shutil.rmtree("made-accounts")


MAKERS = {
    "app.sqlite": database,
    "backup.jsonl": lambda path: path.write_text("\n".join(CITIES)),
    "cities.csv.gz": lambda path: path.write_bytes(gzip.compress(TABLE.encode())),
    "firestore.rules": lambda path: path.write_text(RULES),
    "admin.key": lambda path: hearth("admin-key", str(path)),
    "chain.pem": certificate,
    "cert.pem": certificate,
    "old.json": schema,
    "new.json": lambda path: shutil.copy("old.json", path),
    "seed": seed,
    "data": accounts,
    "send-mail": program,
}
