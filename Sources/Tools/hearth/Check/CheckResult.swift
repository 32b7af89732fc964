// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine

/// The result of one run of `hearth check`.
struct CheckResult {
    /// The path as the user wrote it.
    let path: String
    /// The state at the end.
    let inspection: DatabaseInspection
    /// The state before the repair, if there was one.
    var before: DatabaseInspection?
    /// The changes that the repair made.
    var repaired: [String] = []
}

/// Shows the result to the user.
protocol CheckOutput {
    func show(_ result: CheckResult)
    func show(_ error: FirestoreError, of path: String)
}
