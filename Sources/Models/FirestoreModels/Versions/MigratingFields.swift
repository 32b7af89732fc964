// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore
import FirestoreSchema

/// The fields of a document while it is migrated: every value exactly as it is stored.
///
/// A `String` names a field as a dotted path, a `FieldPath` takes names literally. Methods that find something in the way do not stop
/// the closure; the migration of the document fails when it returns.
///
/// Beyond the Apple SDK.
public struct MigratingFields: Sendable {
    var map: FieldMap
    /// The first error of a method that does not throw.
    private(set) var error: FirestoreError?
    /// The instance to which references among the values belong; nil for data without a document.
    private let firestore: Firestore?

    init(_ map: FieldMap, of firestore: Firestore?) {
        self.map = map
        self.firestore = firestore
    }

    /// The names of the top-level fields, sorted by their bytes.
    public var names: [String] { map.entries.map(\.name) }

    /// The value of a field, nil if there is none. Setting nil removes the field; setting a value creates missing maps.
    public subscript(field: String) -> FirestoreValue? {
        get { self[FieldPath(dotted: field)] }
        set { self[FieldPath(dotted: field)] = newValue }
    }

    /// The value of a field, nil if there is none. Setting nil removes the field; setting a value creates missing maps.
    public subscript(field: FieldPath) -> FirestoreValue? {
        get {
            guard let path = try? field.segments.get(), let value = map[path] else { return nil }
            return try? publicValue(value)
        }
        set {
            attempt { (fields) throws(FirestoreError) in
                let path = try field.segments.get()
                guard let newValue else { return fields[path] = nil }
                try FieldEdit.set(try newValue.stored(), at: path, in: &fields)
            }
        }
    }

    /// Gives a field another name, within its map.
    ///
    /// Nothing happens if there is no such field. If there is a field of the new name already, that field is retained and the old one is
    /// removed: a newer program has written it.
    public mutating func rename(_ field: String, to name: String) {
        attempt { (fields) throws(FirestoreError) in
            let path = try PathCheck.fieldPath(dotted: field)
            let renamed = try PathCheck.fieldPath(segments: path.segments.dropLast() + [name])
            try Self.move(path, to: renamed, in: &fields)
        }
    }

    /// Moves a field to another place, into another map or out of one.
    ///
    /// Nothing happens if there is no such field. If there is a field at the new place already, that field is retained and the old one is
    /// removed.
    public mutating func move(_ field: String, to destination: String) {
        attempt { (fields) throws(FirestoreError) in
            try Self.move(try PathCheck.fieldPath(dotted: field), to: try PathCheck.fieldPath(dotted: destination), in: &fields)
        }
    }

    private static func move(
        _ source: FieldPathSegments, to destination: FieldPathSegments, in fields: inout FieldMap
    ) throws(FirestoreError) {
        let edit: FieldEdit = fields[destination] == nil || source == destination ? .move(source, to: destination) : .remove(source)
        if source != destination { try edit.apply(to: &fields) }
    }

    /// Sets a field that the document does not have. Null is a value: such a field is left unchanged.
    public mutating func setDefault(_ field: String, to value: FirestoreValue) {
        attempt { (fields) throws(FirestoreError) in
            try FieldEdit.setDefault(try PathCheck.fieldPath(dotted: field), ValueBytes(try value.stored())).apply(to: &fields)
        }
    }

    /// Removes a field.
    public mutating func remove(_ field: String) {
        attempt { (fields) throws(FirestoreError) in fields[try PathCheck.fieldPath(dotted: field)] = nil }
    }

    /// Replaces the value of a field by the result of a closure; nil removes the field. Nothing happens if there is no such field.
    public mutating func convert(_ field: String, _ body: (FirestoreValue) throws -> FirestoreValue?) throws {
        guard let value = self[field] else { return }
        self[field] = try body(value)
    }

    /// Converts the value of a field to another type, if that loses nothing; null stays null. Nothing happens if there is no such field.
    ///
    /// A value that cannot be converted, such as the text `many` to an integer, makes the migration of the document fail.
    public mutating func convert(_ field: String, to type: ConvertedType) {
        attempt { (fields) throws(FirestoreError) in
            try FieldEdit.convert(try PathCheck.fieldPath(dotted: field), to: type.conversion).apply(to: &fields)
        }
    }

    /// Splits a text into as many parts as there are names, and puts them into fields beside it; the field itself is removed.
    ///
    /// Nothing happens if there is no such field. A value that is not a text, or has another number of parts, makes the migration of
    /// the document fail.
    public mutating func split(_ field: String, at separator: String, into names: [String]) {
        attempt { (fields) throws(FirestoreError) in
            let path = try PathCheck.fieldPath(dotted: field)
            guard let value = fields[path] else { return }
            guard case .string(let text) = value, case let parts = text.split(separator: separator, omittingEmptySubsequences: false),
                parts.count == names.count
            else {
                throw FirestoreError(
                    .failedPrecondition, "the value is not a text of \(names.count) parts separated by \"\(separator)\"",
                    at: "field \(path.canonical)")
            }
            fields[path] = nil
            for (name, part) in zip(names, parts) {
                let place = try PathCheck.fieldPath(segments: path.segments.dropLast() + [name])
                try FieldEdit.set(.string(String(part)), at: place, in: &fields)
            }
        }
    }

    /// The types that ``convert(_:to:)`` knows.
    public enum ConvertedType: Sendable, Hashable {
        /// From a double without a fraction, or a text of digits. A negative zero, and texts such as `007` and `+7`, cannot be converted.
        case integer
        /// From an integer that a double can hold, or a text with a number as JSON writes it, if the double has all of its digits.
        case double
        /// From a number, a truth value, or a timestamp, which becomes an RFC 3339 text.
        case string
        /// From the texts `true` and `false`, or the integers 0 and 1.
        case boolean
        /// From an RFC 3339 text, if it has no more digits than microseconds have.
        case timestamp
        /// A timestamp from a number of seconds since 1970 with up to six digits after the point.
        case timestampFromSeconds
        /// A timestamp from a number of milliseconds since 1970 with up to three digits after the point.
        case timestampFromMilliseconds

        fileprivate var conversion: FieldConversion {
            switch self {
            case .integer: .integer
            case .double: .double
            case .string: .string
            case .boolean: .boolean
            case .timestamp: .timestamp
            case .timestampFromSeconds: .seconds
            case .timestampFromMilliseconds: .milliseconds
            }
        }
    }

    private mutating func attempt(_ change: (inout FieldMap) throws(FirestoreError) -> Void) {
        guard error == nil else { return }
        do throws(FirestoreError) {
            try change(&map)
        } catch {
            self.error = error
        }
    }

    private func publicValue(_ value: Value) throws -> FirestoreValue {
        try FirestoreValue(value) { name in
            guard let firestore else {
                throw FirestoreError(.failedPrecondition, "a reference needs a database; decode with the document's reference")
            }
            return DocumentReference(resourceName: name, firestore: firestore)
        }
    }
}
