// SPDX-License-Identifier: Apache-2.0

/// A location in a JSON text, read with an expected type. Errors are `invalidArgument` and name the location.
package struct JSONNode: Sendable {
    package let json: JSON
    private let location: Location?

    /// A step of the way to a value. Made into a text only where an error needs it: the names on the way may be long, and the values many.
    private final class Location: Sendable {
        let outer: Location?
        let name: String?
        let index: Int

        init(in outer: Location?, name: String?, index: Int = 0) {
            self.outer = outer
            self.name = name
            self.index = index
        }
    }

    /// Its name in messages: `structuredQuery.where.op`; empty for the whole text.
    package var place: String {
        var steps: [Location] = []
        var next = location
        while let step = next {
            steps.append(step)
            next = step.outer
        }
        var text = ""
        WorkCounter.add(steps.reduce(1) { $0 + ($1.name?.utf8.count ?? 0) })
        for step in steps.reversed() {
            if let name = step.name { text += (text.isEmpty ? "" : ".") + name.quoted } else { text += "[\(step.index)]" }
        }
        return text
    }

    package init(_ json: JSON, place: String = "") {
        self.init(json, place.isEmpty ? nil : Location(in: nil, name: place))
    }

    private init(_ json: JSON, _ location: Location?) {
        self.json = json
        self.location = location
    }

    package func failure(_ what: String) -> FirestoreError {
        .invalidArgument(what, at: location == nil ? nil : place)
    }

    // MARK: Objects and arrays

    private func members() throws(FirestoreError) -> [(name: String, value: JSON)] {
        guard case .object(let members) = json else { throw failure("an object is expected") }
        return members
    }

    private func member(_ name: String, _ value: JSON) -> JSONNode {
        JSONNode(value, Location(in: location, name: name))
    }

    /// A member; nil if it is missing or null, which are the same in proto3.
    package func optional(_ name: String) throws(FirestoreError) -> JSONNode? {
        _ = try members()
        guard let value = json[name] else { return nil }
        if case .null = value { return nil }
        return member(name, value)
    }

    package func required(_ name: String) throws(FirestoreError) -> JSONNode {
        guard let node = try optional(name) else { throw failure("\"\(name)\" is missing") }
        return node
    }

    /// All members in order, including null ones.
    package func entries() throws(FirestoreError) -> [(name: String, node: JSONNode)] {
        try members().map { ($0.name, member($0.name, $0.value)) }
    }

    /// The one member of an object that holds exactly one alternative.
    package func only() throws(FirestoreError) -> (name: String, node: JSONNode) {
        let entries = try entries()
        guard entries.count == 1 else { throw failure("exactly one member is expected, but there are \(entries.count)") }
        return entries[0]
    }

    /// Rejects members with other names, as proto3 does.
    package func allow(only names: String...) throws(FirestoreError) {
        for member in try members() where !names.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
            throw failure("unknown member \"\(member.name.quoted)\"; expected one of \(names.joined(separator: ", "))")
        }
    }

    package func elements() throws(FirestoreError) -> [JSONNode] {
        guard case .array(let elements) = json else { throw failure("an array is expected") }
        return elements.enumerated().map { JSONNode($1, Location(in: location, name: nil, index: $0)) }
    }

    /// The elements of a member that is an array; none if it is missing.
    package func elements(_ name: String) throws(FirestoreError) -> [JSONNode] {
        try optional(name)?.elements() ?? []
    }

    // MARK: Scalars

    package func string() throws(FirestoreError) -> String {
        guard case .string(let text) = json else { throw failure("a string is expected") }
        return text
    }

    package func boolean() throws(FirestoreError) -> Bool {
        guard case .boolean(let flag) = json else { throw failure("true or false is expected") }
        return flag
    }

    /// A whole number, written as a number or a string (VAL-24).
    package func integer() throws(FirestoreError) -> Int64 {
        let text: String
        switch json {
        case .number(let number): text = number
        case .string(let string): text = string
        default: throw failure("a whole number is expected")
        }
        if let value = Int64(text) { return value }
        // `1e3` and `1.0` are whole, too.
        guard case .number = json, let double = Double(text), let value = Int64(exactly: double) else {
            throw failure("a whole number of 64 bits is expected")
        }
        return value
    }

    /// A number, or a string for the values that JSON cannot write (VAL-24).
    package func double() throws(FirestoreError) -> Double {
        switch json {
        case .number(let text): if let value = Double(text), value.isFinite { return value }
        case .string("NaN"): return .nan
        case .string("Infinity"): return .infinity
        case .string("-Infinity"): return -.infinity
        case .string(let text): if let value = Double(text), value.isFinite { return value }
        default: break
        }
        throw failure("a number is expected, or \"NaN\", \"Infinity\", \"-Infinity\"")
    }

    package func fieldPath() throws(FirestoreError) -> FieldPathSegments {
        do throws(FirestoreError) {
            return try PathCheck.fieldPath(wire: try string())
        } catch {
            throw failure(error.message)
        }
    }
}
