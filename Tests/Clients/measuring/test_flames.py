"""The flame graphs of `dev/bench flames`: from the samples of perf to a picture."""

import xml.etree.ElementTree as xml

import drawing
import folding
import pytest

SCRIPT = """\
NIO-ELT-0-#1
\t    7f1 do_write+0x12 ([kernel.kallsyms])
\t    7f0 __write ( /usr/lib/libc.so.6)
\t    5a0 $s12FirestoreRPC16ServerConnectionC7endTurnyyF (/work/hearth)
\t    5b0 [unknown] ([unknown])

oot.default-qos
\t    7f2 swift_retain (/opt/swift/libswiftCore.so)
\t    5a1 $s15FirestoreEngine0B0C5writeyyF+0xff (/work/hearth)

oot.default-qos
\t    7f2 swift_retain (/opt/swift/libswiftCore.so)
\t    5a1 $s15FirestoreEngine0B0C5writeyyF+0xaa (/work/hearth)

"""
NAMES = {
    "$s12FirestoreRPC16ServerConnectionC7endTurnyyF": "ServerConnection.endTurn()",
    "$s15FirestoreEngine0B0C5writeyyF": "Engine.write<A>()",
}


def flat(node, depth=0):
    for function, child in node.children.items():
        yield depth, function.name, function.kind, child.samples
        yield from flat(child, depth + 1)


def test_equal_stacks_are_counted_together():
    assert sorted(folding.stacks(SCRIPT.splitlines()).values()) == [1, 2]


def test_the_tree_begins_at_the_threads():
    root = folding.tree(folding.stacks(SCRIPT.splitlines()), NAMES)
    assert root.samples == 3
    assert list(flat(root)) == [
        (0, "NIO-ELT-0-#1", "thread", 1), (1, "ServerConnection.endTurn()", "Hearth", 1),
        (2, "__write", "C library and Dispatch", 1), (3, "do_write", "kernel", 1),
        (0, "Dispatch", "thread", 2), (1, "Engine.write()", "Hearth", 2), (2, "swift_retain", "Swift runtime", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("name, library, kind", [
    ("$s7NIOCore10ByteBufferV4readyyF", "hearth", "SwiftNIO"),
    ("$s4GRDB13DatabaseQueueC4readyyF", "hearth", "SQLite and GRDB"),
    ("sqlite3_step", "libsqlite3.so.0.8.6", "SQLite and GRDB"),
    ("$sSS6appendyySSF", "hearth", "Swift runtime"),
    ("$ss5ArrayV", "hearth", "Swift runtime"),
    ("$s10Foundation4DataV", "libFoundation.so", "Swift runtime"),
    ("__libc_malloc", "libc.so.6", "C library and Dispatch"),
    ("main", "hearth", "Hearth"),
    ("tcp_sendmsg", "[kernel.kallsyms]", "kernel"),
])
def test_a_function_belongs_to_a_module_or_a_library(name, library, kind):
    assert folding.kind(name, library) == kind


@pytest.mark.parametrize("name, short", [
    ("specialized Array.append<A>(_:)", "Array.append(_:)"),
    ("partial apply for closure #1 in Engine.read<A, B<C>>()", "closure #1 in Engine.read()"),
    ("x" * 200, "x" * 109 + "…"),
])
def test_names_are_shortened(name, short):
    assert folding.shortened(name) == short


def test_thunks_repetitions_and_the_depth_of_the_kernel_are_left_out():
    frames = [("a", "hearth"), ("thunk for b", "hearth"), ("a", "hearth")] + [(f"k{number}", "[kernel]") for number in range(20)]
    names = [function.name for function in folding.stack("thread", frames, {})]
    assert names == ["thread", "a"] + [f"k{number}" for number in range(folding.DEEPEST_KERNEL)]


def test_frames_are_as_wide_as_their_share():
    root = folding.tree(folding.stacks(SCRIPT.splitlines()), NAMES)
    picture = xml.fromstring(drawing.draw(root, "Three <samples>"))
    space = "{http://www.w3.org/2000/svg}"
    frames = {group.find(f"{space}title").text: float(group.find(f"{space}rect").get("width")) for group in picture.iter(f"{space}g")}
    assert frames["Engine.write(), 66.7%"] == pytest.approx(drawing.WIDTH * 2 / 3, abs=1)
    assert frames["do_write, 33.3%"] == pytest.approx(drawing.WIDTH / 3, abs=1)
    assert "Three <samples>" in [text.text for text in picture.iter(f"{space}text")]


def test_a_picture_is_not_large():
    root = folding.Node()
    for number in range(20_000):
        root.add([folding.Function(f"function {number % 500} with a long name, {number}", "Hearth")], 1 + number % 7)
    assert len(drawing.draw(root, "many").encode()) <= drawing.LARGEST
