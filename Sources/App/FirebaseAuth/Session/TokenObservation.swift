// SPDX-License-Identifier: Apache-2.0
import FirebaseCore

/// An observer in another product, notified of every change of the user or of the token until the observation is dropped.
final class TokenObservation: UserTokenObservation {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

struct WeakObservation: Sendable {
    weak let observation: TokenObservation?
}
