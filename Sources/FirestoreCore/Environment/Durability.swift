// SPDX-License-Identifier: Apache-2.0

/// What an acknowledged write survives.
package enum Durability: Int, Sendable, Comparable {
    /// The end of the process. After a power failure the last moments may be missing; what is there is consistent.
    case relaxed
    /// The end of the process and loss of power: every commit is forced to the disk.
    case full

    package static func < (left: Durability, right: Durability) -> Bool { left.rawValue < right.rawValue }
}
