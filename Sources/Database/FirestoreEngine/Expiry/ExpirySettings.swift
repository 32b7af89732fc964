// SPDX-License-Identifier: Apache-2.0

/// When a database deletes the documents that have expired.
package struct ExpirySettings: Sendable {
    /// Whether it does so by itself.
    package var isOn = true
    /// The longest time between two looks, in microseconds: a document that is written after a look expires by this much too late.
    package var interval: Int64 = 60_000_000
    /// nil for one that follows the clock of the database.
    package var clock: ExpiryClock?

    package init() {}

    /// The fact of a database that has policies.
    package static let policies = StoredPolicies.fact
}
