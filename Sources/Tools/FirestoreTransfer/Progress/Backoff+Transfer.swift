// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension Backoff {
    /// Between attempts of an import or export. They wait alone, so their delays do not vary.
    package static var transfer: Backoff { Backoff(first: .milliseconds(250), factor: 2, longest: .seconds(16), jitter: 0) }
}
