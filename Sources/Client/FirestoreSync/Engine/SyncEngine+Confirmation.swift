// SPDX-License-Identifier: Apache-2.0

/// Reads that wait until the authority has reported the acknowledged writes that they show.
///
/// The report usually follows within milliseconds. It never comes if the document does not match the query with all its fields, and
/// nothing else changes in the target: therefore the wait ends after a time.
extension SyncEngine {
    private static let longestConfirmation = Duration.seconds(2)

    /// A listener has begun to wait. A later one may wait for less than the longest time.
    func awaitConfirmation() {
        guard !isConfirmationTimed else { return }
        isConfirmationTimed = true
        timers.start(.confirmation, after: Self.longestConfirmation)
    }

    /// Tells the listeners that still wait what is known.
    func endConfirmation() {
        isConfirmationTimed = false
        var hasRaised = false
        for listener in listeners.all where listener.awaitsConfirmation {
            listener.isConfirmationOverdue = true
            let raised = listener.conditionsChanged(online) {
                viewOfQuery[listener.target].flatMap { views[$0]?.view.allAsAdded } ?? []
            }
            hasRaised = hasRaised || raised
        }
        if hasRaised { snapshotsAreInSync() }
    }
}
