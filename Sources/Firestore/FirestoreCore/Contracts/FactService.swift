// SPDX-License-Identifier: Apache-2.0

/// Small values that a database stores beside its documents, each under a key chosen by its user: for example, which bundles
/// were loaded and which queries they named. The embedded engine conforms.
package protocol FactService: Sendable {
    func fact(_ key: String) async throws(FirestoreError) -> ByteSlice?

    /// Stores a value under a key, replacing the previous one; nil removes it. Durable when it returns.
    func setFact(_ key: String, _ value: ByteSlice?) async throws(FirestoreError)
}
