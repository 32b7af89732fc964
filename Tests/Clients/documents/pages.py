"""The shell blocks of a page, with the marks above them."""

import re
from dataclasses import dataclass, field

# <!-- not run: needs Google -->, <!-- not run: needs Google (lines with --cloud) -->: the next block, or those commands of it.
NOT_RUN = re.compile(r"<!-- not run: (?P<reason>.*?)(?: \(lines with (?P<text>.*)\))? -->")
# <!-- given: app.sqlite, a server -->: what a reader of the next block has. See given.py.
GIVEN = re.compile(r"<!-- given: (?P<names>.*) -->")


@dataclass
class Command:
    line: int
    text: str
    # Why it is not run.
    reason: str | None = None
    # The comment lines below it that show its output.
    output: list[str] = field(default_factory=list)
    # What is made before it.
    given: list[str] = field(default_factory=list)


def commands(text):
    """The commands of the page's ```sh blocks, in order."""
    found, marks, given, block = [], [], [], None
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if block is not None:
            if bare == "```":
                found += of_block(block, marks, given)
                marks, given, block = [], [], None
            else:
                block.append((number, bare))
        elif bare == "```sh":
            block = []
        elif mark := NOT_RUN.fullmatch(bare):
            marks.append((mark["reason"], mark["text"] or ""))
        elif mark := GIVEN.fullmatch(bare):
            given += mark["names"].split(", ")
        elif bare and (marks or given):
            raise ValueError(f"line {number}: a mark must stand directly above a block of shell commands")
    return found


def of_block(lines, marks, given):
    found, continued = [], False
    for number, line in lines:
        if continued:
            found[-1].text += "\n" + line
        elif line.startswith("#"):
            found[-1].output.append(line[1:].strip())
            continue
        elif line:
            found.append(Command(number, line))
        continued = line.endswith("\\")
    for command in found:
        command.reason = next((reason for reason, text in marks if text in command.text.split(" #")[0]), None)
    if found:
        found[0].given = given
    return found


def mistakes(text):
    """Shell commands in blocks that no test would run."""
    language, found = None, []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("```"):
            language = None if language is not None else bare[3:]
            if language in ("bash", "shell", "zsh"):
                found.append(f"line {number}: shell commands stand in ```sh blocks")
        elif language == "" and re.match(r"(\$|hearth|make|curl|swift|docker) [a-z-]", bare) and ": " not in bare:
            found.append(f"line {number}: a shell command in a block without a language; use ```sh")
    return found
