// SPDX-License-Identifier: Apache-2.0

/// The failures that an acknowledged write survives.
package enum Durability: Int, Sendable, Comparable {
    /// The end of the process. A power failure may lose the last commits; the remaining data is consistent.
    case relaxed
    /// The end of the process and a power failure: every commit is synced to the disk.
    case full

    package static func < (left: Durability, right: Durability) -> Bool { left.rawValue < right.rawValue }
}
