// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The change of a commit to one document; nil means that it does not exist.
package struct CommittedChange: Sendable {
    package let key: DocumentKey
    package let old: Document?
    package let new: Document?

    package init(key: DocumentKey, old: Document?, new: Document?) {
        self.key = key
        self.old = old
        self.new = new
    }
}

/// The changes of one commit: the input of every watch.
package struct CommittedChanges: Sendable {
    package let time: DocumentVersion
    /// One per changed document, in the order of the writes.
    package let changes: [CommittedChange]

    package init(time: DocumentVersion, changes: [CommittedChange]) {
        self.time = time
        self.changes = changes
    }
}
