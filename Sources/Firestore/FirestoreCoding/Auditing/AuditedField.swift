// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A place in documents that a type asks for: a node of the tree of its keys (MP-35). Elements of an array share a place, and so
/// do the values of a dictionary.
package final class AuditedField {
    /// The name of this position below its parent: the key of the type, `[]` or `{}`.
    package let key: ProbedKey.Segment
    /// Owns this place. Not weak: weak references make counting slow.
    package unowned let parent: AuditedField?
    private let bytes: [UInt8]
    /// The name in documents, where a key strategy makes it another.
    private var storedName: String?

    /// In the order in which they were asked for first.
    @exclusivity(unchecked) package private(set) var children: [AuditedField] = []
    /// The children in the order of their names, as maps are stored.
    @exclusivity(unchecked) private var sorted: [AuditedField] = []
    @exclusivity(unchecked) package private(set) var elements: AuditedField?
    @exclusivity(unchecked) package private(set) var values: AuditedField?
    /// Its index among the children of its parent.
    private var index = 0
    /// The index of the sibling that was asked for after this one the last time: types ask in the same order every time.
    @exclusivity(unchecked) private var follower = 0
    /// The index of the child that was asked for last; -1 at the start.
    @exclusivity(unchecked) private var latest = -1
    /// The index of the child that was asked for first the last time.
    @exclusivity(unchecked) private var start = 0

    /// Whether a type asked for its keys one by one, so that other keys in it are unknown.
    @exclusivity(unchecked) package var isStruct = false
    /// Whether any key is allowed in it, as in a dictionary.
    @exclusivity(unchecked) package var isOpen = false
    /// Whether the keys are those of a dictionary, to which key strategies do not apply.
    @exclusivity(unchecked) var isExempt = false

    /// Whether no value of the place was looked at as a donor yet.
    @exclusivity(unchecked) var needsDonor = true
    /// How it was asked for.
    @exclusivity(unchecked) package private(set) var requests: [Request] = []
    /// Requests in documents that decode, and those that found a value.
    @exclusivity(unchecked) package var asked = 0
    @exclusivity(unchecked) package var present = 0
    /// Whether any document has the field, null or not.
    @exclusivity(unchecked) package var isInData = false

    /// Fields that documents have here and that were not asked for, yet.
    package private(set) var unasked: [[UInt8]: UnaskedField] = [:]
    /// Whether there were more names than are recorded.
    package private(set) var hasMoreUnasked = false

    package struct Request {
        package let type: Any.Type
        package let presence: ProbedKey.Presence
        let isIfPresent: Bool
        let id: ObjectIdentifier
    }

    package init(_ key: ProbedKey.Segment, parent: AuditedField?) {
        self.key = key
        self.parent = parent
        if case .name(let name) = key { bytes = Array(name.utf8) } else { bytes = [] }
    }

    // MARK: Children

    /// The place of a key. In an open place all keys are one.
    func child(_ name: String) -> AuditedField {
        if isOpen { return anyValue }
        let next = latest < 0 ? start : children[latest].follower
        if next < children.count {
            let child = children[next]
            if child.isNamed(name) {
                latest = next
                return child
            }
        }
        let found = find(name) ?? add(name)
        if latest < 0 { start = found.index } else { children[latest].follower = found.index }
        latest = found.index
        return found
    }

    func restart() { latest = -1 }

    var anyElement: AuditedField {
        if let elements { return elements }
        let made = AuditedField(.elements, parent: self)
        elements = made
        return made
    }

    var anyValue: AuditedField {
        if let values { return values }
        let made = AuditedField(.values, parent: self)
        values = made
        return made
    }

    /// The place of a stored name, if it was asked for.
    package func existingChild(_ stored: String) -> AuditedField? {
        if isOpen { return values }
        return find(stored) ?? children.first { $0.storedName.map { equalUTF8($0, stored) } == true }
    }

    @inline(__always)
    private func isNamed(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { order(to: UnsafeRawBufferPointer($0)) == 0 }
    }

    private func find(_ name: String) -> AuditedField? {
        var name = name
        return name.withUTF8 { child(named: UnsafeRawBufferPointer($0)) }
    }

    private func child(named name: UnsafeRawBufferPointer) -> AuditedField? {
        let index = position(of: name)
        return index < sorted.count && sorted[index].order(to: name) == 0 ? sorted[index] : nil
    }

    private func position(of name: UnsafeRawBufferPointer) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].order(to: name) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func add(_ name: String) -> AuditedField {
        let made = AuditedField(.name(name), parent: self)
        made.index = children.count
        children.append(made)
        let index = made.bytes.withUnsafeBytes { position(of: $0) }
        sorted.insert(made, at: index)
        made.bytes.withUnsafeBytes { bytes in
            if let key = unasked.keys.first(where: { $0.elementsEqual(bytes) }) { unasked[key] = nil }
        }
        return made
    }

    @inline(__always)
    private func order(to name: UnsafeRawBufferPointer) -> Int { bytes.withUnsafeBytes { compareBytes($0, name) } }

    // MARK: Requests

    /// Notes that a type asked for the place. The same request again costs a comparison.
    @inline(__always)
    func note(_ type: Any.Type, isIfPresent: Bool) {
        let id = ObjectIdentifier(type)
        if let first = requests.first, first.id == id, first.isIfPresent == isIfPresent { return }
        add(type, id, isIfPresent)
    }

    private func add(_ type: Any.Type, _ id: ObjectIdentifier, _ isIfPresent: Bool) {
        guard requests.count < 32, !requests.contains(where: { $0.id == id && $0.isIfPresent == isIfPresent }) else { return }
        let presence = isIfPresent ? .ifPresent : ProbedKey.Presence(type)
        requests.append(Request(type: type, presence: presence, isIfPresent: isIfPresent, id: id))
        if presence != .identity { isAsked = true }
    }

    /// Whether a type asks for a field here: not if all that was asked for is the document's id.
    @exclusivity(unchecked) package private(set) var isAsked = false

    /// Whether nothing fails without the field.
    package var isOptional: Bool { requests.contains { $0.presence == .ifPresent || $0.presence == .missingAccepted } }

    // MARK: Documents

    /// Compares the fields of a map with the requests here and below.
    func walk(_ fields: FieldsView, _ walk: AuditWalk) {
        if isOpen {
            guard let values else { return }
            for (_, value) in fields { values.enter(value, walk) }
            return
        }
        guard isStruct else { return }
        if walk.renamesKeys, !isExempt { return walkRenamed(fields, walk) }
        var index = 0
        for (name, value) in fields {
            while index < sorted.count, sorted[index].order(to: name) < 0 { index += 1 }
            if index < sorted.count, sorted[index].order(to: name) == 0 {
                sorted[index].meet(value, name, in: self, walk)
                index += 1
            } else {
                tally(name, value, walk)
            }
        }
    }

    private func walkRenamed(_ fields: FieldsView, _ walk: AuditWalk) {
        for (name, value) in fields {
            let stored = String(decoding: name, as: UTF8.self)
            guard let child = find(walk.renamed(stored, in: self)) else {
                tally(name, value, walk)
                continue
            }
            child.storedName = stored
            child.meet(value, name, in: self, walk)
        }
    }

    private func meet(_ value: ValueView, _ name: UnsafeRawBufferPointer, in parent: AuditedField, _ walk: AuditWalk) {
        guard isAsked else { return parent.tally(name, value, walk) }
        enter(value, walk)
    }

    private func enter(_ value: ValueView, _ walk: AuditWalk) {
        isInData = true
        if walk.counts, !value.isNull { present += 1 }
        if isStruct || isOpen, let map = value.fields, value.vector == nil {
            self.walk(map, walk)
        } else if let elements, let array = value.elements {
            for element in array { elements.enter(element, walk) }
        }
    }

    private func tally(_ name: UnsafeRawBufferPointer, _ value: ValueView, _ walk: AuditWalk) {
        guard walk.listsUnasked else { return }
        let name = [UInt8](name)
        guard unasked[name] != nil || unasked.count < Self.nameLimit else {
            hasMoreUnasked = true
            return
        }
        unasked[name, default: UnaskedField()].add(value, walk)
    }

    /// How many names of unknown fields are recorded per map (MP-13).
    static let nameLimit = 1_000

    // MARK: Names

    /// Whether any document has the place.
    package var isInDataOrRoot: Bool { parent == nil || isInData }

    package var path: String { ProbedKey.text(segments) }

    /// The path in documents: under the stored names where they are known.
    package var segments: [ProbedKey.Segment] {
        guard let parent else { return [] }
        return parent.segments + [storedName.map { .name($0) } ?? key]
    }

    /// The places below, each before those below it.
    package func forEach(_ body: (AuditedField) -> Void) {
        body(self)
        for child in children { child.forEach(body) }
        elements?.forEach(body)
        values?.forEach(body)
    }
}

