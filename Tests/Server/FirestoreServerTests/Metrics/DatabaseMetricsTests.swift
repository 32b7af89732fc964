// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// Metrics by database (OP-94, OT-55).
struct DatabaseMetricsTests {
    private func observed(_ number: Int, uses: UInt64 = 1, commits: Int = 0, listeners: Int = 0, bytes: Int64? = nil) -> ObservedDatabase {
        var figures = StoreFigures()
        (figures.commits, figures.listeners) = (commits, listeners)
        return ObservedDatabase(
            DatabaseID(projectID: "p", databaseID: "database-\(number)"), uses: uses, figures: figures, denials: 0, bytes: bytes)
    }

    private func value(_ text: String, _ name: String, _ label: String = "") -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(name) && $0.contains(label) && !$0.hasPrefix("#") }?
            .split(separator: " ").last.flatMap { Double($0) }
    }

    @Test func `no more than 50 databases have names, and the others are one`() {
        let metrics = DatabaseMetrics()
        let text = metrics.text(of: (0..<120).map { observed($0, uses: UInt64($0), commits: 1, listeners: 2, bytes: 10) })
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("hearth_commits_total{") }
        #expect(lines.count == 51)
        #expect(text.contains(#"hearth_commits_total{project="p",database="database-119"} 1"#))
        #expect(text.contains(#"hearth_commits_total{project="other",database="other"} 70"#))
        #expect(text.contains(#"hearth_listeners{project="other",database="other"} 140"#))
        #expect(text.contains(#"hearth_database_bytes{project="other",database="other"} 700"#))
    }

    @Test func `counters never go back, whatever is closed and opened`() {
        var table = DatabaseMetrics.Table(most: 1)
        _ = table.text(of: [observed(1, uses: 10, commits: 5), observed(2, commits: 3)])
        let text = table.text(of: [observed(1, uses: 20, commits: 6), observed(2, commits: 1)])
        #expect(value(text, "hearth_commits_total", "database-1") == 6)
        #expect(value(text, "hearth_commits_total", "other") == 4)
        // Without the first one, the second has a name; what it had before stays with the others.
        let later = table.text(of: [observed(2, commits: 2)])
        #expect(value(later, "hearth_commits_total", "database-2") == 1)
        #expect(value(later, "hearth_commits_total", "other") == 4)
        #expect(value(later, "hearth_commits_total", "database-1") == nil)
    }

    @Test func `levels are those of the moment`() {
        var table = DatabaseMetrics.Table()
        #expect(value(table.text(of: [observed(1, listeners: 5, bytes: 4_096)]), "hearth_listeners") == 5)
        let text = table.text(of: [observed(1, listeners: 2)])
        #expect(value(text, "hearth_listeners") == 2)
        #expect(!text.contains("hearth_database_bytes"))
    }

    @Test func `what calls do moves the metrics of their database`() async throws {
        let folder = try ScratchFolder()
        let rules = try Ruled.rules("match /open/{id} { allow read, write; }")
        let server = ServerFixture(DatabaseOpening(storage: .directory(folder.file("data"))), rules: RulesRegistry(rules))
        let metrics = DatabaseMetrics()
        func text() async -> String { metrics.text(of: await server.service.databases.observed()) }
        #expect(await text() == "")
        _ = try await server.open()
        let before = await text()
        let request = CommitRequest(database: ServerFixture.database, writes: [.set("open/a", [("n", .integer(1))])])
        _ = try await server.unary(.commit, request, as: CommitMessage.self)
        let denied = CommitRequest(database: ServerFixture.database, writes: [.set("closed/a")])
        await #expect(throws: RPCStatus.self) { try await server.unary(.commit, denied, as: CommitMessage.self) }
        let after = await text()
        for (name, least) in [
            ("hearth_commits_total", 2), ("hearth_rules_denials_total", 1), ("hearth_change_log_bytes", 1), ("hearth_commit_group_commits_sum", 2),
        ] as [(String, Double)] {
            #expect((value(after, name) ?? 0) >= (value(before, name) ?? 0) + least, "\(name)")
        }
        #expect((value(after, "hearth_database_bytes") ?? 0) > 0)
        #expect(value(after, "hearth_commits_waiting") == 0)
        #expect(after.contains("# TYPE hearth_commit_sync_seconds histogram"))
        await server.service.databases.close()
        #expect(!(await text()).contains("hearth_database_bytes"))
    }
}
