// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// A tree as JSON: the output of `hearth schema`, which `--schema` reads and rewrites (MP-30).
///
/// It holds counts, names of fields, ids and types; of a map whose names are data it holds what all values have in common.
/// The strings of a field are in it only where they are the cases of an enumeration; elsewhere a sketch of them estimates their
/// number.
package struct SchemaFile {
    package static let version: Int64 = 1

    package var collection: String
    package var isGroup: Bool
    package var tree: SchemaTree
    /// The options that decide which maps have data for names, and which strings are cases.
    package var options: TypeOptions

    package init(collection: String, isGroup: Bool, tree: SchemaTree, options: TypeOptions = TypeOptions()) {
        self.collection = collection
        self.isGroup = isGroup
        self.tree = tree
        self.options = options
    }

    /// Sorted and without times: the same knowledge gives the same bytes.
    package var json: JSON {
        var members: [(name: String, value: JSON)] = [
            ("version", .number(Self.version)), ("collection", .string(collection)), ("group", .boolean(isGroup)),
            ("documents", .number(tree.documents)), ("ownIDs", .number(tree.ownIDs)),
        ]
        if tree.isCut { members.append(("cut", .boolean(true))) }
        if let counted = tree.counted { members.append(("counted", .string(counted.text))) }
        members += SchemaWriter(decider: TypeDecider(options: options)).members(tree.root, SchemaPath(), words: [], isTop: true)
        return .object(members)
    }

    package init(_ text: some Sequence<UInt8>, name: String) throws(FirestoreError) {
        options = TypeOptions()
        do throws(FirestoreError) {
            let node = JSONNode(try JSON(text))
            guard let version = try node.optional("version")?.integer() else {
                throw .invalidArgument("this is not a schema as Hearth writes it in JSON: it has no version")
            }
            guard version == Self.version else {
                throw .invalidArgument("the schema has version \(version); this program reads version \(Self.version)")
            }
            collection = try node.required("collection").string()
            isGroup = try node.optional("group")?.boolean() ?? false
            let documents = try SchemaParser.count(node.required("documents"))
            tree = SchemaTree()
            tree.root = try SchemaParser().map(node, instances: documents, depth: 0)
            tree.ownIDs = try node.optional("ownIDs").map(SchemaParser.count) ?? 0
            tree.isCut = try node.optional("cut")?.boolean() ?? false
            tree.counted = try node.optional("counted").map { (counted) throws(FirestoreError) in
                guard let documents = CountedDocuments(try counted.string()) else {
                    throw counted.failure("these are not hashes of documents")
                }
                return documents
            }
            tree.nodes = tree.root.size()
        } catch {
            throw error.inside(file: name)
        }
    }
}

extension FirestoreError {
    fileprivate func inside(file: String) -> FirestoreError {
        var copy = self
        copy.location = location.map { "\(file): \($0)" } ?? file
        return copy
    }
}

private struct SchemaWriter {
    let decider: TypeDecider

    /// The fields of a map, or its values where the names are data.
    func members(_ map: MapFacts, _ path: SchemaPath, words: [String], isTop: Bool = false) -> [(name: String, value: JSON)] {
        if map.isCut { return [("deeper", .boolean(true))] }
        var reason = map.reason
        if map.entry == nil, !isTop, !map.children.isEmpty { reason = decider.dictionaryReason(map, path) }
        if map.entry != nil || reason != nil {
            let values = JSON.object(node(map.entry ?? map.mergedValues(), path.values, words: Singular.of(words)))
            var members: [(name: String, value: JSON)] = []
            if let reason { members.append(("reason", .string(reason))) }
            return members + [("values", values)]
        }
        let fields = map.children.map { child in
            JSON.object([("name", .string(child.text))] + node(child.node, path.field(child.text), words: NameWords.of(child.text)))
        }
        return [("fields", .array(fields))]
    }

