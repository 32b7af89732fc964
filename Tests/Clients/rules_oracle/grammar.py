"""Random expressions, functions and rulesets. Expressions mostly have the types that their places want, so that they have values."""

TYPES = ["bool", "int", "float", "string", "bytes", "list", "set", "map", "duration", "timestamp", "latlng", "path", "null"]
ORDERED = ["int", "float", "string", "bytes", "duration", "timestamp"]
# The fields of the documents, with their types.
FIELDS = {"n": "int", "k": "int", "f": "float", "s": "string", "owner": "string", "pub": "bool", "l": "list", "m": "map", "t": "timestamp",
          "g": "latlng", "r": "path", "b": "bytes", "z": "null"}
LITERALS = {
    "bool": ["true", "false"],
    "int": ["0", "1", "2", "3", "7", "-1", "10", "9223372036854775807", "-9223372036854775808", "9007199254740993"],
    "float": ["0.0", "1.0", "1.5", "2.5", ".5", "3.", "-0.5", "-0.0", "100000000.0", "0.0001", "float('1e300')", "float('NaN')", "float('Infinity')"],
    "string": ["'x'", "'a'", "'b'", "\"alice\"", "''", "'ab'", "'a,b,,c,'", "'äÖ'", "'1'", "'-12'", "'1.5'", "'/a/b'", "' A b '", "'😀b'", "'true'",
               "'\\u00e9'", "'\\x41\\101'", "'a\\nb'", "'aXbXc'", "'n'", "'s'"],
    "bytes": ["b'ab'", "b'\\xff\\xfe'", "b''", "b'\\101ä'"],
    "list": ["[]", "[1]", "[1, 2]", "[1, 2, 3, 2]", "['x', 'a']", "[1.0, 2]", "[null, true, 'x', 1.5]", "['n', 's']", "[[1], [1.0]]", "['b', 'a', 'b']"],
    "set": ["[].toSet()", "[1, 2].toSet()", "['a', 'b', 'a'].toSet()", "[1, 1.0, 2].toSet()"],
    "map": ["{}", "{'a': 1}", "{'b': 1, 'a': 'x'}", "{'k': 1.0}", "{'a': {'b': 2}}", "{'size': 1, 'keys': null}", "{'a': 1, 'a': 2}"],
    "duration": ["duration.value(1, 'h')", "duration.value(-90, 's')", "duration.value(1500, 'ms')", "duration.value(1, 'w')", "duration.value(7, 'ns')",
                 "duration.time(1, 2, 3, 4)", "duration.value(1, 'd')", "duration.value(2, 'm')"],
    "timestamp": ["timestamp.date(2024, 2, 29)", "timestamp.value(0)", "timestamp.value(1700000000123)", "timestamp.date(1969, 12, 31)",
                  "timestamp.value('2024-03-03T04:05:06.789Z')", "timestamp.value(-1)", "timestamp.date(1, 1, 1)", "timestamp.date(9999, 12, 31)"],
    "latlng": ["latlng.value(0, 0)", "latlng.value(48.85, 2.35)", "latlng.value(-90, 180)", "latlng.value(51.5, -0.12)"],
    "path": ["/a/b", "/databases/$(db)/documents/users/alice", "/a/$(1)/$(true)", "path('/a/b')", "path('x/{y}/{z=**}')", "/a/$('b/c')", "/a/(default)/b.c",
             "/databases/(default)/documents/users/nope", "/a/$(null)", "/a/$(1.5)"],
    "null": ["null"],
}
PATTERNS = ["'a+'", "'[a-z]*'", "'x'", "'.*'", "'(a|b)*'", "'\\\\w+'", "''", "','", "'(?i)A.*'", "'[^a]+'", "'(.)(.)'", "'\\\\d{1,3}'", "'^a'", "'X|,'", "'b$'"]
# An illegal one is an error of the ruleset elsewhere.
REPLACED_PATTERNS = [*PATTERNS, "'('"]
TEMPLATES = ["'y'", "''", "'$0$0'", "'[$1]'", "'\\\\\\\\$'", "'\\\\$1'", "'$2$1'"]
MAP_KEYS = ["'a'", "'b'", "'k'", "'x'", "'zz'", "'n'"]


