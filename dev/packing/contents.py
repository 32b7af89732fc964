"""The files of a package, beside the program: the same for all kinds of packages, in folders of their own."""

import gzip
import os
import pathlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

from packing import manual, program, sbom
from packing.release import ROOT, output

# Pages for users and operators; those for maintainers are in the repository.
PAGES = ["docs/*.md", "docs/guides/*.md", "docs/operations/*.md", "docs/reference/*.md"]
FILES = ["README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"]
UNITS = ["hearth.service", "hearth-node@.service"]


@dataclass(frozen=True)
class Layout:
    """Where files go, relative to the root of the package."""

    program: str
    private: str
    manual: str
    bash: str
    zsh: str
    fish: str
    docs: str
    units: str
    # Settings that the package brings.
    settings: str


DEBIAN = Layout(
    program="usr/bin/hearth", private="usr/lib/hearth", manual="usr/share/man/man1",
    bash="usr/share/bash-completion/completions/hearth", zsh="usr/share/zsh/vendor-completions/_hearth",
    fish="usr/share/fish/vendor_completions.d/hearth.fish", docs="usr/share/doc/hearth", units="usr/lib/systemd/system",
    settings="etc/hearth")
FOLDER = Layout(
    program="bin/hearth", private="lib/hearth", manual="share/man/man1", bash="share/bash-completion/completions/hearth",
    zsh="share/zsh/site-functions/_hearth", fish="share/fish/vendor_completions.d/hearth.fish", docs="share/doc/hearth",
    units="share/hearth/systemd", settings="share/hearth")


def put(root, layout, binary, components, release):
    """Writes everything below `root`. Dates are left to the kind of package."""
    put_program(root, layout, binary)
    for name, text in manual.pages(binary, release).items():
        # Without a name and a date inside.
        write(root / layout.manual / (name + ".gz"), gzip.compress(text.encode(), mtime=0))
    for shell, path in [("bash", layout.bash), ("zsh", layout.zsh), ("fish", layout.fish)]:
        # It is read by a shell, not started.
        script = output(binary, "--generate-completion-script", shell).removeprefix("#!/bin/bash\n")
        write(root / path, script + "\n")
    for unit in UNITS:
        write(root / layout.units / unit, unit_text(unit, layout))
    write(root / layout.settings / "firestore.rules", rules(binary))
    put_docs(root / layout.docs, components, release)


def put_program(root, layout, binary):
    carried = program.carried(binary)
    if not carried:
        program.strip(binary, root / layout.program)
        return
    # Its libraries are beside it, where it looks for them ($ORIGIN); the command is a link.
    private = root / layout.private
    program.strip(binary, private / "hearth")
    for name, path in carried.items():
        program.strip(path.resolve(), private / name)
        (private / name).chmod(0o644)
    link = root / layout.program
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(os.path.relpath(private / "hearth", link.parent))


def unit_text(unit, layout):
    """The unit of deploy/, with the path of the package."""
    lines = (ROOT / "deploy" / unit).read_text().replace("/usr/local/bin/hearth", "/usr/bin/hearth").split("\n")
    if layout is DEBIAN and unit == "hearth.service":
        # The first lines say how to copy it.
        body = lines[next(index for index, line in enumerate(lines) if not line.startswith("#")):]
        lines = ["# Settings: HEARTH_… in /etc/hearth/environment, which `hearth init` makes. Changes: systemctl edit hearth", *body]
    return "\n".join(lines)


def rules(binary):
    """The rules that `hearth init` makes: they refuse everything."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([binary, "init", "--yes", folder], check=True, capture_output=True)
        return (pathlib.Path(folder) / "firestore.rules").read_text()


def put_docs(folder, components, release):
    paths = [ROOT / name for name in FILES] + [path for pattern in PAGES for path in ROOT.glob(pattern)]
    for path in paths:
        name = path.relative_to(ROOT)
        write(folder / ("LICENSE.txt" if name.name == "LICENSE" else name), path.read_bytes())
    for component in components:
        if component.texts:
            text = "\n".join(f"== {name}\n\n{text.rstrip()}\n" for name, text in component.texts.items())
            write(folder / "third-party" / f"{component.name}.txt", f"{component.name} {component.version}: {component.license}\n\n{text}")
    write(folder / "hearth.spdx.json", sbom.text(components, release))


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(0o644)


def remove(folder):
    if folder.exists():
        shutil.rmtree(folder)
