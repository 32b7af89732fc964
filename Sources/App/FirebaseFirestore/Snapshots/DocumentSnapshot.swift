// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
package import FirestoreCore
public import Foundation

/// A document at one moment, whether it exists or not.
///
/// A snapshot contains all fields; accessing them reads nothing. Two snapshots are equal when they show the same
/// document with the same data and metadata.
///
/// `@unchecked Sendable`, because there are subclasses: every stored property is a constant of a `Sendable` type.
public class DocumentSnapshot: NSObject, @unchecked Sendable {
    /// The reference of the document.
    public let reference: DocumentReference
    /// Whether the snapshot comes from a cache, or shows writes that are not acknowledged yet.
    public let metadata: SnapshotMetadata
    /// nil if the document does not exist.
    package let document: Document?
    /// Whether the document may contain server timestamps that are not known yet. Only then they are searched for.
    private let mayHavePendingTimestamps: Bool

    /// `mayHavePendingTimestamps` is nil for the usual case: only documents with pending writes have such timestamps.
    package init(
        reference: DocumentReference, document: Document?, metadata: SnapshotMetadata, mayHavePendingTimestamps: Bool? = nil
    ) {
        self.reference = reference
        self.document = document
        self.metadata = metadata
        self.mayHavePendingTimestamps = mayHavePendingTimestamps ?? metadata.hasPendingWrites
        super.init()
    }

    /// The fields with a plain value in place of server timestamps that are not known yet; nil if the document does not exist.
    func fields(_ behavior: ServerTimestampBehavior) -> FieldBytes? {
        guard mayHavePendingTimestamps else { return document?.fields }
        let behavior = behavior == .none ? reference.firestore.settingsValues.serverTimestamps : behavior
        return document?.fields.reading(pendingTimestampsAs: behavior.reading)
    }

    /// The fields as `data()` shows them; nil if the document does not exist.
    package var fieldBytes: FieldBytes? { fields(.none) }

    /// Whether the document exists.
    public var exists: Bool { document != nil }

    /// The document's id: the last segment of its path.
    public var documentID: String { reference.documentID }

    /// All fields; nil if the document does not exist.
    ///
    /// Numbers and booleans are `NSNumber`s, so that `as? Int`, `as? Double` and `as? Bool` all work; times are
    /// `Timestamp`s. Each call builds the whole dictionary; to get typed values use ``data(as:with:decoder:)``.
    public func data() -> [String: Any]? { dictionary(.none) }

    /// All fields; nil if the document does not exist.
    ///
    /// `serverTimestampBehavior` selects the value of server timestamps that are not known yet.
    public func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any]? {
        dictionary(serverTimestampBehavior)
    }

    fileprivate func dictionary(_ behavior: ServerTimestampBehavior) -> [String: Any]? {
        fields(behavior).map { fields in
            defer { withExtendedLifetime(fields) {} }
            return AnyValueBuilder(firestore: reference.firestore).dictionary(fields.view)
        }
    }

    /// One field, given as a dotted `String` or a `FieldPath`; nil if it is missing or the name is not a field path.
    ///
    /// A server timestamp that is not known yet is null, or what `settings.serverTimestamps` says.
    public func get(_ field: Any) -> Any? { get(field, serverTimestampBehavior: .none) }

    /// One field, given as a dotted `String` or a `FieldPath`; nil if it is missing or the name is not a field path.
    ///
    /// `serverTimestampBehavior` selects the value of server timestamps that are not known yet.
    public func get(_ field: Any, serverTimestampBehavior: ServerTimestampBehavior) -> Any? {
        guard exists, let path = try? AnyValueParser.fieldPath(field) else { return nil }
        if path.isDocumentID { return reference }
        guard let fields = fields(serverTimestampBehavior) else { return nil }
        defer { withExtendedLifetime(fields) {} }
        return fields.view[path].map { AnyValueBuilder(firestore: reference.firestore).object($0) }
    }

    /// One field, given as a dotted `String` or a `FieldPath`; nil if it is missing.
    public subscript(key: Any) -> Any? { self.get(key) }

    /// Equal when document, data and metadata are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? DocumentSnapshot else { return false }
        return reference == other.reference && document?.fields == other.document?.fields && metadata == other.metadata
    }

    /// Combines document and data.
    public override var hash: Int { Hasher.hash(reference, document?.fields) }

    /// Path and existence.
    public override var description: String {
        "<DocumentSnapshot: \(reference.path)\(exists ? "" : " (missing)")>"
    }
}

/// A document in the result of a query. It exists, so its data is never nil.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {
    init(document: Document, firestore: Firestore, metadata: SnapshotMetadata, mayHavePendingTimestamps: Bool? = nil) {
        super.init(
            reference: DocumentReference(key: document.key, firestore: firestore), document: document,
            metadata: metadata, mayHavePendingTimestamps: mayHavePendingTimestamps)
    }

    /// All fields. Numbers and booleans are `NSNumber`s; times are `Timestamp`s.
    public override func data() -> [String: Any] { dictionary(.none) ?? [:] }

    /// All fields. `serverTimestampBehavior` selects the value of server timestamps that are not known yet.
    public override func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any] {
        dictionary(serverTimestampBehavior) ?? [:]
    }
}
