// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncEngine {
    /// Loads a bundle (LO-12).
    package func loadBundle(_ bytes: [UInt8]) throws(FirestoreError) { throw FirestoreError(.unimplemented, "") }
}
