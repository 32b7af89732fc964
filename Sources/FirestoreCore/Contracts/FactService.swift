// SPDX-License-Identifier: Apache-2.0

/// Small things a database keeps beside its documents, each under a key of its owner's choosing: which bundles were
/// loaded, which queries they named. The embedded engine conforms.
package protocol FactService: Sendable {
    /// What was kept under a key.
    func fact(_ key: String) async throws(FirestoreError) -> ByteSlice?

    /// Keeps a value under a key in place of the one before; nil removes it. Durable when it returns.
    func setFact(_ key: String, _ value: ByteSlice?) async throws(FirestoreError)
}