    private func node(_ node: SchemaNode, _ path: SchemaPath, words: [String]) -> [(name: String, value: JSON)] {
        var members: [(name: String, value: JSON)] = [("types", .array(node.types.map(type)))]
        if let integers = node.integers {
            if !integers.beyondDouble.ids.isEmpty { members.append(("beyondDouble", ids(integers.beyondDouble))) }
            if integers.milliseconds > 0 { members.append(("milliseconds", .number(integers.milliseconds))) }
        }
        if let doubles = node.doubles {
            if doubles.hasFraction { members.append(("fractions", .boolean(true))) }
            if !doubles.notFinite.ids.isEmpty { members.append(("notFinite", ids(doubles.notFinite))) }
        }
        if let texts = node.texts { members.append(("strings", strings(texts, path, words))) }
        if let times = node.times {
            members.append(
                (
                    "times",
                    .object([
                        ("movedByDate", ids(times.movedByDate)), ("known", .number(times.withTimes)), ("near", .number(times.nearTimes)),
                    ])
                ))
        }
        if let references = node.references {
            var object: [(name: String, value: JSON)] = []
            if case .one(let collection) = references.collection {
                object.append(("collection", .string(String(decoding: collection, as: UTF8.self))))
            }
            object.append(("foreign", ids(references.foreign)))
            members.append(("references", .object(object)))
        }
        if let dimensions = node.dimensions { members.append(("dimensions", extent(dimensions))) }
        if let array = node.array {
            var object: [(name: String, value: JSON)] = [("lengths", extent(array.lengths))]
            if array.isCut { object.append(("deeper", .boolean(true))) }
            if let element = array.element {
                object.append(("element", .object(self.node(element, path.elements, words: Singular.of(words)))))
            }
            members.append(("array", .object(object)))
        }
        if let map = node.map {
            members.append(("map", .object([("count", .number(map.instances))] + self.members(map, path, words: words))))
        }
        return members
    }

    private func type(_ facts: TypeFacts) -> JSON {
        .object([("type", .string(facts.type.name)), ("count", .number(facts.count)), ("examples", ids(facts.examples))])
    }

    private func ids(_ examples: Examples) -> JSON { .array(examples.ids.map { .string($0) }) }

    private func extent(_ extent: Extent<Int>) -> JSON { .array([.number(extent.least), .number(extent.most)]) }

    private func strings(_ texts: TextFacts, _ path: SchemaPath, _ words: [String]) -> JSON {
        var members: [(name: String, value: JSON)] = [("count", .number(texts.count)), ("empty", .number(texts.empty))]
        if texts.count > texts.empty {
            let names =
                (texts.patterns.contains(.word) ? ["word"] : [])
                + TextPatterns.hints.filter { texts.patterns.contains($0.pattern) }.map(\.name)
            members.append(("patterns", .array(names.map { .string($0) })))
        }
        if let words = decider.words(of: texts, TypeDecider.Place(path: path, words: words)) {
            members.append(("values", .array(words.map { .object([("value", .string($0.text)), ("count", .number($0.count))]) })))
        } else {
            let registers = texts.distinct.allRegisters
            members.append(("distinct", .number(HyperLogLog.estimate(registers))))
            members.append(("sketch", .string(Sketch.text(registers))))
        }
        return .object(members)
    }
}

/// The registers of an estimate as text: those that are set, or all if they are many.
private enum Sketch {
    static func text(_ registers: [UInt8]) -> String {
        let set = registers.enumerated().filter { $0.element > 0 }
        guard set.count * 3 < registers.count else { return Base64.encode(registers) }
        return Base64.encode(set.flatMap { [UInt8($0.offset >> 8), UInt8($0.offset & 0xFF), $0.element] })
    }

    static func registers(_ node: JSONNode) throws(FirestoreError) -> [UInt8] {
        guard let bytes = Base64.decode(try node.string()) else { throw node.failure("base64 is expected") }
        if bytes.count == HyperLogLog.empty.count { return bytes }
        var registers = HyperLogLog.empty
        guard bytes.count % 3 == 0 else { throw node.failure("this is not a sketch of strings") }
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let index = Int(bytes[start]) << 8 | Int(bytes[start + 1])
            guard index < registers.count else { throw node.failure("this is not a sketch of strings") }
            registers[index] = bytes[start + 2]
        }
        return registers
    }
}

private struct SchemaParser {
    static func count(_ node: JSONNode) throws(FirestoreError) -> Int {
        let number = try node.integer()
        guard number >= 0, number < 1 << 53 else { throw node.failure("a count is expected") }
        return Int(number)
    }

    func map(_ node: JSONNode, instances: Int, depth: Int) throws(FirestoreError) -> MapFacts {
        guard depth <= 2 * Limits.nestingLevels else { throw node.failure("the schema is nested too deeply") }
        var children: [MapFacts.Child] = []
        for field in try node.elements("fields") {
            let name = Array(try field.required("name").string().utf8)
            if let last = children.last, !last.name.lexicographicallyPrecedes(name) {
                throw field.failure("the fields are not sorted by name, or one occurs twice")
            }
            children.append(MapFacts.Child(name: name, node: try self.node(field, depth: depth + 1)))
        }
        let entry = try node.optional("values").map { (values) throws(FirestoreError) in try self.node(values, depth: depth + 1) }
        return MapFacts(
            instances: instances, children: children, entry: entry, reason: try node.optional("reason")?.string(),
            isCut: try node.optional("deeper")?.boolean() ?? false)
    }

