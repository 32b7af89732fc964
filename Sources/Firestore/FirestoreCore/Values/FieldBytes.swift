// SPDX-License-Identifier: Apache-2.0

/// The fields of one document: canonical bytes, the only form in which Hearth stores a document.
///
/// Canonical: entries sorted by the UTF-8 bytes of their names at every level, no duplicates, shortest varints, one NaN,
/// timestamps truncated to microseconds. Therefore two values are identical exactly if their bytes are.
public struct FieldBytes: Hashable, Sendable {
    public let bytes: ByteSlice

    /// Assumes that the bytes are canonical; check bytes from outside with `DocumentCheck` first.
    @inlinable public init(canonical bytes: ByteSlice) { self.bytes = bytes }

    package init(_ map: FieldMap) {
        var bytes: [UInt8] = []
        map.append(to: &bytes, tag: WireTag.documentEntry)
        self.bytes = ByteSlice(bytes)
    }

    public static let empty = FieldBytes(canonical: .empty)

    /// Borrowed: valid while `self` (or another holder of the bytes) lives.
    @inlinable public var view: FieldsView { FieldsView(bytes.buffer) }

    /// The fields as a tree, for code that is not performance-critical.
    package var map: FieldMap {
        get throws(FirestoreError) {
            defer { withExtendedLifetime(bytes) {} }
            return try FieldMap(view)
        }
    }
}

/// One encoded value that owns its bytes: a query operand, a transform operand, a cursor column.
public struct ValueBytes: Hashable, Sendable {
    public let bytes: ByteSlice

    @inlinable public init(canonical bytes: ByteSlice) { self.bytes = bytes }

    package init(_ value: Value) {
        var bytes: [UInt8] = []
        value.append(to: &bytes)
        self.bytes = ByteSlice(bytes)
    }

    /// Borrowed: valid while `self` lives.
    @inlinable public var view: ValueView { ValueView(bytes.buffer) }

    package var value: Value {
        get throws(FirestoreError) {
            defer { withExtendedLifetime(bytes) {} }
            return try Value(view)
        }
    }
}
