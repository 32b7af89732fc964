// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

package struct DatabaseCopy: Sendable, Equatable {
    /// The commit whose state it shows: the last one before it was complete.
    package let time: DocumentVersion
    package let documents: Int
    package let bytes: Int64

    package init(time: DocumentVersion, documents: Int, bytes: Int64) {
        self.time = time
        self.documents = documents
        self.bytes = bytes
    }
}
