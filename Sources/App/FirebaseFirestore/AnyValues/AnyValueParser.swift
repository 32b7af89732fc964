// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

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
    /// The path of the current field; empty inside an array.
    var path: [String] = []
    private(set) var transforms: [FieldTransform] = []
    private(set) var deletions: [FieldPathSegments] = []

    init(database: DatabaseID?) { self.database = database }

    // MARK: Entry points

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
    static func elements(_ values: [Any], of name: String) throws(InvalidElements) -> [Value] {
        var parser = AnyValueParser(database: nil)
        parser.sentinels = .rejected(because: "a FieldValue cannot be an element of FieldValue.\(name)")
        do throws(FirestoreError) {
            guard case .array(let elements)? = try parser.value(values, depth: 0) else { return [] }
            return elements
        } catch {
            // The path of the field comes with the write; the parser stopped at what is below it.
            throw InvalidElements(error: FirestoreError(error.code, error.message), path: parser.path)
        }
    }

    /// A path given as a dotted string or a `FieldPath`.
    static func fieldPath(_ value: Any) throws(FirestoreError) -> FieldPathSegments {
        if let path = value as? FieldPath { return try path.segments.get() }
        if let text = value as? String { return try PathCheck.fieldPath(dotted: text) }
        if let text = value as? Substring { return try PathCheck.fieldPath(dotted: String(text)) }
        throw .invalidArgument("a field is named by a String or a FieldPath, not by a \(type(of: value))")
    }

    // MARK: Values

    private var place: String? {
        FieldPathSegments(checked: path).map { "field \($0.canonical)" }
    }

    private func rejection(_ message: String) -> FirestoreError { .invalidArgument(message, at: place) }

    private func located(_ error: FirestoreError) -> FirestoreError { place.map { error.located(at: $0) } ?? error }

    mutating func map(_ entries: [String: Any], depth: Int) throws(FirestoreError) -> FieldMap {
        var result: [(String, Value)] = []
        result.reserveCapacity(entries.count)
        for (name, entry) in entries {
            try PathRules.checkName(name, in: path)
            path.append(name)
            if let value = try value(entry, depth: depth + 1) { result.append((name, value)) }
            path.removeLast()
        }
        return FieldMap(result)
    }

    /// nil for a sentinel, which went to a side list.
    mutating func value(_ any: Any, depth: Int) throws(FirestoreError) -> Value? {
        do {
            try ScalarParser.checkDepth(depth)
            if let scalar = try ScalarParser(purpose: .stored(in: database)).value(any) { return scalar }
        } catch {
            throw located(error)
        }
        switch any {
        case let array as [Any]: return .array(try elements(array, depth: depth))
        case let entries as [String: Any]: return .map(try map(entries, depth: depth))
        case let entries as [Substring: Any]:
            let named = entries.map { (String($0.key), $0.value) }
            return .map(try map(Dictionary(named, uniquingKeysWith: { $1 }), depth: depth))
        case let sentinel as FieldValue:
            try collect(sentinel)
            return nil
        case let optional as any OptionalValue:
            guard let wrapped = optional.wrapped else { return .null }
            return try value(wrapped, depth: depth)
        default: throw located(UnstorableValue.error(any))
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
            if case .array = value {
                throw rejection("an array cannot contain an array; put a map in between")
            }
            result.append(value)
        }
        return result
    }

    private mutating func collect(_ sentinel: FieldValue) throws(FirestoreError) {
        if case .rejected(let reason) = sentinels { throw rejection(reason) }
        guard let field = FieldPathSegments(checked: path) else { throw rejection("a FieldValue needs a field") }
        switch sentinel.operation {
        case .delete: deletions.append(field)
        case .invalid(let elements): throw elements.located(below: field)
        case .transform(let kind):
            if let database { try PathRules.checkReferences(in: kind, database: database, field: field) }
            transforms.append(FieldTransform(path: field, kind: kind))
        }
    }
}

extension FieldValue {
    /// An operation on elements, which are checked when it is used.
    convenience init(elements: [Any], name: String, kind: ([Value]) -> FieldTransform.Kind) {
        do throws(InvalidElements) {
            self.init(.transform(kind(try AnyValueParser.elements(elements, of: name))), name: name)
        } catch {
            self.init(.invalid(error), name: name)
        }
    }
}

/// Elements of `arrayUnion` or `arrayRemove` that cannot be stored.
package struct InvalidElements: Error {
    /// Without a location.
    let error: FirestoreError
    /// Where, inside of an element.
    let path: [String]

    /// The error of a write that uses them in a field.
    func located(below field: FieldPathSegments) -> FirestoreError {
        error.located(at: "field \(FieldPathSegments(field.segments + path).canonical)")
    }
}
