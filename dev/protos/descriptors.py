"""Rebuild a FileDescriptorSet for google.firestore.v1 from the official Python client.

Messages come from the descriptor pool; the service (which proto-plus does not register)
is read off the client's own gRPC transport; HTTP rules off its REST transport.
"""
import importlib, pkgutil, sys
import grpc
from google.protobuf import descriptor_pb2 as dp
from google.api import annotations_pb2, http_pb2, client_pb2, field_behavior_pb2
from google.rpc import status_pb2, code_pb2, error_details_pb2
from google.type import latlng_pb2
from google.protobuf import any_pb2, duration_pb2, empty_pb2, struct_pb2, timestamp_pb2, wrappers_pb2, descriptor_pb2
import google.cloud.firestore_v1.types as types_pkg
from google.cloud.firestore_v1.services.firestore.transports.grpc import FirestoreGrpcTransport
from google.cloud.firestore_v1.services.firestore.transports import rest_base

OLD, NEW = "google/cloud/firestore_v1/types/", "google/firestore/v1/"
ren = lambda n: n.replace(OLD, NEW)

# 1. messages
raw = {}
for m in pkgutil.iter_modules(types_pkg.__path__):
    mod = importlib.import_module(f"{types_pkg.__name__}.{m.name}")
    for n in sorted(mod.__protobuf__.manifest):
        c = getattr(mod, n)
        if hasattr(c, "pb"):
            raw[c.pb().DESCRIPTOR.file.name] = c.pb().DESCRIPTOR.file
files = {}
for name, f in raw.items():
    fp = dp.FileDescriptorProto(); f.CopyToProto(fp)
    fp.name = ren(fp.name)
    deps = [ren(d) for d in fp.dependency]
    del fp.dependency[:]; fp.dependency.extend(deps)
    def fix(m):                       # proto-plus appends '_' to Python's reserved words: StructuredQuery.from_
        for f in m.field:
            if f.name.endswith("_"): f.name = f.name[:-1]; f.ClearField("json_name")
        for n in m.nested_type: fix(n)
    for m in fp.message_type: fix(m)
    files[fp.name] = fp

# 1b. fields the public Python client leaves out but other official SDKs put on the wire
def msg(file, name): return next(m for m in files[NEW + file].message_type if m.name == name)
def oneof(m, n): return [o.name for o in m.oneof_decl].index(n)
F = dp.FieldDescriptorProto
def add(m, one, **kw):                # the members of a oneof must be declared next to each other
    i = oneof(m, one)
    at = max(k for k, f in enumerate(m.field) if f.HasField("oneof_index") and f.oneof_index == i) + 1
    fields = list(m.field); fields.insert(at, F(label=F.LABEL_OPTIONAL, oneof_index=i, **kw))
    copies = [F.FromString(f.SerializeToString()) for f in fields]
    del m.field[:]; m.field.extend(copies)
w = msg("write.proto", "Write")
add(w, "operation", name="verify", number=5, type=F.TYPE_STRING)
tg = msg("firestore.proto", "Target")
pq = tg.nested_type.add(name="PipelineQueryTarget"); pq.oneof_decl.add(name="pipeline_type")
pq.field.add(name="structured_pipeline", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_MESSAGE, type_name=".google.firestore.v1.StructuredPipeline", oneof_index=0)
add(tg, "target_type", name="pipeline_query", number=13, type=F.TYPE_MESSAGE, type_name=".google.firestore.v1.Target.PipelineQueryTarget")

# 2. service, from the transport's own method table
class Rec:
    def __init__(self): self.m = {}
    def _r(self, cs, ss):
        def f(path, request_serializer=None, response_deserializer=None, **_):
            if path.startswith('/google.firestore.v1.Firestore/'): self.m[path] = (cs, ss, request_serializer.__self__, response_deserializer.__self__)
            return lambda *a, **k: None
        return f
    def __getattr__(self, n):
        return self._r(*{"unary_unary": (0, 0), "unary_stream": (0, 1), "stream_unary": (1, 0), "stream_stream": (1, 1)}[n])
t = FirestoreGrpcTransport(channel=grpc.insecure_channel("127.0.0.1:1"))
rec = t._logged_channel = Rec(); t._stubs.clear()
names = {}
for attr in sorted(dir(type(t))):
    if attr.startswith("_") or not isinstance(getattr(type(t), attr), property): continue
    before = set(rec.m)
    getattr(t, attr)
    for p in set(rec.m) - before: names[p] = attr
def fq(cls):
    d = cls.pb().DESCRIPTOR if hasattr(cls, "pb") else cls.DESCRIPTOR
    return "." + d.full_name
def http_rules(meth):
    b = getattr(rest_base._BaseFirestoreRestTransport, f"_Base{meth}", None)
    return b._get_http_options() if b and hasattr(b, "_get_http_options") else []

# the order methods are declared upstream does not matter on the wire; keep it stable (alphabetical)
fs = files[NEW + "firestore.proto"]
svc = fs.service.add(name="Firestore")
report = []
for path, (cs, ss, req, res) in sorted(rec.m.items()):
    _, service, meth = path.split("/")
    if service != "google.firestore.v1.Firestore": continue
    m = svc.method.add(name=meth, input_type=fq(req), output_type=fq(res))
    if cs: m.client_streaming = True
    if ss: m.server_streaming = True
    rules = http_rules(meth)
    rs = []
    for r in rules:
        h = http_pb2.HttpRule(); setattr(h, r["method"], r["uri"])
        if "body" in r: h.body = r["body"]
        rs.append(h)
    if rs:
        ext = m.options.Extensions[annotations_pb2.http]
        ext.CopyFrom(rs[0]); ext.additional_bindings.extend(rs[1:])
    report.append(f"{meth}({'stream ' if cs else ''}{fq(req)}) -> {'stream ' if ss else ''}{fq(res)}  [{len(rs)} http]")
for d in ("google/protobuf/empty.proto", "google/api/annotations.proto"):
    if d not in fs.dependency: fs.dependency.append(d)

# 3. well-known and common files, dependencies first
for mod in (annotations_pb2, http_pb2, status_pb2, code_pb2, error_details_pb2, latlng_pb2, any_pb2, duration_pb2, empty_pb2,
            struct_pb2, timestamp_pb2, wrappers_pb2, descriptor_pb2):
    fp = dp.FileDescriptorProto(); mod.DESCRIPTOR.CopyToProto(fp); files[fp.name] = fp
out = dp.FileDescriptorSet(); done = set()
def put(n):
    if n in done: return
    done.add(n)
    for d in files[n].dependency: put(d)
    out.file.append(files[n])
for n in sorted(files): put(n)
open(sys.argv[1], "wb").write(out.SerializeToString(deterministic=True))
print("\n".join(report)); print(len(report), "methods;", len(out.file), "files;", len(out.SerializeToString()), "bytes")
