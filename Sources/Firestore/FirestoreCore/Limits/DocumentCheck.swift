// SPDX-License-Identifier: Apache-2.0

/// Checks the bytes of a document in one pass: canonical form, names, nesting, values, size.
///
/// Bytes that pass are safe to store and to read without further checks. Called for every write, so it allocates nothing
/// unless something is wrong. Failures are `invalidArgument` and name the document and the field.
package enum DocumentCheck {
    /// The document's storage size (DM-23).
    @discardableResult
    package static func check(_ fields: FieldBytes, of key: DocumentKey) throws(FirestoreError) -> Int {
        let size: Int
        do {
            defer { withExtendedLifetime(fields) {} }
            size =
                try ValueWalk.entries(fields.bytes.buffer, tag: WireTag.documentEntry, level: 0)
                + StorageSize.name(of: key) + StorageSize.documentOverhead
        } catch {
            throw error.error(in: key.path)
        }
        guard size <= Limits.documentBytes else {
            throw .invalidArgument(
                "the document takes \(size) bytes and exceeds the maximum of \(Limits.documentBytes); split it",
                at: key.path)
        }
        return size
    }

    /// Whether `check` would accept the bytes. Returns false quickly, for callers that have another form of them to try.
    package static func passes(_ fields: FieldBytes, of key: DocumentKey) -> Bool {
        defer { withExtendedLifetime(fields) {} }
        do {
            let size = try ValueWalk.entries(fields.bytes.buffer, tag: WireTag.documentEntry, level: 0)
            return size + StorageSize.name(of: key) + StorageSize.documentOverhead <= Limits.documentBytes
        } catch { return false }
    }

    /// Checks a single value: a query operand, a cursor column, the operand of a transform.
    package static func check(_ value: ValueBytes, in place: @autoclosure () -> String) throws(FirestoreError) {
        do {
            defer { withExtendedLifetime(value) {} }
            _ = try ValueWalk.value(value.view, level: 0)
        } catch {
            throw error.error(in: place())
        }
    }
}

/// The storage sizes of names, and of values whatever they are (DM-23).
package enum StorageSize {
    static let documentOverhead = 32
    private static let nameOverhead = 16
    private static let numericIDBytes = 8

    package static func name(of key: DocumentKey) -> Int { PathCheck.withBytes(key.path, name(ofPath:)) }

    /// Every id with one additional byte, numeric ids 8 bytes, and 16 for the name.
    static func name(ofPath path: UnsafeRawBufferPointer) -> Int {
        var size = nameOverhead
        var start = 0
        while start <= path.count {
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
            let segment = UnsafeRawBufferPointer(rebasing: path[start..<end])
            size += PathOrdering.numericID(segment) == nil ? segment.count + 1 : numericIDBytes
            start = end + 1
        }
        return size
    }
    /// Also of values that documents do not have; 0 for damaged bytes.
    package static func value(_ view: ValueView) -> Int { value(view, level: 0) }

    private static func value(_ view: ValueView, level: Int) -> Int {
        // What rows of pipelines nest is bounded; damaged bytes must not exhaust the stack.
        guard level <= 4 * Limits.nestingLevels else { return 0 }
        switch view.kind {
        case .null, .boolean: return 1
        case .integer, .double, .timestamp: return 8
        case .geoPoint: return 16
        case .string: return (view.stringBytes?.count ?? 0) + 1
        case .bytes: return view.dataBytes?.count ?? 0
        case .reference: return view.referenceBytes.flatMap { ReferenceName($0) }.map { name(ofPath: $0.path) } ?? 0
        case .array: return view.elements?.reduce(0) { $0 + value($1, level: level + 1) } ?? 0
        case .map:
            if let components = view.vector { return 8 * components.count }
            return view.fields?.reduce(0) { $0 + $1.name.count + 1 + value($1.value, level: level + 1) } ?? 0
        case .malformed: return 0
        }
    }
}
