"""docs/reference/emulator-differences.md, made of the list of accepted differences."""

from pathlib import Path

from .differences import DIFFERENCES

PATH = Path(__file__).resolve().parents[3] / "docs/reference/emulator-differences.md"

HEAD = """# Differences from the official emulator

Hearth has the service's semantics for everything that changes data or results, and the emulator's conveniences for indexes,
database creation and authentication. `make test-oracle` sends the same requests to Google's emulator and to `hearth serve` and
compares every answer; what may differ, and why, is listed here. The [catalogue of rules](../semantics/README.md) says how the service
behaves.

"The emulator" is that of the Google Cloud CLI 528.0.0 (June 2025), here and on every other page. Newer ones can do more: that of
firebase-tools runs pipelines since version 15.14 if `firebase.json` says `"edition": "enterprise"` below `"firestore"`.

Different decisions of security rules are listed in [security-rules.md](../guides/security-rules.md#differences-from-the-official-emulator).

Generated from `Tests/Clients/oracle/differences.py` by `make pages`; `make test-oracle` fails when an entry
is no longer needed.

| Id | Difference |
|---|---|
"""


def text():
    return HEAD + "".join(f"| {entry.id} | {entry.what} |\n" for entry in DIFFERENCES)


def is_current():
    return PATH.exists() and PATH.read_text(encoding="utf-8") == text()


def write():
    PATH.write_text(text(), encoding="utf-8")
