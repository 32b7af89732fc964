"""Runs the shell commands of every page, and prints how many were not run, and why: dev/test documents [PAGE…]"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import inline, pages

ROOT = Path(__file__).resolve().parents[3]
# Absolute paths that only a page with namespaces of its own may write to.
SYSTEM = ("/etc/", "/var/lib/", "/usr/local/")
NAMESPACES = ["unshare", "--map-root-user", "--net", "--mount"]


def has_namespaces():
    try:
        return subprocess.run([*NAMESPACES, "mount", "--bind", "/etc", "/etc"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def run(page, isolated):
    """The failures of a page, one sentence each."""
    with tempfile.TemporaryDirectory(prefix="hearth-page-") as folder:
        command = [*NAMESPACES] if isolated else []
        command += [sys.executable, "-m", "documents.page_run", page, folder] + (["--inside"] if isolated else [])
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            output, errors = process.communicate(timeout=180)
            return json.loads(output.strip().split("\n")[-1])
        except subprocess.TimeoutExpired:
            return [f"{page}: the commands do not end"]
        except ValueError:
            return [f"{page}: {output}{errors}"]
        finally:
            # Servers that are left, if the page was not run to its end.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def main(arguments):
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    chosen = [ROOT / name for name in (arguments or listed)]
    isolated = has_namespaces()
    failures, reasons, count, with_commands = [], Counter(), 0, []
    for page in chosen:
        if page.name == "CHANGELOG.md":
            # It also speaks of what was.
            continue
        text = page.read_text(encoding="utf-8")
        failures += [f"{page.relative_to(ROOT)}, {mistake}" for mistake in pages.mistakes(text) + inline.mistakes(text)]
        found = pages.commands(text)
        if not isolated and any(path in command.text for command in found for path in SYSTEM):
            reasons["needs namespaces, which this machine does not permit"] += len(found)
            continue
        reasons.update(command.reason for command in found if command.reason)
        if ran := sum(not command.reason for command in found):
            with_commands.append(page)
            count += ran
    # Without namespaces the pages share the ports that they name.
    with ThreadPoolExecutor(4 if isolated else 1) as pool:
        for found in pool.map(lambda page: run(page, isolated), with_commands):
            failures += found
    for failure in failures:
        print(failure)
    not_run = "; ".join(f"{number} {reason}" for reason, number in reasons.most_common())
    print(f"{count} commands of {len(with_commands)} pages were run, {len(failures)} failed; {reasons.total()} were not run: {not_run or 'none'}")
    return 1 if failures else 0


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(ROOT / "Tests/Clients")
    sys.exit(main(sys.argv[1:]))
