// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCoding
import FirestoreCore
import Foundation

/// Parses a `[String: Any]` of the public API: values become a tree, sentinels go to side lists.
///
/// Data that Firestore cannot store is an `invalidArgument` whose message names the field.
struct AnyValueParser {
    /// The meaning of a `FieldValue` at the current position.
    private enum SentinelRule {
        case collected
        case rejected(because: String)
    }

    /// References must belong to this database; nil if that is checked later.
    private let database: DatabaseID?
    private var sentinels = SentinelRule.collected
    /// Set if the values are to be decoded rather than stored; collects the reference objects among them.
    private var decoding: ReferenceObjects?
    /// The path of the current field; empty inside an array.
    var path: [String] = []
    private(set) var transforms: [FieldTransform] = []
    private(set) var deletions: [FieldPathSegments] = []

    init(database: DatabaseID?) { self.database = database }

    // MARK: Entry points

    /// Parses a value that is passed to a decoder: it is not stored, so names are not checked and nanoseconds are preserved.
    static func anything(_ value: Any, references: ReferenceObjects) throws(FirestoreError) -> Value {
        var parser = AnyValueParser(database: nil)
        parser.decoding = references
        parser.sentinels = .rejected(because: "a FieldValue cannot be decoded")
        guard let result = try parser.value(value, depth: 0) else {
            throw .invalidArgument("a FieldValue cannot be decoded")
        }
        return result
    }

    /// The operand of a filter or a column of a cursor.
    static func operand(_ value: Any, path: FieldPathSegments) throws(FirestoreError) -> Value {
        var parser = AnyValueParser(database: nil)
        parser.sentinels = .rejected(because: "a FieldValue cannot be used in a query")
        parser.path = path.segments
        guard let result = try parser.value(value, depth: 0) else {
            throw .invalidArgument("a FieldValue cannot be used in a query", at: "field \(path.canonical)")
        }
        return result
    }

    /// The operand list of `in` and similar operators; its elements may be arrays.
    static func operands(_ values: [Any], path: FieldPathSegments) throws(FirestoreError) -> Value {
        var result: [Value] = []
        for value in values { result.append(try operand(value, path: path)) }
        return .array(result)
    }

    /// A constant of a pipeline.
    static func constant(_ value: Any) throws(FirestoreError) -> Value {
        var parser = AnyValueParser(database: nil)
        let reason = "a FieldValue cannot be used in a pipeline"
        parser.sentinels = .rejected(because: reason)
        guard let result = try parser.value(value, depth: 0) else { throw .invalidArgument(reason) }
        return result
    }

    /// The elements of `arrayUnion` and `arrayRemove`.
    static func elements(_ values: [Any], of name: String) throws(FirestoreError) -> [Value] {
        var parser = AnyValueParser(database: nil)
        parser.sentinels = .rejected(because: "a FieldValue cannot be an element of FieldValue.\(name)")
        guard case .array(let elements)? = try parser.value(values, depth: 0) else { return [] }
        return elements
    }

    /// A path given as a dotted string or a `FieldPath`.
    static func fieldPath(_ value: Any) throws(FirestoreError) -> FieldPathSegments {
        if let path = value as? FieldPath { return try path.segments.get() }
        if let text = value as? String { return try PathCheck.fieldPath(dotted: text) }
        throw .invalidArgument("a field is named by a String or a FieldPath, not by a \(type(of: value))")
    }

    // MARK: Values

    private var place: String? {
        FieldPathSegments(checked: path).map { "field \($0.canonical)" }
    }

    private func rejection(_ message: String) -> FirestoreError { .invalidArgument(message, at: place) }

    mutating func map(_ entries: [String: Any], depth: Int) throws(FirestoreError) -> FieldMap {
        var result: [(String, Value)] = []
        result.reserveCapacity(entries.count)
        for (name, entry) in entries {
            if decoding == nil { try PathRules.checkName(name, in: path) }
            path.append(name)
            if let value = try value(entry, depth: depth + 1) { result.append((name, value)) }
            path.removeLast()
        }
        return FieldMap(result)
    }

