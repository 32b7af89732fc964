// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// One change of one document, for one trigger.
package struct ChangeEvent: Sendable {
    package let id: String
    package let kind: EventKind
    /// The time of the commit.
    package let time: DocumentVersion
    package let key: DocumentKey
    package let before: Document?
    package let after: Document?
    package let params: [String: String]

    package init(
        id: String, kind: EventKind, time: DocumentVersion, key: DocumentKey, before: Document?, after: Document?, params: [String: String]
    ) {
        self.id = id
        self.kind = kind
        self.time = time
        self.key = key
        self.before = before
        self.after = after
        self.params = params
    }

    /// About the size in memory.
    var bytes: Int { 300 + key.path.utf8.count + (before?.fields.bytes.count ?? 0) + (after?.fields.bytes.count ?? 0) }
}

extension CommittedChange {
    /// nil for a change without effect, such as that of a commit that creates and deletes a document.
    package var kind: EventKind? {
        switch (old, new) {
        case (nil, nil): nil
        case (nil, _?): .created
        case (_?, nil): .deleted
        case (let old?, let new?): old.fields == new.fields && old.updateTime == new.updateTime ? nil : .updated
        }
    }
}
