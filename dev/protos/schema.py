"""Prints Sources/Network/FirestoreWire/JSON/Generated/MessageType.swift: names, numbers and types of the fields of every message that a method of
google.firestore.v1 can hold, for the JSON form of REST. Usage: schema.py firestore.desc"""
import sys
from google.protobuf import descriptor_pb2 as dp

WELL_KNOWN = {
    ".google.protobuf.Timestamp": ".timestamp", ".google.protobuf.Duration": ".duration", ".google.protobuf.Int32Value": ".wrappedInt32",
    ".google.protobuf.Int64Value": ".wrappedInt64", ".google.protobuf.DoubleValue": ".wrappedDouble",
    ".google.protobuf.Struct": ".structure", ".google.protobuf.Any": ".opaque", ".google.protobuf.NullValue": ".null",
}
# Of the messages that Hearth fills in, this is the only one in an Any: a text.
TEXTS = {".google.firestore.v1.ExplainStats"}
SCALARS = {1: ".double", 3: ".int64", 5: ".int32", 8: ".boolean", 9: ".string", 12: ".bytes"}
messages, enums, order = {}, {}, []


def collect(prefix, message):
    name = f"{prefix}.{message.name}"
    messages[name] = message
    for enum in message.enum_type:
        enums[f"{name}.{enum.name}"] = enum
    for nested in message.nested_type:
        collect(name, nested)


files = dp.FileDescriptorSet.FromString(open(sys.argv[1], "rb").read())
service = None
for file in files.file:
    for message in file.message_type:
        collect("." + file.package, message)
    for found in file.service:
        service = found


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def case(name):
    short = name.removeprefix(".google.firestore.v1").removeprefix(".google.rpc").removeprefix(".google.type")
    short = short.removeprefix(".google.protobuf").replace(".", "")
    return short[0].lower() + short[1:]


def kind(field):
    if field.type_name in WELL_KNOWN:
        return WELL_KNOWN[field.type_name]
    if field.type == dp.FieldDescriptorProto.TYPE_ENUM:
        values = ", ".join(f'("{v.name}", {v.number})' for v in enums[field.type_name].value)
        return f".enumeration([{values}])"
    if field.type == dp.FieldDescriptorProto.TYPE_MESSAGE:
        visit(field.type_name)
        return f".message(.{case(field.type_name)})"
    return SCALARS[field.type]


def visit(name):
    if name in order:
        return
    order.append(name)
    for field in messages[name].field:
        entry = messages.get(field.type_name)
        if entry is not None and entry.options.map_entry:
            field = entry.field[1]
        kind(field)


for method in service.method:
    visit(method.input_type)
    visit(method.output_type)

print("""// Made by dev/generate-protos. Do not edit.

/// The messages of `google.firestore.v1` and what they consist of.
enum MessageType: Int, CaseIterable {""")
for name in order:
    print(f"    case {case(name)}")
print("""
    var fields: [MessageSchema] {
        switch self {""")
for name in order:
    print(f"        case .{case(name)}: Self.{case(name)}Fields")
print("""        }
    }""")


def enumeration(line):
    """Breaks a line that is too long at the values of its enumeration."""
    head, rest = line.split("[(", 1)
    values, tail = rest.rsplit(")]", 1)
    rows = [""]
    for value in values.split("), ("):
        if len(rows[-1]) + len(value) > 110:
            rows.append("")
        rows[-1] += f"{' ' if rows[-1] else ''}({value}),"
    return head + "[\n" + "".join(f"                {row}\n" for row in rows) + "            ]" + tail


for name in order:
    message = messages[name]
    if not message.field:
        print(f"\n    private static let {case(name)}Fields: [MessageSchema] = []")
        continue
    print(f"\n    private static let {case(name)}Fields: [MessageSchema] = [")
    for field in message.field:
        entry = messages.get(field.type_name)
        shape = ""
        if name in TEXTS:
            text = ".anyString"
        elif entry is not None and entry.options.map_entry:
            text, shape = kind(entry.field[1]), ", .map"
        else:
            text = kind(field)
            if field.label == field.LABEL_REPEATED:
                shape = ", .repeated"
            elif field.HasField("oneof_index"):
                shape = f", .oneof({field.oneof_index})"
        line = f'        .init({field.number}, "{camel(field.name)}", {text}{shape}),'
        print(line if len(line) <= 140 else enumeration(line))
    print("    ]")
print("}")
