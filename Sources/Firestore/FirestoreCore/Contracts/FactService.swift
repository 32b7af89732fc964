// SPDX-License-Identifier: Apache-2.0

/// Small values that a database stores beside its documents, each under a key chosen by its user: for example, which bundles
/// were loaded and which queries they named. The embedded engine conforms.
package protocol FactService: Sendable {
    func fact(_ key: String) async throws(FirestoreError) -> ByteSlice?

    /// Every value whose key begins with a prefix of ASCII, by key.
    func facts(below prefix: String) async throws(FirestoreError) -> [(key: String, value: ByteSlice)]

    /// Stores a value under a key, replacing the previous one; nil removes it. Durable when it returns.
    func setFact(_ key: String, _ value: ByteSlice?) async throws(FirestoreError)

    /// Replaces a value by what `change` makes of it, and returns that. Nothing comes between, also where other processes write the
    /// database; `change` may run again. Durable when it returns.
    @discardableResult
    func changeFact(
        _ key: String, _ change: @escaping @Sendable (ByteSlice?) throws(FirestoreError) -> ByteSlice?
    ) async throws(FirestoreError) -> ByteSlice?
}
