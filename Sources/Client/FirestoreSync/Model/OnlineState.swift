// SPDX-License-Identifier: Apache-2.0

/// Whether the client believes that it reaches the authority (SY-113).
package enum OnlineState: Sendable, Hashable {
    /// It is being tried, or nothing needs the network.
    case unknown
    /// The server has answered on the Listen stream.
    case online
    /// An attempt has failed or takes too long, or the network is disabled. Reads are answered from the cache.
    case offline
}
