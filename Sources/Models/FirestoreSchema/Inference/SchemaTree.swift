// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A summary of the documents of a collection, made in one pass and in bounded memory (MP-13).
///
/// Everything in it is a sum, a minimum or a union, so the order of documents does not matter, and trees of parts of a
/// collection can be merged. (Except where the bound on all nodes is reached: the deepest nodes are dropped then, and their
/// depth may depend on the order.)
package final class SchemaTree {
    /// When a document was created and changed, if the source contains it.
    package struct Times {
        package var create: TimestampValue
        package var update: TimestampValue

        package init(create: TimestampValue, update: TimestampValue) {
            self.create = create
            self.update = update
        }
    }

    /// The documents and their fields.
    package internal(set) var root = MapFacts()
    /// Documents whose field `id` is their id.
    package internal(set) var ownIDs = 0
    /// Places that the bound on all nodes has cut off.
    package internal(set) var isCut = false
    /// The documents counted so far, so that one that is read again is not counted twice; nil: every document is counted.
    package var counted: CountedDocuments?
    package let limits: SchemaLimits
    var nodes = 0
    var deepest = Int.max
    /// `projects/…/documents/` of the documents; nil: references into other databases are not distinguished.
    private let ownDatabase: [UInt8]?

    package init(database: DatabaseID? = nil, limits: SchemaLimits = SchemaLimits()) {
        ownDatabase = database.map { Array($0.documentsPrefix.utf8) }
        self.limits = limits
    }

    package var documents: Int { root.instances }

    /// Counts a document. `id` is its id, or its path where documents come from several collections.
    package func add(_ id: String, _ fields: FieldBytes, times: Times? = nil) throws(FirestoreError) {
        defer { withExtendedLifetime(fields) {} }
        if counted?.insert(id, fields) == false { return }
        var reader = SchemaReader(id: id, times: times, limits: limits, deepest: deepest, ownDatabase: ownDatabase)
        let view = fields.view
        reader.count(view, into: &root, level: 1)
        if reader.isDamaged { throw FirestoreError(.dataLoss, "the stored bytes of the document are damaged", at: id) }
        if let own = view[utf8: "id"]?.stringBytes, Self.isLast(own, of: id) { ownIDs += 1 }
        nodes += reader.made
        if nodes > limits.nodes { cut() }
    }

    /// Whether a string is the last segment of a path.
    private static func isLast(_ text: UnsafeRawBufferPointer, of path: String) -> Bool {
        guard !text.isEmpty, path.utf8.count >= text.count, path.utf8.suffix(text.count).elementsEqual(text) else { return false }
        let rest = path.utf8.dropLast(text.count)
        return rest.isEmpty || rest.last == UInt8(ascii: "/")
    }

    /// Gives up the deepest level until there are few enough nodes.
    private func cut() {
        nodes = root.size()
        while nodes > limits.nodes {
            let depth = root.depth()
            guard depth > 1 else { return }
            deepest = min(deepest, depth) - 1
            let levels = deepest - 1
            root.forEachNode { $0.cut(below: levels) }
            isCut = true
            nodes = root.size()
        }
    }

    /// Adds the facts of a tree of other documents.
    package func merge(_ other: SchemaTree) {
        root.merge(other.root, limits: limits)
        ownIDs += other.ownIDs
        isCut = isCut || other.isCut
        deepest = min(deepest, other.deepest)
        if deepest < Int.max { root.forEachNode { $0.cut(below: deepest - 1) } }
        nodes = root.size()
        if nodes > limits.nodes { cut() }
    }
}

/// Counts the values of one document.
private struct SchemaReader {
    let id: String
    let times: SchemaTree.Times?
    let limits: SchemaLimits
    let deepest: Int
    let ownDatabase: [UInt8]?
    /// Nodes made, less those given up.
    var made = 0
    var isDamaged = false

