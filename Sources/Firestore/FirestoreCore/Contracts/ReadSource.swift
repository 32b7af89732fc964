// SPDX-License-Identifier: Apache-2.0

/// Where a client reads.
package enum ReadSource: Sendable, Hashable {
    /// The authority, or the cache when the authority cannot be reached.
    case `default`
    /// The authority only.
    case server
    /// The cache only.
    case cache
}
