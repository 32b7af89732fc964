// SPDX-License-Identifier: Apache-2.0

/// A call of an archive, for schedules of faults.
package struct ArchiveCall: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable { case put, get, list, delete }

    package let kind: Kind
    /// The name of the object, or the prefix of the listing.
    package let name: String
    /// Counts all calls of the archive, from 1.
    package let number: Int
}
