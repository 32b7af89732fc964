// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The changes of one step of a view: at most one per document (LS-47).
struct ChangeSet {
    private var changes: [DocumentKey: SyncChange] = [:]

    var isEmpty: Bool { changes.isEmpty }

    /// `before`: the document as the view showed it before this change.
    mutating func track(_ kind: ViewChange.Kind, _ document: LocalDocument, before: Document?) {
        guard let earlier = changes[document.key] else {
            changes[document.key] = SyncChange(kind: kind, document: document, before: before)
            return
        }
        func become(_ kind: ViewChange.Kind, _ document: LocalDocument) {
            changes[document.key] = SyncChange(kind: kind, document: document, before: earlier.before)
        }
        switch (earlier.kind, kind) {
        case (.metadata, .added): break
        case (.metadata, _): become(kind, document)
        case (.removed, .metadata), (.removed, .modified): break
        case (_, .metadata), (.modified, .modified), (.added, .modified): become(earlier.kind, document)
        case (.added, .removed): changes[document.key] = nil
        // The listener knows the state before the modification.
        case (.modified, .removed): become(.removed, earlier.document)
        case (.removed, .added): become(.modified, document)
        case (.removed, .removed), (.added, .added), (.modified, .added): break
        }
    }

    /// In the order of delivery (LS-48).
    func sorted(by ordering: (LocalDocument, LocalDocument) -> Int) -> [SyncChange] {
        changes.values.sorted { left, right in
            let (leftRank, rightRank) = (Self.rank(left.kind), Self.rank(right.kind))
            return leftRank == rightRank ? ordering(left.document, right.document) < 0 : leftRank < rightRank
        }
    }

    private static func rank(_ kind: ViewChange.Kind) -> Int {
        switch kind {
        case .removed: 0
        case .added: 1
        case .modified, .metadata: 2
        }
    }
}