    mutating func count(_ fields: FieldsView, into map: inout MapFacts, level: Int) {
        map.instances += 1
        // Valid documents nest far less; damaged bytes must not exhaust the stack.
        guard level <= deepest, !map.isCut, level <= 2 * Limits.nestingLevels else { return map.isCut ? () : map.cut() }
        var iterator = fields.makeIterator()
        var hint = 0
        while let (name, value) = iterator.next() {
            count(value, in: map.node(name, hint: &hint, made: &made, limits: limits), level: level)
        }
        if iterator.isDamaged { isDamaged = true }
    }

    private mutating func count(_ value: ValueView, in node: SchemaNode, level: Int) {
        guard let type = StoredType(value) else { return isDamaged = true }
        node.count(type, in: id)
        switch type {
        case .null, .boolean, .bytes, .geoPoint: return
        case .integer: if let number = value.integer { count(number, in: node) }
        case .double: if let number = value.double { count(number, in: node) }
        case .timestamp: if let time = value.timestamp { count(time, in: node) }
        case .string:
            guard let text = value.stringBytes else { return isDamaged = true }
            if node.texts == nil { node.texts = TextFacts() }
            node.texts?.add(text)
        case .reference: if let name = value.referenceBytes { count(reference: name, in: node) }
        case .vector: if let components = value.vector { node.dimensions.extend(components.count) }
        case .array: if let elements = value.elements { count(elements, in: node, level: level) }
        case .map:
            guard let fields = value.fields else { return isDamaged = true }
            if node.map == nil { node.map = MapFacts() }
            // The facts are moved out, not copied, while they change.
            var map = node.map ?? MapFacts()
            node.map = nil
            count(fields, into: &map, level: level + 1)
            node.map = map
        }
    }

    private func count(_ number: Int64, in node: SchemaNode) {
        if IntegerFacts.millisecondTimes.contains(number) {
            if node.integers == nil { node.integers = IntegerFacts() }
            node.integers?.milliseconds += 1
        }
        // Int64.max becomes 2^63, which is not an Int64.
        guard number.magnitude > 1 << 53, Int64(exactly: Double(number)) != number else { return }
        if node.integers == nil { node.integers = IntegerFacts() }
        node.integers?.beyondDouble.add(id)
    }

    private func count(_ number: Double, in node: SchemaNode) {
        if node.doubles == nil { node.doubles = DoubleFacts() }
        if !number.isFinite {
            node.doubles?.notFinite.add(id)
        } else if number.rounded() != number {
            node.doubles?.hasFraction = true
        }
    }

    private func count(_ time: TimestampValue, in node: SchemaNode) {
        if node.times == nil { node.times = TimeFacts() }
        if !DateRounding.survives(time) { node.times?.movedByDate.add(id) }
        guard let times else { return }
        node.times?.withTimes += 1
        let micros = time.microsecondsSince1970
        func isNear(_ other: TimestampValue) -> Bool { abs(micros - other.microsecondsSince1970) <= 2_000_000 }
        if isNear(times.create) || isNear(times.update) { node.times?.nearTimes += 1 }
    }

    private func count(reference name: UnsafeRawBufferPointer, in node: SchemaNode) {
        let collection = ReferenceCollection(name)
        if let facts = node.references?.collection {
            if case .one(let pattern) = facts, !collection.matches(pattern) { node.references?.collection = .various }
        } else {
            node.references = ReferenceFacts(collection: .one(collection.pattern))
        }
        if let ownDatabase, !name.starts(with: ownDatabase) { node.references?.foreign.add(id) }
    }

    private mutating func count(_ elements: ArrayView, in node: SchemaNode, level: Int) {
        var length = 0
        let isCut = level + 1 > deepest || level > 2 * Limits.nestingLevels || node.array?.isCut == true
        if node.array == nil { node.array = ArrayFacts(lengths: Extent(elements.count)) }
        if isCut { node.array?.cut() }
        var target = node.array?.element
        for element in elements {
            length += 1
            if isCut { continue }
            if target == nil {
                target = SchemaNode()
                made += 1
                node.array?.element = target
            }
            if let target { count(element, in: target, level: level + 1) }
        }
        node.array?.lengths.add(length)
    }
}
