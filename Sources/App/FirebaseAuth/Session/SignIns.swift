// SPDX-License-Identifier: Apache-2.0
import FirebaseCore

/// The sign-ins in progress, and the callers that wait for their end.
struct SignIns {
    private(set) var count = 0
    private var observations = Observations()
    /// The anonymous sign-in in flight, which concurrent callers share.
    var anonymous: Task<Result<SignedIn, AuthFailure>, Never>?

    mutating func add(_ observation: TokenObservation) { observations.add(observation) }

    /// A sign-in begins, or has ended. Returns the observers to notify: when the first begins, and when the last ends.
    mutating func change(by change: Int) -> [TokenObservation] {
        let wasSigningIn = count > 0
        count += change
        return wasSigningIn == (count > 0) ? [] : observations.living()
    }
}
