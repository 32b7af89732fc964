// SPDX-License-Identifier: Apache-2.0

/// Where a client looks for what is read.
package enum ReadSource: Sendable, Hashable {
    /// The authority, or the cache where it cannot be reached.
    case `default`
    /// The authority alone.
    case server
    /// The cache alone.
    case cache
}
