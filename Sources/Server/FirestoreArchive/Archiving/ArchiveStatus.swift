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
    /// Why it does not proceed; nil if it does.
    package var problem: String?
    /// Whether another server has taken over: this one archives nothing until it is started again.
    package var isEnded = false

    /// In seconds.
    package func lag(now: Int64) -> Double { waitingSince.map { Double(max(0, now - $0)) / 1_000_000 } ?? 0 }
}
