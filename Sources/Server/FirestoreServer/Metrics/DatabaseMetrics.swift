// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The metrics of open databases, from what these count themselves: calls and commits pay nothing for them.
package final class DatabaseMetrics: Sendable {
    private let table = Mutex(Table())

    package init() {}

    /// The metrics as text. What was counted since the last call is added.
    package func text(of databases: [ObservedDatabase]) -> String { table.withLock { $0.text(of: databases) } }
}

extension DatabaseMetrics {
    /// What has been shown so far.
    struct Table {
        /// A name, or the one of all databases without a name of their own.
        private typealias Label = String

        /// The sums of one label.
        private struct Sums {
            var commits = 0
            var denials = 0
            var conflicts = 0
            var indexBuilds = 0
            var bytes: Int64?
            var logBytes = 0
            var logAge: Double?
            var waiting = 0
            var listeners = 0
            var targets = 0
            var building = 0

            /// Levels are those of the moment.
            mutating func beginLevels() {
                (bytes, logBytes, logAge, waiting) = (nil, 0, nil, 0)
                (listeners, targets, building) = (0, 0, 0)
            }

            mutating func addLevels(of database: ObservedDatabase) {
                let figures = database.figures
                if let more = database.bytes { bytes = (bytes ?? 0) + more }
                logBytes += figures.logBytes
                if let age = figures.logAge { logAge = max(logAge ?? 0, age) }
                waiting += figures.waitingCommits
                listeners += figures.listeners
                targets += figures.targets
                building += figures.indexesBeingBuilt
            }

            mutating func addCounts(of database: ObservedDatabase, since earlier: ObservedDatabase?) {
                func added(_ count: (ObservedDatabase) -> Int) -> Int {
                    let (now, before) = (count(database), earlier.map(count) ?? 0)
                    // A count that became smaller began anew.
                    return now >= before ? now - before : now
                }
                commits += added { $0.figures.commits }
                denials += added { $0.denials }
                conflicts += added { $0.figures.conflicts }
                indexBuilds += added { $0.figures.indexBuilds }
            }
        }

        private static let other = PrometheusText.labels([("project", "other"), ("database", "other")])

        private var labelled: LabelledDatabases
        private var sums: [Label: Sums] = [:]
        private var seen: [DatabaseName: ObservedDatabase] = [:]
        private var groupSizes = Distribution(bounds: Distribution.sizes)
        private var syncTimes = Distribution(bounds: Distribution.seconds)
        private var queueWaits = Distribution(bounds: Distribution.seconds)

        init(most: Int = 50) { labelled = LabelledDatabases(most: most) }

        mutating func text(of databases: [ObservedDatabase]) -> String {
            add(databases)
            return text
        }

        private mutating func add(_ databases: [ObservedDatabase]) {
            let names = labelled.choose(databases.map { ($0.name, $0.uses) })
            let labels = Dictionary(
                names.map { ($0, PrometheusText.labels([("project", $0.database.projectID), ("database", $0.database.databaseID)])) },
                uniquingKeysWith: { $1 })
            let kept = Set(labels.values).union([Self.other])
            sums = sums.filter { kept.contains($0.key) }
            for label in sums.keys { sums[label]?.beginLevels() }
            for database in databases {
                let (label, earlier) = (labels[database.name] ?? Self.other, seen[database.name])
                sums[label, default: Sums()].addLevels(of: database)
                sums[label, default: Sums()].addCounts(of: database, since: earlier)
                groupSizes.add(database.figures.groupSizes, since: earlier?.figures.groupSizes)
                syncTimes.add(database.figures.syncTimes, since: earlier?.figures.syncTimes)
                queueWaits.add(database.figures.queueWaits, since: earlier?.figures.queueWaits)
            }
            seen = Dictionary(databases.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        }

        private var text: String {
            var text = PrometheusText()
            let sorted = sums.sorted { $0.key < $1.key }
            func family(_ name: String, _ type: String, _ value: (Sums) -> Double?) {
                let samples = sorted.compactMap { label, sums in value(sums).map { (label, $0) } }
                guard !samples.isEmpty else { return }
                text.begin(name, type)
                for (label, value) in samples { text.add(name, label, value) }
            }
            family("hearth_commits_total", "counter") { Double($0.commits) }
            family("hearth_rules_denials_total", "counter") { Double($0.denials) }
            family("hearth_transaction_conflicts_total", "counter") { Double($0.conflicts) }
            family("hearth_index_builds_total", "counter") { Double($0.indexBuilds) }
            family("hearth_index_builds_running", "gauge") { Double($0.building) }
            family("hearth_database_bytes", "gauge") { $0.bytes.map { Double($0) } }
            family("hearth_change_log_bytes", "gauge") { Double($0.logBytes) }
            family("hearth_change_log_age_seconds", "gauge") { $0.logAge }
            family("hearth_commits_waiting", "gauge") { Double($0.waiting) }
            family("hearth_listeners", "gauge") { Double($0.listeners) }
            family("hearth_targets", "gauge") { Double($0.targets) }
            for (name, distribution) in [
                ("hearth_commit_group_commits", groupSizes), ("hearth_commit_sync_seconds", syncTimes),
                ("hearth_commit_queue_wait_seconds", queueWaits),
            ] where distribution.total > 0 {
                text.begin(name, "histogram")
                text.add(name, "", distribution)
            }
            return text.text
        }
    }
}
