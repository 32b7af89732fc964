// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
package import FirestoreCore
import Foundation

/// A row of the result of a pipeline.
public struct PipelineResult: Sendable {
    /// The document that the row comes from; nil for rows of groups and projections, and for documents of other databases.
    public let ref: DocumentReference?
    /// When the document was created; nil for a row without times.
    public let createTime: Timestamp?
    /// When the document was last changed; nil for a row without times.
    public let updateTime: Timestamp?
    let fields: FieldBytes
    let firestore: Firestore

    package init(_ row: PipelineRow, firestore: Firestore) {
        ref = row.name.flatMap { DocumentKey(name: $0, in: firestore.databaseID) }.map { DocumentReference(key: $0, firestore: firestore) }
        createTime = row.createTime?.publicTime
        updateTime = row.updateTime?.publicTime
        fields = row.fields
        self.firestore = firestore
    }

    /// The id of the document; nil where ``ref`` is nil.
    public var id: String? { ref?.documentID }

    /// All fields. A null is nil, one inside a map or an array `NSNull`.
    ///
    /// Numbers and booleans are `NSNumber`s, so that `as? Int`, `as? Double` and `as? Bool` all work; times are `Timestamp`s. Each call
    /// builds the whole dictionary; to get typed values use ``data(as:decoder:)``.
    public var data: [String: (any Sendable)?] {
        defer { withExtendedLifetime(fields) {} }
        let builder = AnyValueBuilder(firestore: firestore)
        var result: [String: (any Sendable)?] = [:]
        for (name, value) in fields.view { result.updateValue(value.nullable(builder), forKey: String(decoding: name, as: UTF8.self)) }
        return result
    }

    /// One field, given in dotted notation; nil if it is null or missing, or if the name is not a field path.
    public func get(_ fieldName: String) -> (any Sendable)? { get(Field(fieldName)) }

    /// One field, given by its path; nil if it is null or missing. `FieldPath.documentID()` is ``ref``.
    public func get(_ fieldPath: FieldPath) -> (any Sendable)? { get(Field(fieldPath)) }

    /// One field; nil if it is null or missing. `Field(FieldPath.documentID())` is ``ref``.
    public func get(_ field: Field) -> (any Sendable)? {
        guard let path = try? field.path.get() else { return nil }
        if path.isDocumentID { return ref }
        defer { withExtendedLifetime(fields) {} }
        return fields.view[path].flatMap { $0.nullable(AnyValueBuilder(firestore: firestore)) }
    }
}

extension ValueView {
    fileprivate func nullable(_ builder: AnyValueBuilder) -> (any Sendable)? { isNull ? nil : builder.sendableObject(self) }
}

extension PipelineResult: CustomStringConvertible {
    /// The path of the document, if there is one.
    public var description: String { "<PipelineResult\(ref.map { ": \($0.path)" } ?? "")>" }
}
