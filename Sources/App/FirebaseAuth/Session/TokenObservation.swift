// SPDX-License-Identifier: Apache-2.0
import FirebaseCore

/// An observer in another product, notified of every change of the user or of the token until the observation is dropped.
final class TokenObservation: UserTokenObservation {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Observations that end when they are dropped.
struct Observations {
    private struct Entry {
        weak var observation: TokenObservation?
    }

    private var entries: [Entry] = []

    mutating func add(_ observation: TokenObservation) { entries.append(Entry(observation: observation)) }

    /// The ones that have not been dropped.
    mutating func living() -> [TokenObservation] {
        entries.removeAll { $0.observation == nil }
        return entries.compactMap(\.observation)
    }
}
