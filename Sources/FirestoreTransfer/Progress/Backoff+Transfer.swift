// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Backoff {
    /// Between attempts of an import or export. They wait alone, so their delays do not vary.
    static var transfer: Backoff { Backoff(first: .milliseconds(250), factor: 2, longest: .seconds(16), jitter: 0) }
}
