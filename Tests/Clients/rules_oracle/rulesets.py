"""Random cases: a ruleset, documents, and requests, as JSON that the emulator's REST and the tests of FirestoreRules both read."""

import random

from .grammar import FIELDS, Grammar

PROJECT = "demo-p"
ROOT = f"projects/{PROJECT}/databases/(default)/documents"
TEXT = {"EQUAL": "==", "NOT_EQUAL": "!=", "LESS_THAN": "<", "LESS_THAN_OR_EQUAL": "<=", "GREATER_THAN": ">", "GREATER_THAN_OR_EQUAL": ">="}


def name(path):
    return f"{ROOT}/{path}"


def v(x):
    """The Value of a Python object; a Value stays what it is."""
    if isinstance(x, dict) and len(x) == 1 and next(iter(x)).endswith("Value"):
        return x
    if x is None:
        return {"nullValue": None}
    if isinstance(x, bool):
        return {"booleanValue": x}
    if isinstance(x, int):
        return {"integerValue": str(x)}
    if isinstance(x, float):
        return {"doubleValue": x}
    if isinstance(x, str):
        return {"stringValue": x}
    if isinstance(x, list):
        return {"arrayValue": {"values": [v(item) for item in x]} if x else {}}
    return {"mapValue": {"fields": fields(x)} if x else {}}


def fields(x):
    return {key: v(item) for key, item in x.items()}


TIMES = [{"timestampValue": "2024-02-29T12:34:56.789Z"}, {"timestampValue": "1969-12-31T23:59:59Z"}]
PLACES = [{"geoPointValue": {"latitude": 48.85, "longitude": 2.35}}, {"geoPointValue": {"latitude": -10, "longitude": 20}}]
VALUES = {
    "int": [0, 1, 2, 3, 7, -1], "float": [0.5, 1.0, 1.5, -2.5, 100000000.0], "string": ["x", "a", "ab", "", "alice", "bob", "äÖ", "1", "a,b,,c,", "😀b"],
    "bool": [True, False], "list": [[], [1, 2], ["x", "a"], [1, 1.0, None], ["n", "s"], [1, 2, 3, 2]],
    "map": [{}, {"a": 1}, {"k": 1, "b": "x"}, {"a": {"b": 2}}, {"x": 1.0, "a": "alice"}], "timestamp": TIMES, "latlng": PLACES,
    "path": [{"referenceValue": f"{ROOT}/users/alice"}, {"referenceValue": f"{ROOT}/users/nope"}],
    "bytes": [{"bytesValue": "YWI="}, {"bytesValue": "//4="}, {"bytesValue": ""}], "null": [None],
}
CALLERS = [None, {"sub": "alice", "role": "admin", "admin": True, "level": 3}, {"sub": "bob", "role": "x", "admin": False, "groups": ["a", "b"]}]


