// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// About how much was added to a change log, minute by minute, since it reaches back.
///
/// Counted here, because measuring the table would mean to read it.
struct LogVolume {
    private static let minute: Int64 = 60_000_000
    /// A log reaches back an hour, and a day more for readers that are behind.
    private static let maximumParts = 26 * 60

    /// By minute, ascending.
    private var parts: [(minute: Int64, bytes: Int)] = []
    private(set) var bytes = 0
    /// The log has nothing before this moment; nil before it was first cut.
    private(set) var start: DocumentVersion?

    mutating func add(_ added: Int, now: Int64) {
        guard added > 0 else { return }
        bytes += added
        // A clock that is set back adds to the last minute.
        let minute = max(now / Self.minute, parts.last?.minute ?? 0)
        if let last = parts.indices.last, parts[last].minute == minute {
            parts[last].bytes += added
        } else {
            parts.append((minute, added))
            // Where another process cuts the log.
            if parts.count > Self.maximumParts { bytes -= parts.removeFirst().bytes }
        }
    }

    mutating func cut(at horizon: DocumentVersion) {
        start = max(start ?? .none, horizon)
        let gone = parts.prefix { ($0.minute + 1) * Self.minute <= horizon.microseconds }
        bytes -= gone.reduce(0) { $0 + $1.bytes }
        parts.removeFirst(gone.count)
    }
}

extension CommittedChanges {
    /// About the size of its entries in the change log: the states before it.
    var logBytes: Int { changes.reduce(0) { $0 + 60 + $1.key.id.utf8.count + ($1.old?.fields.bytes.count ?? 0) } }
}