    private func node(_ json: JSONNode, depth: Int) throws(FirestoreError) -> SchemaNode {
        let node = SchemaNode()
        for type in try json.elements("types") {
            let name = try type.required("type")
            guard let stored = StoredType(name: try name.string()) else { throw name.failure("there is no such type") }
            let facts = TypeFacts(type: stored, count: try Self.count(type.required("count")), examples: try examples(type, "examples"))
            if let last = node.types.last, last.type >= stored { throw type.failure("the types are not sorted, or one occurs twice") }
            node.types.append(facts)
        }
        let beyond = try examples(json, "beyondDouble")
        let milliseconds = try json.optional("milliseconds").map(Self.count) ?? 0
        if !beyond.ids.isEmpty || milliseconds > 0 { node.integers = IntegerFacts(beyondDouble: beyond, milliseconds: milliseconds) }
        if node.facts(.double) != nil {
            node.doubles = DoubleFacts(
                hasFraction: try json.optional("fractions")?.boolean() ?? false, notFinite: try examples(json, "notFinite"))
        }
        node.texts = try json.optional("strings").map(texts)
        node.times = try json.optional("times").map { (times) throws(FirestoreError) in
            TimeFacts(
                movedByDate: try examples(times, "movedByDate"), withTimes: try Self.count(times.required("known")),
                nearTimes: try Self.count(times.required("near")))
        }
        node.references = try json.optional("references").map { (references) throws(FirestoreError) in
            let collection = try references.optional("collection")?.string()
            return ReferenceFacts(
                collection: collection.map { .one(Array($0.utf8)) } ?? .various, foreign: try examples(references, "foreign"))
        }
        node.dimensions = try json.optional("dimensions").map(extent)
        node.array = try json.optional("array").map { (array) throws(FirestoreError) in
            ArrayFacts(
                lengths: try extent(array.required("lengths")),
                element: try array.optional("element").map { (element) throws(FirestoreError) in try self.node(element, depth: depth + 1) },
                isCut: try array.optional("deeper")?.boolean() ?? false)
        }
        node.map = try json.optional("map").map { (map) throws(FirestoreError) in
            try self.map(map, instances: Self.count(map.required("count")), depth: depth + 1)
        }
        guard (node.facts(.string) == nil) == (node.texts == nil), (node.facts(.array) == nil) == (node.array == nil),
            (node.facts(.map) == nil) == (node.map == nil)
        else { throw json.failure("the types and what is known about their values do not fit") }
        return node
    }

    private func examples(_ node: JSONNode, _ name: String) throws(FirestoreError) -> Examples {
        let ids = try node.elements(name).map { (element) throws(FirestoreError) in try element.string() }
        return Examples(ids)
    }

    private func extent(_ node: JSONNode) throws(FirestoreError) -> Extent<Int> {
        let numbers = try node.elements()
        guard numbers.count == 2 else { throw node.failure("two numbers are expected") }
        return Extent(least: try Self.count(numbers[0]), most: try Self.count(numbers[1]))
    }

    private func texts(_ node: JSONNode) throws(FirestoreError) -> TextFacts {
        var texts = TextFacts()
        texts.count = try Self.count(node.required("count"))
        texts.empty = try Self.count(node.required("empty"))
        if texts.count > texts.empty {
            texts.patterns = []
            for element in try node.elements("patterns") {
                let name = try element.string()
                if name == "word" { texts.patterns.insert(.word) }
                if let hint = TextPatterns.hints.first(where: { $0.name == name }) { texts.patterns.insert(hint.pattern) }
            }
        }
        if let values = try node.optional("values") {
            var words: [(text: String, count: Int)] = []
            for value in try values.elements() {
                words.append((try value.required("value").string(), try Self.count(value.required("count"))))
            }
            guard words.count <= DistinctTexts.limit else { throw values.failure("there are more values than an enumeration has") }
            texts.distinct = DistinctTexts(words)
        } else {
            texts.distinct = DistinctTexts(registers: try Sketch.registers(node.required("sketch")))
        }
        return texts
    }
}
