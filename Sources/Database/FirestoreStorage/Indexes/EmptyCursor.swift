// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A cursor without entries.
package final class EmptyCursor: IndexCursor {
    package init() {}

    package func next() throws(FirestoreError) -> Bool { false }
    package func seek(_ key: [UInt8]) throws(FirestoreError) {}
    package var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
    package var document: DocumentHandle { DocumentHandle(0) }
}
