// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Spaces the objects that a server stores, for all of its databases, in the order in which they ask.
package actor ArchiveTraffic {
    private let spacing: Duration
    private var next: ContinuousClock.Instant?

    init(objectsPerSecond: Int) { spacing = .seconds(1) / max(1, objectsPerSecond) }

    /// Returns when the next object may be stored. Does not wait if few were stored lately.
    func turn() async {
        let now = ContinuousClock.now
        // A second's worth may be stored together.
        let earliest = max(next ?? now, now - .seconds(1))
        next = earliest + spacing
        if earliest > now { try? await Task.sleep(until: earliest) }
    }
}
