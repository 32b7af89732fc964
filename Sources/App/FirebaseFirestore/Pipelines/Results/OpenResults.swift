// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The sequences of results that are being read. The end of their instance ends them: a slow reader must not delay it.
final class OpenResults: Sendable {
    private let handoffs = Mutex<[ObjectIdentifier: PageHandoff]>([:])

    func begin(_ handoff: PageHandoff) { handoffs.withLock { $0[ObjectIdentifier(handoff)] = handoff } }

    func end(_ handoff: PageHandoff) { _ = handoffs.withLock { $0.removeValue(forKey: ObjectIdentifier(handoff)) } }

    func endAll(_ error: FirestoreError) {
        let all = handoffs.withLock { handoffs in
            defer { handoffs = [:] }
            return Array(handoffs.values)
        }
        for handoff in all { handoff.finish(.failure(error.publicError)) }
    }
}
