import FirestoreCore
public import Foundation

/// What happened to a document in the result of a query.
@frozen
public enum DocumentChangeType: Int, Sendable {
    /// It is new in the result.
    case added = 0
    /// It has new data, and possibly a new place.
    case modified = 1
    /// It is not in the result any more.
    case removed = 2
}

/// How one document made a result differ from the one before.
public final class DocumentChange: NSObject, Sendable {
    /// What happened.
    public let type: DocumentChangeType
    /// The document; its last known state when removed.
    public let document: QueryDocumentSnapshot
    /// The place before the change; `UInt(NSNotFound)` for an added document.
    public let oldIndex: UInt
    /// The place after the change; `UInt(NSNotFound)` for a removed document.
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

    /// Equal when kind, document and places are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? DocumentChange else { return false }
        return type == other.type && document == other.document && oldIndex == other.oldIndex
            && newIndex == other.newIndex
    }

    /// Combines kind and document.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(document)
        return hasher.finalize()
    }

    /// Kind and path.
    public override var description: String { "<DocumentChange: \(type) \(document.reference.path)>" }
}
