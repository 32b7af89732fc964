// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A field path prepared for lookups: its names as UTF-8 bytes.
package struct CompiledPath: Sendable {
    private let first: ByteSlice
    private let rest: [ByteSlice]
    package let isDocumentID: Bool

    package init(_ path: FieldPathSegments) {
        let names = path.segments.map { ByteSlice(Array($0.utf8)) }
        first = names.first ?? .empty
        rest = Array(names.dropFirst())
        isDocumentID = path.isDocumentID
    }

    /// The value in the fields, if there is one; no other value is read.
    package func value(in fields: FieldsView) -> ValueView? {
        var value = first.withUnsafeBytes { fields[$0] }
        for name in rest {
            guard let inner = value?.fields else { return nil }
            value = name.withUnsafeBytes { inner[$0] }
        }
        return value
    }
}

/// The operand of a comparison with a document key: a reference, resolved once.
enum KeyOperand: Sendable {
    case key(DocumentKey)
    /// Not a reference into this database: every key compares in the same way.
    case outside(order: Int)

    init(_ operand: ValueView, database: DatabaseID) {
        if let bytes = operand.referenceBytes, let reference = ReferenceName(bytes), reference.isIn(database) {
            self = .key(reference.key)
        } else {
            // Any document of this database represents all of them.
            let sample = ValueBytes(.reference(database.documentsPrefix + "c/d"))
            defer { withExtendedLifetime(sample) {} }
            let order = ValueOrdering.compare(sample.view, operand)
            self = .outside(order: order == 0 ? 1 : order)
        }
    }

    /// Compares `key` with the operand, in `__name__` order.
    func compare(_ key: DocumentKey) -> Int {
        switch self {
        case .key(let operand): PathOrdering.compare(key.path, operand.path)
        case .outside(let order): order
        }
    }
}
