import FirestoreCore
import FirestoreEngine

/// What one run of `hearth check` came to.
struct CheckResult {
    /// As the user wrote it.
    let path: String
    /// The state in the end.
    let inspection: DatabaseInspection
    /// The state before the repair, if there was one.
    var before: DatabaseInspection?
    /// What the repair did.
    var repaired: [String] = []
}

/// Tells the user about it.
protocol CheckOutput {
    func show(_ result: CheckResult)
    func show(_ error: FirestoreError, of path: String)
}
