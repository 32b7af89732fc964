// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Limits the number of calls in flight that need a task: further calls are rejected, so that memory stays bounded for any number
/// of calls.
package final class CallAdmission: Sendable {
    package let maximum: Int
    private let count = Mutex(0)

    package init(maximum: Int = 10_000) { self.maximum = maximum }

    package func enter() throws(FirestoreError) {
        let isAdmitted = count.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
        guard isAdmitted else {
            throw FirestoreError(
                .resourceExhausted, "\(maximum) calls are under way, which is the most this server takes; try again later")
        }
    }

    package func leave() { count.withLock { $0 -= 1 } }

    package var current: Int { count.withLock { $0 } }
}
