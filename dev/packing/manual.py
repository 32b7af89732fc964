"""Pages of the manual, made from what the command says about itself (`hearth --experimental-dump-help`)."""

import json
import re
import time

from packing.release import output

HEADING = re.compile(r"[A-Z][A-Z ]+")
# The names that pages of the manual have for these parts.
SECTIONS = {"EXIT CODES": "EXIT STATUS"}


def pages(binary, release):
    """The text of every page, by the name of its file: hearth.1, hearth-rules-check.1."""
    root = json.loads(output(binary, "--experimental-dump-help"))["command"]
    found = {}

    def visit(command, words):
        words = [*words, command["commandName"]]
        subcommands = [sub for sub in command.get("subcommands", []) if sub["shouldDisplay"] and sub["commandName"] != "help"]
        found["-".join(words) + ".1"] = page(command, words, subcommands, release)
        for sub in subcommands:
            visit(sub, words)

    visit(root, [])
    return found


def page(command, words, subcommands, release):
    name = "-".join(words)
    date = time.strftime("%Y-%m-%d", time.gmtime(release.epoch))
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    lines = [f'.TH {text(name.upper())} 1 {date} "hearth {release.version}" "Hearth"', ".nh", ".ad l"]
    lines += [".SH NAME", f"{text(name)} \\- {text(abstract(command))}"]
    lines += [".SH SYNOPSIS", synopsis(words, arguments, subcommands)]
    parts = sections(command.get("discussion", ""))
    lines += [".SH DESCRIPTION", *paragraphs(parts.pop("", "") or command.get("abstract", ""))]
    if subcommands:
        lines += [".SH COMMANDS", *commands(subcommands, words)]
    lines += options(arguments)
    for heading, body in parts.items():
        heading = SECTIONS.get(heading, heading)
        lines += [f".SH {heading}", *(exit_codes(body) if heading == "EXIT STATUS" else verbatim(body))]
    lines += see_also(words, subcommands)
    return "\n".join(lines) + "\n"


def abstract(command):
    """In the form that apropos(1) shows: a phrase."""
    words = command.get("abstract", "").removesuffix(".")
    return words[:1].lower() + words[1:] if not words[:2].isupper() and not words.startswith(("Firestore", "Hearth")) else words


def synopsis(words, arguments, subcommands):
    operands = [argument for argument in arguments if argument["kind"] == "positional"]
    parts = [f"\\fB{text(' '.join(words))}\\fR"]
    parts += ["\\fICOMMAND\\fR"] if subcommands else []
    parts += ["[\\fIOPTION\\fR]..."] if len(operands) < len(arguments) else []
    for operand in operands:
        word = f"\\fI{text(operand['valueName'].upper())}\\fR" + ("..." if operand["isRepeating"] else "")
        parts.append(f"[{word}]" if operand["isOptional"] else word)
    return " ".join(parts)


def sections(discussion):
    """The parts of a discussion, by their headings; the text before the first one has none."""
    parts, heading = {"": []}, ""
    for line in discussion.split("\n"):
        if HEADING.fullmatch(line):
            heading = line
            parts[heading] = []
        else:
            parts[heading].append(line)
    return {heading: "\n".join(lines).strip("\n") for heading, lines in parts.items()}


def paragraphs(body):
    lines = []
    for paragraph in re.split(r"\n\s*\n", body):
        if lines:
            lines.append(".PP")
        # Lines that are indented are a table or a command.
        indented = any(line.startswith("  ") for line in paragraph.split("\n"))
        lines += verbatim(paragraph) if indented else [text(line) for line in paragraph.split("\n") if line]
    return lines


def verbatim(body):
    return [".EX", *[text(line.removeprefix("  ")) for line in body.split("\n")], ".EE"]


def exit_codes(body):
    lines = []
    for line in body.split("\n"):
        code = re.match(r" +(\d+) +(.*)", line)
        lines += [".TP", f"\\fB{code[1]}\\fR", text(code[2])] if code else [text(line.strip())]
    return lines


def commands(subcommands, words):
    lines = []
    for command in subcommands:
        lines += [".TP", f"\\fB{text(' '.join([*words[1:], command['commandName']]))}\\fR", text(command.get("abstract", ""))]
    return lines


def options(arguments):
    """Options with their sections, in the order of the help."""
    lines, title = [], None
    for argument in arguments:
        section = argument.get("sectionTitle", "Options").upper()
        if section != title:
            title = section
            lines.append(f".SH {text(section)}")
        lines += [".TP", label(argument), text(explanation(argument))]
    return lines


def label(argument):
    if argument["kind"] == "positional":
        return f"\\fI{text(argument['valueName'].upper())}\\fR"
    names = [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument["names"]]
    names.sort(key=len)
    value = "" if argument["kind"] == "flag" else f" \\fI{text(argument['valueName'].upper())}\\fR"
    return ", ".join(f"\\fB{text(name)}\\fR" for name in names) + value


def explanation(argument):
    words = argument.get("abstract", "")
    choices, usual = argument.get("allValues"), argument.get("defaultValue")
    notes = ([f"values: {', '.join(choices)}"] if choices else []) + ([f"default: {usual}"] if usual else [])
    return f"{words} ({'; '.join(notes)})" if notes else words


def see_also(words, subcommands):
    names = ["-".join(words[:count]) for count in range(1, len(words))]
    names += ["-".join([*words, command["commandName"]]) for command in subcommands]
    return [".SH SEE ALSO", ",\n".join(f".BR {text(name)} (1)" for name in sorted(names))] if names else []


def text(words):
    """Words as they are, for troff: no escapes, no requests, hyphens that can be copied."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    escaped = escaped.replace("~", "\\(ti")
    return "\\&" + escaped if escaped.startswith((".", "\\(aq")) else escaped
