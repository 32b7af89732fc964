"""The same script against `hearth serve` and Google's emulator: the same messages."""

import pytest

from .app import App
from .script import SCENARIOS

# Where the emulator does something else, and what Hearth's answer is instead.
DIFFERENT = {
    # The emulator carries out what comes after a failed batch. Over gRPC a stream ends with its first failure, and here, too.
    "failed_write": [["message", "status"], "NOT_FOUND", True, 3, None],
    # The emulator sends it without being asked by a page.
    "origins": [[None, None], ["http://localhost:5173", "true"]],
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_hearth(name, hearth, database):
    """By itself, so that something is tested where there is no emulator."""
    assert SCENARIOS[name](App(hearth, database)) is not None


@pytest.mark.parametrize("name", SCENARIOS)
def test_like_the_emulator(name, hearth, emulator, database):
    ours, theirs = SCENARIOS[name](App(hearth, database)), SCENARIOS[name](App(emulator, database))
    if name in DIFFERENT:
        assert ours == DIFFERENT[name]
    else:
        assert ours == theirs
