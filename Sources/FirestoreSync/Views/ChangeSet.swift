// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The changes of one step of a view: at most one per document (LS-47).
struct ChangeSet {
    private var changes: [DocumentKey: SyncChange] = [:]

    var isEmpty: Bool { changes.isEmpty }

    mutating func track(_ kind: ViewChange.Kind, _ document: LocalDocument) {
        guard let earlier = changes[document.key] else {
            changes[document.key] = SyncChange(kind: kind, document: document)
            return
        }
        switch (earlier.kind, kind) {
        case (.metadata, .added): break
        case (.metadata, _): changes[document.key] = SyncChange(kind: kind, document: document)
        case (.removed, .metadata), (.removed, .modified): break
        case (_, .metadata): changes[document.key] = SyncChange(kind: earlier.kind, document: document)
        case (.modified, .modified), (.added, .modified): changes[document.key] = SyncChange(kind: earlier.kind, document: document)
        case (.added, .removed): changes[document.key] = nil
        // The listener knows the state before the modification.
        case (.modified, .removed): changes[document.key] = SyncChange(kind: .removed, document: earlier.document)
        case (.removed, .added): changes[document.key] = SyncChange(kind: .modified, document: document)
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
