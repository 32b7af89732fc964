// SPDX-License-Identifier: Apache-2.0

/// A JSON text as a tree. Numbers keep their spelling, and members their order.
///
/// The basis of proto3's JSON form, which bundles, index configurations and the REST protocol use.
package enum JSON: Sendable {
    case null
    case boolean(Bool)
    /// As written: `12`, `-0.5e3`.
    case number(String)
    case string(String)
    case array([JSON])
    case object([(name: String, value: JSON)])

    package static func number(_ value: some BinaryInteger) -> JSON { .number(String(value)) }

    /// The member with a name; the last one, if several have the same name.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

extension JSON {
    /// Reads a text in UTF-8. Fails with `invalidArgument` and the byte at which reading stopped.
    package init(_ text: some Sequence<UInt8>) throws(FirestoreError) {
        self = try JSONParser.parse(ContiguousArray(text))
    }

    package enum Layout: Sendable {
        /// One line without spaces.
        case compact
        /// One line with spaces, for messages.
        case spaced
        /// A line per member, indented by two spaces per level.
        case indented
    }

    /// The text in UTF-8. `level`: how many objects and arrays it stands in, by which its lines are indented.
    package func bytes(_ layout: Layout = .compact, level: Int = 0) -> [UInt8] {
        var writer = JSONWriter(layout: layout)
        writer.write(self, level: level)
        return writer.bytes
    }

    package func text(_ layout: Layout = .compact) -> String { String(decoding: bytes(layout), as: UTF8.self) }
}