    /// nil for a sentinel, which went to a side list.
    mutating func value(_ any: Any, depth: Int) throws(FirestoreError) -> Value? {
        // Also prevents a hostile dictionary from exhausting the stack. (DM-27)
        guard depth <= Limits.nestingLevels + 1 else {
            throw rejection("maps and arrays nest at most \(Limits.nestingLevels) levels deep")
        }
        switch any {
        case let text as String: return .string(text)
        case let number as NSNumber: return try scalar(number)
        case let number as CGFloat: return .double(Double(number))
        case let date as Date: return try timestamp(Timestamp(date: date))
        case let timestamp as Timestamp: return try self.timestamp(timestamp)
        case let data as Data: return .bytes([UInt8](data))
        case let array as [Any]: return .array(try elements(array, depth: depth))
        case let entries as [String: Any]: return .map(try map(entries, depth: depth))
        case let point as GeoPoint:
            let value = GeoPointValue(latitude: point.latitude, longitude: point.longitude)
            guard value.isValid else { throw rejection("a GeoPoint must lie within ±90 and ±180 degrees") }
            return .geoPoint(value)
        case let vector as VectorValue: return .vector(vector.array)
        case let reference as DocumentReference: return try self.reference(reference)
        case let sentinel as FieldValue:
            try collect(sentinel)
            return nil
        case is NSNull: return .null
        default:
            guard let optional = any as? any OptionalValue else {
                throw rejection("values of type \(type(of: any)) cannot be stored")
            }
            guard let wrapped = optional.wrapped else { return .null }
            return try value(wrapped, depth: depth)
        }
    }

    private mutating func elements(_ array: [Any], depth: Int) throws(FirestoreError) -> [Value] {
        let outside = sentinels
        if case .collected = sentinels {
            sentinels = .rejected(because: "a FieldValue cannot stand inside an array")  // WR-44
        }
        defer { sentinels = outside }
        var result: [Value] = []
        result.reserveCapacity(array.count)
        for element in array {
            guard let value = try value(element, depth: depth + 1) else { continue }
            if case .array = value, decoding == nil {
                throw rejection("an array cannot contain an array; put a map in between")
            }
            result.append(value)
        }
        return result
    }

    private func scalar(_ number: NSNumber) throws(FirestoreError) -> Value {
        switch number.content {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let integer): return .integer(integer)
        case .double(let double): return .double(double)
        case .unsigned(let number): throw rejection("the integer \(number) is above Int64.max and cannot be stored")
        }
    }

    private func timestamp(_ timestamp: Timestamp) throws(FirestoreError) -> Value {
        let value = TimestampValue(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
        guard value.isValid else { throw rejection("a timestamp must lie within the years 1 to 9999") }  // VAL-21
        return .timestamp(decoding == nil ? value.truncatedToMicroseconds : value)
    }

    private func reference(_ reference: DocumentReference) throws(FirestoreError) -> Value {
        let target = reference.firestore.databaseID
        if let database, target != database {
            throw rejection(
                "a reference must belong to the same database: this one is of "
                    + "\(target.projectID)/\(target.databaseID)")
        }
        do {
            let name = target.name(of: try reference.location.get())
            decoding?.add(reference, name: name)
            return .reference(name)
        } catch {
            throw rejection("the reference has an invalid path: \(error.message)")
        }
    }

    private mutating func collect(_ sentinel: FieldValue) throws(FirestoreError) {
        if case .rejected(let reason) = sentinels { throw rejection(reason) }
        guard let field = FieldPathSegments(checked: path) else { throw rejection("a FieldValue needs a field") }
        switch sentinel.operation {
        case .delete: deletions.append(field)
        case .invalid(let error): throw error.located(at: "field \(field.canonical)")
        case .transform(let kind):
            if let database { try PathRules.checkReferences(in: kind, database: database, field: field) }
            transforms.append(FieldTransform(path: field, kind: kind))
        }
    }
}

extension FieldValue {
    /// An operation on elements, which are checked when it is used.
    convenience init(elements: [Any], name: String, kind: ([Value]) -> FieldTransform.Kind) {
        do {
            self.init(.transform(kind(try AnyValueParser.elements(elements, of: name))), name: name)
        } catch {
            self.init(.invalid(error), name: name)
        }
    }
}

/// Unwraps an optional inside an `Any`: `nil as String?` in a dictionary means null, as on Apple platforms.
protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { self }
}
