// SPDX-License-Identifier: Apache-2.0

/// Reads that wait until the authority has reported the acknowledged writes that they show.
///
/// The report usually follows within milliseconds. It never comes if the document does not match the query with all its fields, and
/// nothing else changes in the target: therefore the wait ends after a time.
final class ConfirmationFeature: SyncFeature {
    private static let longest = Duration.seconds(2)

    private weak var engine: SyncEngine?
    private var isTimed = false

    func attach(to engine: SyncEngine) {
        self.engine = engine
        isTimed = false
    }

    func handle(_ event: SyncEvent) {
        switch event {
        case .awaitsConfirmation:
            // A later listener may wait for less than the longest time.
            guard !isTimed else { return }
            isTimed = true
            engine?.timers.start(.confirmation, after: Self.longest)
        case .fired(.confirmation): end()
        default: break
        }
    }

    /// Shows the listeners that still wait what is known.
    private func end() {
        isTimed = false
        guard let engine else { return }
        let waiting = engine.listeners.all.filter(\.awaitsConfirmation)
        for listener in waiting { listener.isConfirmationOverdue = true }
        engine.conditionsChanged(of: waiting)
    }
}

extension SyncTimer {
    package static let confirmation = SyncTimer("confirmation")
}
