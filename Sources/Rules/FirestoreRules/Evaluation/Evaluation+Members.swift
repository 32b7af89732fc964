// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Members, indexes, ranges, and the documents that conditions read.
extension Evaluation {
    /// `base.name`, with the index of the name among the strings (SR-45, SR-46).
    mutating func member(_ base: NodeID, _ name: Int) throws(Interruption) -> RulesValue {
        // The map of the request is not made for a single one of its members.
        if !Recorder.isRecording, case .request = program.nodes[base] {
            try spend(1)
            return try member(of: .request(facts), name)
        }
        return try member(of: value(base), name)
    }

    mutating func member(of base: RulesValue, _ name: Int) throws(Interruption) -> RulesValue {
        switch base {
        case .map(let map): return try member(of: map, name)
        case .null: throw .failure(.nullValue)
        default: throw .failure(.type(received: base.type, expected: "map,path"))
        }
    }

    private mutating func member(of map: MapValue, _ name: Int) throws(Interruption) -> RulesValue {
        let value: RulesValue?
        if map.isOfRequest {
            guard let known = program.memberNames[name] else { throw .failure(.undefinedProperty(program.strings[name])) }
            if known == .time, case .request = map { usesTime = true }
            value = map.member(known)
        } else {
            value = map[program.strings[name]]
        }
        guard let value else { throw .failure(.undefinedProperty(program.strings[name])) }
        return value
    }

    /// `base['name']`
    private mutating func member(of base: RulesValue, _ name: String) throws(Interruption) -> RulesValue {
        switch base {
        case .map(let map):
            if case .request = map, name == "time" { usesTime = true }
            guard let value = map[name] else { throw .failure(.undefinedProperty(name)) }
            return value
        case .null: throw .failure(.nullValue)
        default: throw .failure(.type(received: base.type, expected: "map,path"))
        }
    }

    /// `base[index]` (SR-57)
    mutating func element(of base: RulesValue, at index: RulesValue) throws(Interruption) -> RulesValue {
        switch (base, index) {
        case (.list(let list), .int(let index)):
            if list.isOpen { throw .failure(.notProven) }
            let elements = list.elements
            guard elements.indices.contains(Int(index)) else { throw .failure(.index(index, size: elements.count)) }
            return elements[Int(index)]
        case (.string(let text), .int(let index)):
            let count = text.utf16.count
            guard (0..<Int64(count)).contains(index) else { throw .failure(.index(index, size: count)) }
            return .string(Self.slice(text, Int(index), Int(index) + 1))
        case (.map, .string(let name)): return try member(of: base, name)
        case (.path(let path), .int(let index)):
            let segments = try boundSegments(path)
            guard segments.indices.contains(Int(index)) else { throw .failure(.index(index, size: segments.count)) }
            return .string(segments[Int(index)].text)
        case (.path(let path), .string(let name)):
            guard let bound = path.bindings.last(where: { equalUTF8($0.name, name) }) else {
                throw .failure(.unboundWildcard(name))
            }
            return bound.value
        case (.null, _): throw .failure(.nullValue)
        default: throw .failure(.functionNotFound("[]"))
        }
    }

    /// `base[from:to]` (SR-58)
    func slice(_ base: RulesValue, from: RulesValue?, to: RulesValue?) throws(Interruption) -> RulesValue {
        switch base {
        case .list(let list):
            if list.isOpen { throw .failure(.notProven) }
            let elements = list.elements
            return .list(.elements(Array(elements[try range(from, to, size: elements.count)])))
        case .string(let text):
            let range = try range(from, to, size: text.utf16.count)
            return .string(Self.slice(text, range.lowerBound, range.upperBound))
        case .path(let path):
            let segments = try boundSegments(path)
            return .path(PathValue(Array(segments[try range(from, to, size: segments.count)]), bindings: path.bindings))
        case .null: throw .failure(.nullValue)
        default: throw .failure(.functionNotFound("[:]"))
        }
    }

    /// The segments of a template before the first wildcard that `bind` has not filled. If it has filled nothing, no segment is known.
    private func boundSegments(_ path: PathValue) throws(Interruption) -> [PathValue.Segment] {
        for (index, segment) in path.segments.enumerated() {
            guard case .capture(let name, _) = segment else { continue }
            guard !path.bindings.isEmpty else { throw .failure(.unboundWildcard(name)) }
            return Array(path.segments[..<index])
        }
        return path.segments
    }

    /// Bounds are strict: the first element and the last one must exist, also of an empty range.
    private func range(_ from: RulesValue?, _ to: RulesValue?, size: Int) throws(Interruption) -> Range<Int> {
        let from = try bound(from) ?? 0
        let to = try bound(to) ?? Int64(size)
        guard from >= 0, from < size else { throw .failure(.index(from, size: size)) }
        guard to >= 1, to <= size else { throw .failure(.index(to - (to == .min ? 0 : 1), size: size)) }
        guard from <= to else { throw .failure(.range(from, to, size: size)) }
        return Int(from)..<Int(to)
    }

    private func bound(_ value: RulesValue?) throws(Interruption) -> Int64? {
        switch value {
        case nil: return nil
        case .int(let bound): return bound
        case .some(let other): throw .failure(.type(received: other.type, expected: "int"))
        }
    }

    /// A part of a string, in code units of UTF-16. Half of a surrogate pair becomes a replacement character.
    private static func slice(_ text: String, _ from: Int, _ to: Int) -> String {
        let units = text.utf16
        let start = units.index(units.startIndex, offsetBy: from)
        return String(decoding: units[start..<units.index(start, offsetBy: to - from)], as: UTF16.self)
    }

    // MARK: Documents (SR-84 … SR-86)

    mutating func read(_ access: DocumentAccess, _ path: RulesValue) throws(Interruption) -> RulesValue {
        guard case .path(let path) = path else {
            if case .null = path { throw .failure(.nullValue) }
            throw .failure(.unsupported(received: "\(access.rawValue)(\(path.type.rawValue))", expected: "\(access.rawValue)(path)"))
        }
        let key: DocumentKey
        switch path.target(in: facts.database) {
        case .document(let found): key = found
        case .impossible where access.isExistence: return .bool(false)
        case .impossible, .nothing:
            throw .failure(.documentAccess("\(path.text) is not the path of a document of this database."))
        }
        let document = try accesses.read(access, key)
        if access.isExistence { return .bool(document != nil) }
        guard let document else {
            // Documents that the commit deletes are null after it. Any other missing document is an error (SR-85, SR-86).
            if access.isAfter, accesses.isWritten(key) { return .null }
            throw .failure(.documentAccess("The document \(key.path) does not exist."))
        }
        return .map(.document(DocumentFacts(key: document.key, fields: document.fields, database: facts.database)))
    }
}
