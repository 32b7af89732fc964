"""The gate of `dev/bench gate`: what it compares, what it says, and when it fails."""

import json
import re
from pathlib import Path

import gate
import main as program
import pytest
import surroundings

PATH = "codec: a document"


@pytest.mark.parametrize("now, is_closed, words", [
    (1_000, False, None),
    (1_030, False, None),
    (1_031, True, "was 1,000, is 1,031, 1.031×"),
    (970, False, None),
    (969, False, "keeps the gain"),
])
def test_a_path_may_need_three_percent_more(now, is_closed, words):
    lines, closed = gate.verdict(gate.compare({PATH: 1_000}, {PATH: now}))
    assert closed == is_closed
    assert words is None and not lines or words in "\n".join(lines)


def test_a_path_above_the_limit_is_named_with_what_to_do():
    lines, _ = gate.verdict(gate.compare({PATH: 1_000, "other": 10}, {PATH: 2_000, "other": 10}))
    text = "\n".join(lines)
    assert PATH in text and "other" not in text
    assert "dev/bench gate --write" in text and "say in the message of the commit why" in text


@pytest.mark.parametrize("recorded, counted, words", [
    ({}, {PATH: 1}, f"{PATH}: not in the file"),
    ({PATH: 1}, {}, f"{PATH}: not in the program"),
])
def test_paths_that_only_one_of_both_has_close_the_gate(recorded, counted, words):
    lines, is_closed = gate.verdict(gate.compare(recorded, counted))
    assert is_closed and words in "\n".join(lines)


def test_a_file_that_is_written_is_read_back(tmp_path):
    path = str(tmp_path / "gate.json")
    assert gate.load(path) == ({}, {})
    gate.save({"sqlite": "3", "compiler": "Swift"}, {PATH: 5}, path)
    assert gate.load(path) == ({"compiler": "Swift", "sqlite": "3"}, {PATH: 5})


def test_other_versions_are_named():
    assert surroundings.differences({"glibc": "2.36", "sqlite": "3"}, {"glibc": "2.36", "sqlite": "3"}) == []
    assert surroundings.differences({"glibc": "2.36"}, {"glibc": "2.40", "sqlite": "3"}) == [
        "glibc: 2.36 in the file, 2.40 here", "sqlite: none in the file, 3 here",
    ]


def test_versions_of_packages_that_no_path_runs_do_not_count():
    def package(name, **checkout):
        return {"packageRef": {"identity": name}, "state": {"checkoutState": checkout}}

    found = [package("swift-nio", version="2.1"), package("swift-syntax", version="604"), package("swift-log", revision="ab")]
    state = {"object": {"dependencies": found}}
    assert surroundings.packages(state) == {"swift-nio": "2.1", "swift-log": "ab"}


def test_the_processor_is_the_one_that_valgrind_shows():
    assert surroundings.processor("x86_64", ["avx", "avx2"]) == "x86_64 with AVX2"
    assert surroundings.processor("x86_64", ["avx"]) == "x86_64"


class Counts:
    """A program whose runs give these counts, one after the other."""

    def __init__(self, *counts):
        self.counts = list(counts)

    def per_operation(self, *_):
        return self.counts.pop(0)


@pytest.mark.parametrize("counts, valid, rest", [((100, 90), 100, 1), ((110, 101, 90), 101, 1), ((110, 120, 130, 90), 110, 1)])
def test_a_count_above_the_limit_is_repeated_and_the_lowest_is_valid(counts, valid, rest):
    source = Counts(*counts)
    assert program.least(source, PATH, 100) == valid
    assert len(source.counts) == rest


def test_other_versions_are_not_compared(monkeypatch, capsys):
    monkeypatch.setattr(gate, "load", lambda: ({"sqlite": "3"}, {PATH: 1}))
    monkeypatch.setattr(surroundings, "current", lambda build: {"sqlite": "4"})
    assert program.compare([]) == 0
    assert "not compared" in capsys.readouterr().out


@pytest.mark.parametrize("words, counted, status", [
    ([], {PATH: 1_000, "other": 10}, 0),
    (["codec"], {PATH: 1_000}, 0),
    ([], {PATH: 1_000}, 1),
    (["nothing"], {}, 1),
])
def test_with_words_other_paths_are_left_out(monkeypatch, words, counted, status):
    monkeypatch.setattr(gate, "load", lambda: ({}, {PATH: 1_000, "other": 10}))
    monkeypatch.setattr(surroundings, "current", lambda build: {})
    monkeypatch.setattr(program, "count", lambda recorded, words: counted)
    assert program.compare(words) == status


def test_the_file_has_the_paths_of_the_program():
    root = Path(__file__).parents[3]
    recorded = json.loads((root / gate.FILE).read_text(encoding="utf-8"))["instructions"]
    sources = "".join(file.read_text(encoding="utf-8") for file in (root / "Benchmarks/HearthBenchmarks/Gate").glob("*.swift"))
    assert set(re.findall(r'(?:path|BenchmarkCase)\(\s*"([^"]+)"', sources)) == set(recorded)
