"""Commands in the middle of a sentence: their subcommands and options exist."""

import os
import re
import subprocess
from functools import cache

# `hearth serve --auth`, also with … for what is left out.
SPAN = re.compile(r"`(hearth [a-z][^`\n]*)`")


@cache
def help_of(command):
    done = subprocess.run([os.environ["HEARTH_BINARY"], "help", *command.split()], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def mistakes(text):
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        for span in SPAN.findall(line):
            words = span.split()[1:]
            names = []
            for word in words:
                if not re.fullmatch(r"[a-z][a-z-]*", word) or help_of(" ".join([*names, word])) is None:
                    break
                names.append(word)
            if not names:
                found.append(f"line {number}: `{span}`: there is no such command")
                continue
            options = set(re.findall(r"--[a-z][a-z-]*", help_of(" ".join(names))))
            found += [
                f"line {number}: `{span}`: `hearth {' '.join(names)}` has no option {option}"
                for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", span) if option not in options | {"--version"}
            ]
    return found
