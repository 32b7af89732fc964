// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The part of an answer that a client requests: `documents(name,fields/title),nextPageToken`.
///
/// A slash leads into a message or a map, parentheses contain several selections below one name, `*` represents every name. A
/// selection inside an array applies to each element.
struct FieldSelection: Sendable {
    /// By UTF-8 bytes, like every comparison of field names. Empty: everything.
    private var members: [[UInt8]: FieldSelection] = [:]

    private static let everything = FieldSelection()
    private static let wildcard = Array("*".utf8)

    private init() {}

    /// Reads a selection. With a type, names that its messages do not have are errors.
    init(_ text: String, of type: MessageType?) throws(FirestoreError) {
        var parser = Parser(rest: Array(text.utf8)[...])
        self = try parser.list(level: 0)
        guard parser.rest.isEmpty else { throw Self.malformed("a name is expected", parser) }
        if let type { try check(type, at: "") }
    }

    // MARK: Applying

    func apply(to json: JSON) -> JSON { Self.apply([self], to: json) }

    /// Several selections at one level: `a/b` and `*/c`. They are parts of one selection, so that there are never more of them than
    /// names in its text.
    private static func apply(_ selections: [FieldSelection], to json: JSON) -> JSON {
        if selections.contains(where: { $0.members.isEmpty }) { return json }
        switch json {
        case .object(let members):
            var kept: [(name: String, value: JSON)] = []
            for (name, value) in members {
                let bytes = Array(name.utf8)
                var inner: [FieldSelection] = []
                for selection in selections {
                    if let found = selection.members[bytes] { inner.append(found) }
                    if let found = selection.members[wildcard] { inner.append(found) }
                }
                if !inner.isEmpty { kept.append((name, apply(inner, to: value))) }
            }
            return .object(kept)
        case .array(let elements): return .array(elements.map { apply(selections, to: $0) })
        default: return json
        }
    }

    // MARK: Checking

    /// Throws for names that the message does not have, and accepts the other spelling (`next_page_token`).
    private mutating func check(_ type: MessageType, at parent: String) throws(FirestoreError) {
        var checked: [[UInt8]: FieldSelection] = [:]
        for (bytes, selection) in members {
            var selection = selection
            let name = String(decoding: bytes, as: UTF8.self)
            guard bytes != Self.wildcard else {
                checked[bytes] = selection
                continue
            }
            guard let field = type.field(called: name) else {
                throw .invalidArgument("the answer has no field \"\(name.quoted)\"", at: "fields" + parent)
            }
            let path = parent + "/" + field.name
            if case .map = field.shape {
                for key in selection.members.keys { try selection.members[key]?.check(field.kind, at: path) }
            } else {
                try selection.check(field.kind, at: path)
            }
            checked[Array(field.name.utf8)] = checked[Array(field.name.utf8)].map { $0.merged(with: selection) } ?? selection
        }
        members = checked
    }

    private mutating func check(_ kind: MessageSchema.Kind, at parent: String) throws(FirestoreError) {
        guard !members.isEmpty else { return }
        switch kind {
        case .message(let type): try check(type, at: parent)
        case .structure, .anyString, .opaque: break
        default: throw .invalidArgument("this field is a single value; nothing can be selected from it", at: "fields" + parent)
        }
    }

    /// The union of both selections.
    private func merged(with other: FieldSelection) -> FieldSelection {
        guard !members.isEmpty, !other.members.isEmpty else { return .everything }
        var result = self
        result.members.merge(other.members) { $0.merged(with: $1) }
        return result
    }

    // MARK: Reading

    private static func malformed(_ what: String, _ parser: Parser) -> FirestoreError {
        let rest = String(decoding: parser.rest.prefix(40), as: UTF8.self)
        return .invalidArgument("\(what) \(rest.isEmpty ? "at the end" : "before \"\(rest)\"")", at: "fields")
    }

    private struct Parser {
        var rest: ArraySlice<UInt8>
        private var names = 0

        /// A document nests twenty levels of three names each.
        private static let nesting = 100
        private static let maximumNames = 500

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        mutating func list(level: Int) throws(FirestoreError) -> FieldSelection {
            var selection = try item(level: level)
            while take(UInt8(ascii: ",")) { selection = selection.merged(with: try item(level: level)) }
            return selection
        }

        /// `name`, `name/item` or `name(list)`.
        private mutating func item(level: Int) throws(FirestoreError) -> FieldSelection {
            guard level < Self.nesting else { throw malformed("the selection is nested too deeply") }
            let name = rest.prefix { !"/(),".utf8.contains($0) }
            guard !name.isEmpty else { throw malformed("a name is expected") }
            names += 1
            guard names <= Self.maximumNames else { throw malformed("more than \(Self.maximumNames) names are selected") }
            rest = rest.dropFirst(name.count)
            var below = FieldSelection.everything
            if take(UInt8(ascii: "/")) {
                below = try item(level: level + 1)
            } else if take(UInt8(ascii: "(")) {
                below = try list(level: level + 1)
                guard take(UInt8(ascii: ")")) else { throw malformed("a closing parenthesis is expected") }
            }
            var selection = FieldSelection()
            selection.members[Array(name)] = below
            return selection
        }

        private func malformed(_ what: String) -> FirestoreError { FieldSelection.malformed(what, self) }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }
    }
}
