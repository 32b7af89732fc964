// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

/// The kind of change of a document in the result of a query.
@frozen
public enum DocumentChangeType: Int, Sendable {
    /// It is new in the result.
    case added = 0
    /// It has new data, and possibly a new position.
    case modified = 1
    /// It is no longer in the result.
    case removed = 2
}

/// The change of one document between two results of a query.
public final class DocumentChange: NSObject, Sendable {
    /// The kind of change.
    public let type: DocumentChangeType
    /// The document; its last known state if it was removed.
    public let document: QueryDocumentSnapshot
    /// The position before the change; `UInt(NSNotFound)` for an added document.
    public let oldIndex: UInt
    /// The position after the change; `UInt(NSNotFound)` for a removed document.
    public let newIndex: UInt

    init(_ change: ViewChange, document: QueryDocumentSnapshot) {
        type =
            switch change.kind {
            case .added: .added
            case .modified, .metadata: .modified
            case .removed: .removed
            }
        self.document = document
        oldIndex = UInt(change.oldIndex ?? NSNotFound)
        newIndex = UInt(change.newIndex ?? NSNotFound)
        super.init()
    }

    /// Equal when kind, document and positions are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? DocumentChange else { return false }
        return type == other.type && document == other.document && oldIndex == other.oldIndex
            && newIndex == other.newIndex
    }

    /// Combines kind and document.
    public override var hash: Int { Hasher.hash(type, document) }

    /// Kind and path.
    public override var description: String { "<DocumentChange: \(type) \(document.reference.path)>" }
}
