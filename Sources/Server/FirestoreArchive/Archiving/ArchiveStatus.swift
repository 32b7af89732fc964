// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// How far the archive of a database is.
package struct ArchiveStatus: Sendable {
    /// The last commit in the archive.
    package var through = DocumentVersion.none
    /// When a commit was first seen that the archive does not have yet, in microseconds; nil if there is none.
    package var waitingSince: Int64?
    /// Whether everything that was committed when the database was opened is archived.
    package var isCurrent = false
    package var lastBase: DocumentVersion?
    package var lastVerified: DocumentVersion?
    /// What the last check has found; empty if the archive was sound, or was not checked.
    package var damage: [String] = []
    package var failures = 0
    /// When it was last seen that the last copy and the last piece of the journal are in the archive, in microseconds.
    package var lastSeen: Int64?
    /// Since when they are not seen; nil if they were when they were looked for.
    package var unseenSince: Int64?
    /// Whether the archive has lost them, and has no new copy yet.
    package var isLost = false
    /// Why it does not proceed; nil if it does.
    package var problem: String?
    /// Why this process archives nothing until it is started again; nil if it does.
    package var end: ArchivingEnd?

    package var isEnded: Bool { end != nil }

    /// In seconds.
    package func lag(now: Int64) -> Double {
        [waitingSince, unseenSince].compactMap(\.self).min().map { Double(max(0, now - $0)) / 1_000_000 } ?? 0
    }
}