class Cases:
    """Rulesets with `matches` conditions each."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def content(self):
        """The fields of a document. Now and then one has another type, or is missing."""
        content = {}
        for field, kind in FIELDS.items():
            if self.chance(6):
                continue
            if self.chance(4):
                kind = self.pick(list(VALUES))
            content[field] = self.pick(VALUES[kind])
        return fields(content)

    def ruleset(self, matches):
        return self.structure() if self.chance(15) else self.conditions(matches)

    # Conditions: a collection for each

    def conditions(self, matches):
        grammar = Grammar(self.random)
        grammar.names = {"db": "string"}
        grammar.documents = ["resource", "request.resource"]
        lines = [grammar.function(f"f{index}", 2) for index in range(self.pick([0, 1, 2, 3]))]
        documents, requests = [], []
        for index in range(matches):
            method = self.pick(["get", "get", "get", "list", "list", "create", "update", "update", "delete"])
            collection = f"c{index}"
            grammar.names = {"db": "string", "x": "string"}
            grammar.documents = {"get": ["resource"], "list": ["resource"], "create": ["request.resource"], "delete": ["resource"],
                                 "update": ["resource", "request.resource"]}[method]
            if method == "list":
                asked = [self.query(collection) for _ in range(3)]
                condition = self.listed(grammar, asked[0])
                requests += asked
            else:
                condition = grammar.gen("bool", self.pick([1, 2, 2, 3, 4]))
                if self.chance(30):
                    condition = f"!({condition})"
                requests += [self.request(method, collection) for _ in range(3)]
            lines.append(f"match /{collection}/{{x}} {{ allow {method}: if {condition}; }}")
            documents += [{"name": name(f"{collection}/{key}"), "fields": self.content()} for key in ("1", "2")]
        documents += [{"name": name("users/alice"), "fields": fields({"role": "admin", "n": 1, "a": 1})},
                      {"name": name("users/x"), "fields": fields({"k": {"b": 1}, "s": "x"})}]
        return {"seed": self.seed, "rules": self.wrapped(lines, 2), "documents": documents, "requests": requests}

    def wrapped(self, lines, version):
        return f"rules_version = '{version}';\nservice cloud.firestore {{ match /databases/{{db}}/documents {{\n" + "\n".join(lines) + "\n}}"

    def request(self, method, collection):
        request = {"as": self.pick(CALLERS)}
        path = f"{collection}/{self.pick(['1', '1', '2', '404'])}"
        if method == "get":
            request["get"] = [path]
        elif method == "delete":
            request["commit"] = [{"delete": name(path)}]
        elif method == "create":
            request["commit"] = [self.write(f"{collection}/{self.pick(['9', '404'])}", self.pick([False, False, None]))]
        else:
            writes = [self.write(path, self.pick([True, None, None]))]
            if self.chance(15):
                writes.append(self.write(path, None))
            if self.chance(15):
                writes.append({"update": {"name": name("users/alice"), "fields": fields({"role": "x"})}})
            request["commit"] = writes
        return request

    def write(self, path, exists):
        write = {"update": {"name": name(path), "fields": self.content()}}
        roll = self.random.random()
        if roll < 0.3:
            masked = self.random.sample([*FIELDS], 3)
            write["update"]["fields"] = {key: value for key, value in write["update"]["fields"].items() if key in masked or self.chance(5)}
            write["updateMask"] = {"fieldPaths": masked}
        if self.chance(12):
            write["updateTransforms"] = [self.pick([
                {"fieldPath": "n", "increment": v(self.pick([1, 2, 1.5]))},
                {"fieldPath": "n", "maximum": v(2)}, {"fieldPath": "f", "minimum": v(1)},
                {"fieldPath": "l", "appendMissingElements": {"values": [v(1), v("q")]}}, {"fieldPath": "l", "removeAllFromArray": {"values": [v(2)]}}])]
        if exists is not None:
            write["currentDocument"] = {"exists": exists}
        return write

    # Lists

    def filter(self, depth=0):
        if depth == 0:
            self.equal, self.bounded = set(), set()
        if depth < 2 and self.chance(30):
            return {"compositeFilter": {"op": self.pick(["AND", "AND", "OR"]), "filters": [self.filter(depth + 1) for _ in range(self.pick([2, 2, 3]))]}}
        # What a field equals leaves nothing for other filters to say: the emulator forgets the value then.
        field = self.pick([each for each in ["n", "n", "k", "s", "s", "owner", "pub", "l", "m.k", "m.a", "f", "t", "m"]
                           if each.partition(".")[0] not in self.equal] or ["b"])
        kind = "int" if field.startswith("m.") else FIELDS[field]
        reference = {"fieldPath": field}
        if self.chance(5) and field.partition(".")[0] not in self.bounded:
            self.equal.add(field.partition(".")[0])
            return {"unaryFilter": {"op": self.pick(["IS_NULL", "IS_NOT_NULL"]), "field": reference}}
        if kind == "list" and field not in self.bounded:
            self.equal.add(field)
            if self.chance(75):
                op = self.pick(["ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY"])
                value = self.pick([1, 2, "x", "a", "n"]) if op == "ARRAY_CONTAINS" else self.random.sample([1, 2, "x", "a"], 2)
                return {"fieldFilter": {"field": reference, "op": op, "value": v(value)}}
            return {"fieldFilter": {"field": reference, "op": "EQUAL", "value": v(self.pick(VALUES["list"]))}}
        bounds = ["NOT_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "NOT_IN"]
        op = self.pick(["EQUAL", "EQUAL", "EQUAL", "EQUAL", *TEXT, "IN", "NOT_IN"] if field.partition(".")[0] not in self.bounded else bounds)
        (self.bounded if op in bounds else self.equal).add(field.partition(".")[0])
        if op in ("IN", "NOT_IN"):
            value = self.random.sample(VALUES[kind], min(2, len(VALUES[kind])))
        else:
            value = self.pick(VALUES[kind])
        return {"fieldFilter": {"field": reference, "op": op, "value": v(value)}}

    def query(self, collection):
        query = {"from": [{"collectionId": collection}]}
        if self.chance(85):
            query["where"] = self.filter()
        if self.chance(15):
            query["limit"] = self.pick([1, 10, 11])
        if self.chance(10):
            query["orderBy"] = [{"field": {"fieldPath": self.pick(["n", "s"])}, "direction": self.pick(["ASCENDING", "DESCENDING"])}]
        return {"as": self.pick(CALLERS), "query": query}

    def listed(self, grammar, request):
        """A condition that often resembles the filter."""
        roll = self.random.random()
        if roll < 0.25:
            return grammar.gen("bool", 2)
        if roll < 0.32:
            return self.pick(["request.query.limit <= 10", "request.query.limit == null || request.query.limit < 11", "request.query.offset == 0",
                              "request.query.orderBy.n == 'ASC'", "request.query.orderBy.keys().hasAll(['n'])", "request.query.limit is int"])
        filter = request["query"].get("where")
        atoms = []
        if filter:
            self.atoms(filter, atoms)
        while len(atoms) < 2:
            atoms.append(grammar.gen("bool", 1))
        first, second = self.pick(atoms), self.pick(atoms)
        return self.pick([first, first, first, f"{first} && {second}", f"{first} || {second}", f"!({first})", f"{first} && request.auth != null"])

    def atoms(self, filter, found):
        for part in filter.get("compositeFilter", {}).get("filters", []):
            self.atoms(part, found)
        for kind in ("fieldFilter", "unaryFilter"):
            if kind not in filter:
                continue
            inner = filter[kind]
            target = "resource.data." + inner["field"]["fieldPath"]
            op, value = inner["op"], inner.get("value", {"nullValue": None})
            shown = self.literal(value)
            held = [self.literal(each) for each in value.get("arrayValue", {}).get("values", [])]
            if op in TEXT:
                found.append(f"{target} {TEXT[op]} {shown}")
                found.append(f"{target} {self.pick(list(TEXT.values()))} {shown}")
                found.append(f"{target} is {self.pick(['int', 'string', 'number', 'float', 'bool', 'list', 'map', 'timestamp', 'constraint'])}")
                found.append(f"{target} in [{shown}, {self.literal(v(self.pick([1, 'x', True])))}]")
                found.append(f"{shown} {self.pick(list(TEXT.values()))} {target}")
                found.append(f"'{inner['field']['fieldPath'].split('.')[0]}' in resource.data")
            elif op in ("IN", "NOT_IN"):
                found += [f"{target} in {shown}", f"{target} == {held[0]}" if held else "true", f"{target} != {held[-1]}" if held else "true", f"!({target} in {shown})"]
            elif op.startswith("ARRAY"):
                one = held[0] if held else shown
                found += [f"{one} in {target}", f"{target}.hasAny([{one}, 'q'])", f"{target}.hasAll([{one}])", f"{target}.size() > 0"]
            else:
                found += [f"{target} == null", f"{target} != null"]

    def literal(self, value):
        kind, held = next(iter(value.items()))
        if kind == "stringValue":
            return "'" + held + "'"
        if kind == "integerValue":
            return held
        if kind == "doubleValue":
            return repr(held)
        if kind == "booleanValue":
            return "true" if held else "false"
        if kind == "timestampValue":
            return f"timestamp.value('{held}')"
        if kind == "arrayValue":
            return "[" + ", ".join(self.literal(each) for each in held.get("values", [])) + "]"
        if kind == "mapValue":
            return "{" + ", ".join(f"'{key}': {self.literal(each)}" for key, each in held.get("fields", {}).items()) + "}"
        return "null"

    # Structure: match statements that overlap, and simple conditions

    def segment(self, names, version, last):
        roll = self.random.random()
        if roll < 0.45:
            return self.pick(["a", "b", "1", "2"])
        if roll < 0.85 or (version == 1 and not last) or "**" in names:
            fresh = self.pick([each for each in ("x", "y", "z", "w", "u", "q", "o", "i", "e") if each not in names])
            names.append(fresh)
            return "{" + fresh + self.pick(["", "", "=*"]) + "}"
        names.append("**")
        fresh = self.pick([each for each in ("p", "r", "g") if each not in names])
        names.append(fresh)
        return "{" + fresh + "=**}"

    def match(self, names, version, depth):
        count = self.pick([1, 2, 2, 2, 3, 4])
        names = list(names)
        nested = depth < 2 and self.chance(35)
        path = "".join("/" + self.segment(names, version, index == count - 1 and not nested) for index in range(count))
        parts = []
        for _ in range(self.pick([1, 1, 2])):
            methods = ", ".join(self.random.sample(["read", "write", "get", "list", "create", "update", "delete"], self.pick([1, 1, 2])))
            parts.append(f"allow {methods}" + self.pick([";", f": if {self.simple(names)};", f": if {self.simple(names)};"]))
        # The emulator lets a glob and the segments behind it take nothing at all if the rest of the path is in a nested match.
        if nested and "**" not in names:
            parts.append(self.match(names, version, depth + 1))
        self.random.shuffle(parts)
        return f"match {path} {{ {' '.join(parts)} }}"

    def simple(self, names):
        wildcards = [each for each in names if each != "**"] or ["db"]
        held = self.pick(wildcards)
        if held in ("p", "r", "g"):
            return self.pick([f"{held} == /1", f"{held} == /a/1", f"{held}[0] == '1'", f"string({held}) == '/b/2'", f"{held} is path", f"{held}[1:] == /b", "true",
                              f"exists(/databases/$(db)/documents/a/1/$({held}))"])
        return self.pick([f"{held} == '1'", f"{held} != '1'", f"{held} in ['1', 'a']", "true", "resource.data.n == 1", "request.resource.data.n > 1", "resource != null",
                          f"exists(/databases/$(db)/documents/a/$({held}))", f"getAfter(/databases/$(db)/documents/a/$({held})).data.n == 1",
                          f"getAfter(/databases/$(db)/documents/a/$({held})) == null", f"exists(/databases/$(db)/documents/$('')/$({held})) == false",
                          f"get(/databases/$(db)/documents/a/$({held})).data.n == 1", f"existsAfter(/databases/$(db)/documents/a/$({held}))", "request.auth.uid == 'alice'"])

    def structure(self):
        version = self.pick([1, 2, 2])
        lines = [self.match(["db"], version, 0) for _ in range(self.pick([1, 2, 3, 4]))]
        # Version 1 has no variables.
        if self.chance(10):
            lines.append("function one() { let n = 1; return n; }")
        paths = ["a/1", "a/2", "b/1", "a/1/b/2", "a/1/a/1", "b/2/b/1", "a/1/b/2/a/1"]
        documents = [{"name": name(path), "fields": fields({"n": index % 3, "owner": "alice"})} for index, path in enumerate(paths)]
        requests = []
        for _ in range(24):
            request = {"as": self.pick(CALLERS)}
            path = self.pick(paths + ["a/404", "b/2/a/404"])
            roll = self.random.random()
            if roll < 0.35:
                request["get"] = [path] if self.chance(80) else [path, self.pick([each for each in paths if each != path])]
            elif roll < 0.7:
                writes = []
                for _ in range(self.pick([1, 1, 2, 3])):
                    path = self.pick(paths + ["a/9"])
                    if any(path in str(each) for each in writes):
                        continue
                    writes.append(self.pick([{"delete": name(path)}, {"update": {"name": name(path), "fields": fields({"n": self.pick([1, 2])})}}]))
                request["commit"] = writes
            else:
                parent, _, collection = self.pick(["a", "b", "a/1/b", "a/1/a", "b/2/b", "a/1/b/2/a"]).rpartition("/")
                if parent:
                    request["parent"] = parent
                selector = {"collectionId": collection}
                if not parent and self.chance(40):
                    selector["allDescendants"] = True
                request["query"] = {"from": [selector]}
                if self.chance(30):
                    request["query"]["where"] = {"fieldFilter": {"field": {"fieldPath": "n"}, "op": self.pick(["EQUAL", "GREATER_THAN"]), "value": v(1)}}
            requests.append(request)
        return {"seed": self.seed, "rules": self.wrapped(lines, version), "documents": documents, "requests": requests}
