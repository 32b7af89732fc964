// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The events of a raw stream, as they came.
package final class StreamLog<Response: Sendable>: Sendable {
    private struct State {
        var responses: [Response] = []
        var ends: [FirestoreError?] = []
        var afterEnd = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func note(_ response: Response) {
        state.withLock { state in
            if state.ends.isEmpty { state.responses.append(response) } else { state.afterEnd += 1 }
        }
    }

    package func noteEnd(_ error: FirestoreError?) { state.withLock { $0.ends.append(error) } }

    package var responses: [Response] { state.withLock { $0.responses } }
    package var count: Int { state.withLock { $0.responses.count } }
    /// How the stream ended, once for each time it did.
    package var ends: [FirestoreError?] { state.withLock { $0.ends } }
    package var hasEnded: Bool { !ends.isEmpty }
    package var error: FirestoreError? { ends.first ?? nil }
    /// Events after the end, of which there must be none.
    package var afterEnd: Int { state.withLock { $0.afterEnd } }
}