/// A field that documents have and the type does not ask for: in which documents, by stored type.
package struct UnaskedField {
    package private(set) var tallies: [String: DocumentTally] = [:]

    mutating func add(_ value: ValueView, _ walk: AuditWalk) {
        tallies[value.typeName, default: DocumentTally()].add(walk.document, id: walk.documentID, limit: walk.exampleLimit)
    }
}

/// How many documents something holds for, and the ids of the first of them.
package struct DocumentTally: Sendable {
    package private(set) var documents = 0
    /// The smallest ids, in order.
    package private(set) var examples: [String] = []
    private var latest = -1

    package init() {}

    /// Returns the tally with other ids for the documents, in the same order.
    package func renamed(_ rename: (String) -> String) -> DocumentTally {
        var result = self
        result.examples = examples.map(rename)
        return result
    }

    /// For findings that are about all documents.
    package mutating func set(documents: Int) { self.documents = documents }

    /// Counts a document once, however often it is added in succession.
    package mutating func add(_ document: Int, id: String, limit: Int) {
        guard document != latest else { return }
        latest = document
        documents += 1
        if examples.count == limit {
            guard let last = examples.last, compareUTF8(id, last) < 0 else { return }
            examples.removeLast()
        }
        let index = examples.firstIndex { compareUTF8(id, $0) < 0 } ?? examples.count
        examples.insert(id, at: index)
    }
}

/// One pass over the fields of a document.
struct AuditWalk {
    let document: Int
    let documentID: String
    let exampleLimit: Int
    /// Whether the document decodes, so that it is included in how often optional fields are present.
    let counts: Bool
    let listsUnasked: Bool
    let options: DecodingOptions?

    var renamesKeys: Bool {
        guard let options else { return false }
        if case .useDefaultKeys = options.keys { return false }
        return true
    }

    /// The key that a stored name becomes.
    func renamed(_ stored: String, in field: AuditedField) -> String {
        switch options?.keys {
        case nil, .useDefaultKeys: stored
        case .convertFromSnakeCase: SnakeCase.toCamelCase(stored)
        case .custom(let closure): closure(field.codingPath + [NameKey(stored)]).stringValue
        }
    }
}

extension AuditedField {
    /// The keys of the type down to here.
    fileprivate var codingPath: [any CodingKey] {
        guard let parent else { return [] }
        switch key {
        case .name(let name): return parent.codingPath + [NameKey(name)]
        case .elements: return parent.codingPath + [IndexKey(0)]
        case .values: return parent.codingPath + [NameKey("")]
        }
    }
}
