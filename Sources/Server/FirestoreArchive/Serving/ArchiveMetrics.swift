// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreCore

/// The metrics of archives, of at most 50 databases: those that are furthest behind.
final class ArchiveMetrics: Sendable {
    private static let most = 50
    /// The failures that were counted.
    private let failures = Mutex<[DatabaseID: Int]>([:])

    func show(_ statuses: [(database: DatabaseID, status: ArchiveStatus)], now: Int64) {
        let sorted = statuses.sorted { $0.status.lag(now: now) > $1.status.lag(now: now) }
        for (database, status) in sorted.prefix(Self.most) {
            show(status, of: Self.labels(database), now: now)
            count(status.failures, of: database)
        }
        let others = sorted.dropFirst(Self.most)
        guard !others.isEmpty else { return }
        let lag = others.map { $0.status.lag(now: now) }.max() ?? 0
        Gauge(label: "hearth_archive_lag_seconds", dimensions: [("project", "other"), ("database", "other")]).record(lag)
    }

    /// Adds what was not counted yet. The count of a database begins anew when it is opened.
    private func count(_ failures: Int, of database: DatabaseID) {
        let more = self.failures.withLock { counted in
            let before = counted.updateValue(failures, forKey: database) ?? 0
            return failures < before ? failures : failures - before
        }
        Counter(label: "hearth_archive_failed_total", dimensions: Self.labels(database)).increment(by: more)
    }

    private static func labels(_ database: DatabaseID) -> [(String, String)] {
        [("project", database.projectID), ("database", database.databaseID)]
    }

    private func show(_ status: ArchiveStatus, of labels: [(String, String)], now: Int64) {
        func record(_ name: String, _ value: Double) { Gauge(label: name, dimensions: labels).record(value) }
        record("hearth_archive_lag_seconds", status.lag(now: now))
        record("hearth_archive_ended", status.isEnded ? 1 : 0)
        record("hearth_archive_lost", status.isLost ? 1 : 0)
        if let seen = status.lastSeen { record("hearth_archive_last_seen_time", Self.seconds(DocumentVersion(microseconds: seen))) }
        if let base = status.lastBase { record("hearth_archive_last_base_time", Self.seconds(base)) }
        if let verified = status.lastVerified { record("hearth_archive_last_verified_time", Self.seconds(verified)) }
    }

    private static func seconds(_ time: DocumentVersion) -> Double { Double(time.microseconds / 1_000_000) }
}
