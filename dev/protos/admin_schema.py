"""Prints Sources/Network/FirestoreWire/Administration/Generated/AdminMessage.swift: names, numbers and types of the fields of the messages of
google.firestore.admin.v1, google.longrunning.Operations and google.cloud.location.Locations, from the official Python client."""
import importlib, pkgutil
from google.cloud.location import locations_pb2
from google.longrunning import operations_pb2
from google.protobuf.descriptor import FieldDescriptor as F
import google.cloud.firestore_admin_v1.types as types_pkg

WELL_KNOWN = {
    "google.protobuf.Timestamp": ".timestamp", "google.protobuf.Duration": ".duration", "google.protobuf.FieldMask": ".fieldMask",
    "google.protobuf.Any": ".any",
}
SCALARS = {F.TYPE_INT64: ".int64", F.TYPE_INT32: ".int32", F.TYPE_BOOL: ".boolean", F.TYPE_STRING: ".string", F.TYPE_BYTES: ".bytes"}
LEFT_OUT = {"google.rpc.Status.details"}
order = {}


def case(descriptor):
    name = descriptor.full_name
    for package in ("google.firestore.admin.v1.", "google.longrunning.", "google.rpc.", "google.cloud.location."):
        name = name.removeprefix(package)
    words = name.replace("google.protobuf.", "").replace(".", "")
    return words[0].lower() + words[1:]


def camel(name):
    # proto-plus appends '_' to Python's reserved words.
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


def kind(field):
    if field.message_type is not None and field.message_type.full_name in WELL_KNOWN:
        return WELL_KNOWN[field.message_type.full_name]
    if field.enum_type is not None:
        return ".enumeration([" + ", ".join(f'("{v.name}", {v.number})' for v in field.enum_type.values) + "])"
    if field.message_type is not None:
        visit(field.message_type)
        return f".message(.{case(field.message_type)})"
    return SCALARS[field.type]


def visit(descriptor):
    if descriptor.full_name in order:
        return
    order[descriptor.full_name] = descriptor
    for field in fields(descriptor):
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            continue
        kind(field)


def fields(descriptor):
    return [f for f in descriptor.fields if f.full_name not in LEFT_OUT]


def shape(field):
    if field.is_repeated:
        return ", .repeated"
    if field.containing_oneof is not None:
        return f", .oneof({field.containing_oneof.index})"
    return ""


found = {}
for module in pkgutil.iter_modules(types_pkg.__path__):
    module = importlib.import_module(f"{types_pkg.__name__}.{module.name}")
    for name in module.__protobuf__.manifest:
        message = getattr(module, name)
        if hasattr(message, "pb"):
            found[name] = message.pb().DESCRIPTOR
for name in sorted(found):
    visit(found[name])
for name in ("GetOperationRequest", "ListOperationsRequest", "ListOperationsResponse", "CancelOperationRequest", "DeleteOperationRequest",
             "WaitOperationRequest"):
    visit(getattr(operations_pb2, name).DESCRIPTOR)
for name in ("ListLocationsRequest", "ListLocationsResponse", "GetLocationRequest"):
    visit(getattr(locations_pb2, name).DESCRIPTOR)
from google.protobuf import empty_pb2
visit(empty_pb2.Empty.DESCRIPTOR)

print("""// Made by dev/generate-protos. Do not edit.

/// The messages of `google.firestore.admin.v1`, of operations and of locations, by their full names.
package enum AdminMessage: String, CaseIterable, Sendable {""")
for name, descriptor in order.items():
    line = f'    case {case(descriptor)} = "{name}"'
    print(line if len(line) <= 140 else line.replace(" = ", " =\n        "))
print("""
    var fields: [AdminField] {
        switch self {""")
for descriptor in order.values():
    print(f"        case .{case(descriptor)}: Self.{case(descriptor)}Fields")
print("        }\n    }")


def broken(line):
    """Breaks a line that is too long at the values of its enumeration."""
    head, rest = line.split("[(", 1)
    values, tail = rest.rsplit(")]", 1)
    rows = [""]
    for value in values.split("), ("):
        if len(rows[-1]) + len(value) > 110:
            rows.append("")
        rows[-1] += f"{' ' if rows[-1] else ''}({value}),"
    return head + "[\n" + "".join(f"                {row}\n" for row in rows) + "            ]" + tail


for descriptor in order.values():
    if not fields(descriptor):
        print(f"\n    private static let {case(descriptor)}Fields: [AdminField] = []")
        continue
    print(f"\n    private static let {case(descriptor)}Fields: [AdminField] = [")
    for field in fields(descriptor):
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            line = f'        .init({field.number}, "{camel(field.name)}", .string, .map),'
        else:
            line = f'        .init({field.number}, "{camel(field.name)}", {kind(field)}{shape(field)}),'
        print(line if len(line) <= 140 else broken(line))
    print("    ]")
print("}")
