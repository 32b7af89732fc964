// SPDX-License-Identifier: Apache-2.0

/// How often what is archived, and for how long it stays.
package struct ArchivePolicy: Sendable {
    /// Commits are gathered for this long.
    package var interval = Duration.seconds(1)
    /// Time between two copies of a database that is written.
    package var baseInterval = Duration.seconds(86_400)
    /// A copy is made after this many bytes of journal; nil for the size of the database, and at least 64 MiB.
    package var baseBytes: Int?
    /// How far back moments can be restored.
    package var keep = Duration.seconds(7 * 86_400)
    /// The most objects that a server stores in a second, for all databases.
    package var objectsPerSecond = 50
    /// The size of a piece of a copy, before it is compressed.
    package var partBytes = 16 << 20
    /// The most that pieces of the journal have when they are gathered in one object.
    package var gatheredBytes = 32 << 20
    /// Whether a database accepts no writes once another server has taken over its archive.
    package var isRequired = false
    /// Whether a database that the archive knows is begun anew where it is missing. Otherwise it is refused: its disk may not be mounted.
    package var beginsAnew = false
    /// Whether each archive is read as a whole once a week.
    package var isVerified = false

    package init() {}
}

extension Duration {
    package var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