class Grammar:
    def __init__(self, random):
        self.random = random
        self.functions = []
        self.names = {}
        self.documents = ["resource"]

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    # Expressions

    def gen(self, kind, depth):
        """An expression that mostly has the type."""
        if kind == "any" or self.chance(2):
            kind = self.pick(TYPES)
        if depth <= 0 or self.chance(8):
            return self.leaf(kind)
        text = getattr(self, "_" + kind)(depth - 1)
        return f"({text})" if self.chance(35) else text

    def safe(self, kind, depth):
        """The same as an operand of something that binds tightly."""
        text = self.gen(kind, depth)
        tight = text[0] in "('\"[{" and " " not in text or text.replace("_", "").replace(".", "").isalnum()
        return text if tight or self.chance(12) else f"({text})"

    def leaf(self, kind):
        roll = self.random.random()
        if roll < 0.35:
            names = [name for name, held in self.names.items() if held in (kind, "any")]
            if names:
                return self.pick(names)
        if roll < 0.75 and kind in FIELDS.values():
            return self.field(self.pick([name for name, held in FIELDS.items() if held == kind]))
        if kind == "string" and roll < 0.85:
            return self.pick(["request.auth.uid", "request.method", "request.auth.token.role", "request.auth.token.sub", "resource.id"])
        if kind == "path" and roll < 0.85:
            return self.pick(["request.path", "resource.__name__"])
        return self.pick(LITERALS[kind])

    def field(self, name):
        document = self.pick(self.documents)
        roll = self.random.random()
        if roll < 0.8:
            return f"{document}.data.{name}"
        if roll < 0.88:
            return f"{document}.data['{name}']"
        default = self.pick(LITERALS[FIELDS[name]])
        return f"{document}.data.get('{name}', {default})"

    def uncalled(self, kind, depth):
        """Without calls of functions, which in a map literal put the emulator's stack out of order when one of their variables has no value."""
        functions, self.functions = self.functions, []
        text = self.gen(kind, depth)
        self.functions = functions
        return text

    def call(self, kind, depth):
        fitting = [each for each in self.functions if each[2] in (kind, "any")]
        if not fitting:
            return self.leaf(kind)
        name, parameters, _ = self.pick(fitting)
        return f"{name}({', '.join(self.gen(each, depth) for each in parameters)})"

    def common(self, kind, depth):
        roll = self.pick(range(6))
        if roll == 0:
            return f"({self.gen('bool', depth)} ? {self.gen(kind, depth)} : {self.gen(kind, depth)})"
        if roll == 1:
            return self.call(kind, depth)
        if roll == 2:
            return f"debug({self.gen(kind, depth)})"
        if roll == 3:
            return f"{{'k': {self.uncalled(kind, depth)}, 'j': 1}}{self.pick(['.k', chr(91) + chr(39) + 'k' + chr(39) + chr(93), '.get(' + chr(39) + 'k' + chr(39) + ', null)'])}"
        if roll == 4:
            return f"[{self.gen(kind, depth)}, {self.gen(kind, depth)}][{self.pick(['0', '1', '0', '2'])}]"
        return f"{self.safe('map', depth)}.get({self.pick(MAP_KEYS + ['[' + MAP_KEYS[0] + ', ' + MAP_KEYS[1] + ']'])}, {self.gen(kind, depth)})"

    def _null(self, depth):
        return self.common("null", depth)

    def _bool(self, depth):
        roll = self.pick(range(30))
        if roll < 4:
            return f"{self.gen('bool', depth)} {self.pick(['&&', '||'])} {self.gen('bool', depth)}"
        if roll < 6:
            return "!" + self.safe("bool", depth)
        if roll < 10:
            kind = self.pick(TYPES)
            return f"{self.gen(kind, depth)} {self.pick(['==', '==', '!='])} {self.gen(kind, depth)}"
        if roll < 13:
            kind = self.pick(ORDERED)
            return f"{self.gen(kind, depth)} {self.pick(['<', '<=', '>', '>='])} {self.gen(kind, depth)}"
        if roll < 15:
            return f"{self.gen(self.pick(TYPES), depth)} is {self.pick(TYPES[:-1] + ['number', 'map_diff', 'vector', 'constraint'])}"
        if roll == 15:
            return f"{self.gen(self.pick(['int', 'string', 'float', 'list']), depth)} in {self.gen(self.pick(['list', 'set']), depth)}"
        if roll == 16:
            return f"{self.pick(MAP_KEYS)} in {self.gen('map', depth)}"
        if roll < 19:
            receiver = self.pick(["list", "set", "list"])
            argument = "list" if receiver == "list" else self.pick(["list", "set"])
            return f"{self.safe(receiver, depth)}.{self.pick(['hasAny', 'hasAll', 'hasOnly'])}({self.gen(argument, depth)})"
        if roll < 21:
            return f"{self.safe('string', depth)}.matches({self.pick(PATTERNS)})"
        if roll == 21:
            return f"exists({self.gen('path', depth)})"
        if roll == 22:
            return f"exists(/databases/$(db)/documents/users/$({self.gen('string', depth)}))"
        if roll == 23:
            return f"math.isNaN({self.gen(self.pick(['int', 'float']), depth)})"
        if roll == 24:
            return self.pick(["request.auth != null", "request.auth == null", "resource == null", "resource != null", "request.auth.token.admin",
                              "request.inTransaction", "request.resource == null", "request.time > timestamp.value(0)", "request.auth.uid == resource.data.owner"])
        if roll == 25:
            return f"{self.diff(depth)}.{self.keys()}().{self.pick(['hasAny', 'hasAll', 'hasOnly'])}({self.gen('list', depth)})"
        return self.common("bool", depth)

    def diff(self, depth):
        return f"{self.safe('map', depth)}.diff({self.gen('map', depth)})"

    def keys(self):
        return self.pick(["addedKeys", "removedKeys", "changedKeys", "affectedKeys", "unchangedKeys"])

    def _int(self, depth):
        roll = self.pick(range(16))
        if roll < 4:
            return f"{self.gen('int', depth)} {self.pick(['+', '-', '*', '/', '%'])} {self.safe('int', depth)}"
        if roll == 4:
            return f"-({self.gen('int', depth)})"
        if roll < 7:
            return f"{self.safe(self.pick(['string', 'list', 'set', 'map', 'bytes']), depth)}.size()"
        if roll == 7:
            return f"int({self.gen(self.pick(['int', 'float', 'string']), depth)})"
        if roll == 8:
            return f"math.{self.pick(['round', 'abs'])}({self.gen(self.pick(['int', 'float']), depth)})"
        if roll < 11:
            method = self.pick(["year", "month", "day", "hours", "minutes", "seconds", "nanos", "dayOfYear", "dayOfWeek", "toMillis"])
            return f"{self.safe('timestamp', depth)}.{method}()"
        if roll == 11:
            return f"{self.safe('duration', depth)}.{self.pick(['seconds', 'nanos'])}()"
        return self.common("int", depth)

    def _float(self, depth):
        roll = self.pick(range(12))
        if roll < 3:
            return f"{self.gen('float', depth)} {self.pick(['+', '-', '*', '/', '%'])} {self.safe(self.pick(['float', 'int']), depth)}"
        if roll == 3:
            return f"-({self.gen('float', depth)})"
        if roll == 4:
            return f"float({self.gen(self.pick(['int', 'float', 'string']), depth)})"
        if roll < 7:
            return f"math.{self.pick(['ceil', 'floor', 'sqrt', 'abs'])}({self.gen(self.pick(['int', 'float']), depth)})"
        if roll == 7:
            return f"math.pow({self.gen(self.pick(['int', 'float']), depth)}, {self.gen(self.pick(['int', 'float']), depth)})"
        if roll == 8:
            return f"{self.safe('latlng', depth)}.{self.pick(['latitude()', 'longitude()', 'distance(latlng.value(1, 2))'])}"
        return self.common("float", depth)

    def _string(self, depth):
        roll = self.pick(range(16))
        if roll < 3:
            return f"{self.gen('string', depth)} + {self.safe('string', depth)}"
        if roll < 5:
            return f"string({self.gen(self.pick(['bool', 'int', 'float', 'null', 'string', 'path']), depth)})"
        if roll < 8:
            return f"{self.safe('string', depth)}.{self.pick(['lower()', 'upper()', 'trim()'])}"
        if roll == 8:
            return f"{self.safe('string', depth)}.replace({self.pick(REPLACED_PATTERNS)}, {self.pick(TEMPLATES)})"
        if roll == 9:
            return f"{self.safe('list', depth)}.join({self.gen('string', depth)})"
        if roll == 10:
            return f"{self.safe('string', depth)}[{self.gen('int', depth)}]"
        if roll == 11:
            return f"{self.safe('string', depth)}[{self.pick(['0:1', '1:', ':2', '0:2', '1:1', '2:1', ':'])}]".replace("[:]", "[0:]")
        if roll == 12:
            return f"{self.safe('bytes', depth)}.{self.pick(['toBase64()', 'toHexString()'])}"
        if roll == 13:
            return f"{self.safe('path', depth)}[{self.gen('int', depth)}]"
        return self.common("string", depth)

    def _bytes(self, depth):
        roll = self.pick(range(5))
        if roll < 2:
            return f"{self.safe('string', depth)}.toUtf8()"
        if roll < 4:
            return f"hashing.{self.pick(['crc32', 'crc32c', 'md5', 'sha256'])}({self.gen(self.pick(['string', 'bytes']), depth)})"
        return self.common("bytes", depth)

    def _list(self, depth):
        roll = self.pick(range(12))
        if roll < 2:
            return "[" + ", ".join(self.gen(self.pick(["int", "string", "float", "any", "list"][:4 + (depth > 2)]), depth) for _ in range(self.pick([0, 1, 2, 3]))) + "]"
        if roll == 2:
            return f"{self.safe('list', depth)}.concat({self.gen('list', depth)})"
        if roll == 3:
            return f"{self.safe('list', depth)}.removeAll({self.gen('list', depth)})"
        if roll < 6:
            return f"{self.safe('map', depth)}.{self.pick(['keys', 'values'])}()"
        if roll < 8:
            return f"{self.safe('string', depth)}.split({self.pick(PATTERNS)})"
        if roll == 8:
            return f"{self.safe('list', depth)}[{self.pick(['0:1', '1:', ':2', '0:2', '1:1', '2:1'])}]"
        return self.common("list", depth)

    def _set(self, depth):
        roll = self.pick(range(7))
        if roll < 2:
            return f"{self.safe('list', depth)}.toSet()"
        if roll < 4:
            return f"{self.safe('set', depth)}.{self.pick(['union', 'intersection', 'difference'])}({self.gen('set', depth)})"
        if roll < 6:
            return f"{self.diff(depth)}.{self.keys()}()"
        return self.common("set", depth)

    def _map(self, depth):
        roll = self.pick(range(8))
        if roll < 2:
            return "{" + ", ".join(f"{self.pick(MAP_KEYS)}: {self.uncalled(self.pick(TYPES), depth)}" for _ in range(self.pick([0, 1, 2, 3]))) + "}"
        if roll == 2:
            return f"{self.pick(self.documents)}.data"
        if roll == 3:
            return f"{self.pick(['get', 'getAfter'])}({self.gen('path', depth)}).data"
        if roll == 4:
            return "get(/databases/$(db)/documents/users/$(request.auth.uid)).data"
        if roll == 5:
            return "request.auth.token"
        return self.common("map", depth)

    def _duration(self, depth):
        roll = self.pick(range(8))
        if roll == 0:
            return f"duration.value({self.gen('int', depth)}, {self.pick(['w', 'd', 'h', 'm', 's', 'ms', 'ns', 'us']).join([chr(39)] * 2)})"
        if roll == 1:
            return f"duration.abs({self.gen('duration', depth)})"
        if roll == 2:
            return f"-({self.gen('duration', depth)})"
        if roll == 3:
            return f"{self.gen('duration', depth)} {self.pick(['+', '-'])} {self.safe('duration', depth)}"
        if roll == 4:
            return f"{self.gen('timestamp', depth)} - {self.safe('timestamp', depth)}"
        if roll == 5:
            return f"{self.safe('timestamp', depth)}.time()"
        return self.common("duration", depth)

    def _timestamp(self, depth):
        roll = self.pick(range(7))
        if roll < 2:
            return f"{self.gen('timestamp', depth)} {self.pick(['+', '-'])} {self.safe('duration', depth)}"
        if roll == 2:
            return f"{self.gen('duration', depth)} + {self.safe('timestamp', depth)}"
        if roll == 3:
            return f"{self.safe('timestamp', depth)}.date()"
        if roll == 4:
            return f"timestamp.value({self.gen(self.pick(['int', 'string']), depth)})"
        return self.common("timestamp", depth)

    def _latlng(self, depth):
        if self.chance(40):
            return f"latlng.value({self.gen(self.pick(['int', 'float']), depth)}, {self.gen(self.pick(['int', 'float']), depth)})"
        return self.common("latlng", depth)

    def _path(self, depth):
        roll = self.pick(range(8))
        if roll < 2:
            return f"/a/$({self.gen(self.pick(['string', 'int', 'bool', 'path', 'float', 'null']), depth)})/b"
        if roll == 2:
            return f"/databases/$(db)/documents/users/$({self.gen('string', depth)})"
        if roll == 3:
            return f"path({self.gen('string', depth)})"
        if roll == 4:
            return f"{self.safe('path', depth)}[{self.pick(['0:1', '1:', ':2'])}]"
        if roll == 5:
            return f"path('/users/{{u}}/{{r=**}}').bind({{'u': {self.uncalled('string', depth)}{self.pick(['', ', ' + repr('r') + ': /x/y', ', ' + repr('q') + ': 1'])}}})"
        return self.common("path", depth)

    # Functions

    def function(self, name, depth):
        parameters = [self.pick(TYPES) for _ in range(self.pick([0, 1, 1, 2, 3]))]
        result = self.pick(TYPES + ["bool"] * 4)
        outer = self.names
        self.names = {**{key: held for key, held in outer.items() if key == "db"}, **{f"p{index}": kind for index, kind in enumerate(parameters)}}
        lets = []
        for index in range(self.pick([0, 0, 1, 2])):
            kind = self.pick(TYPES)
            lets.append(f"let v{index} = {self.gen(kind, depth)};")
            self.names[f"v{index}"] = kind
        text = f"function {name}({', '.join(f'p{index}' for index in range(len(parameters)))}) {{ {' '.join(lets)} return {self.gen(result, depth)}; }}"
        self.names = outer
        self.functions.append((name, parameters, result))
        return text
