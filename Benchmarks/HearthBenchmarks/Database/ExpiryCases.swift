// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation

/// Documents that expire: how fast they go, and what commits beside them notice.
enum ExpiryCases {
    static var all: [BenchmarkCase] { [deletion, beside, look] }

    private static let field = FieldPathSegments("expiresAt")
    /// A million documents with HEARTH_FULL=1, otherwise a tenth.
    private static let count = ProcessInfo.processInfo.environment["HEARTH_FULL"] == "1" ? 1_000_000 : 100_000

    /// The question: how long does the database work when a day's sessions end together?
    private static var deletion: BenchmarkCase {
        let name = "TTL: \(count) expired documents, quiet"
        return BenchmarkCase(figuresOf: name) {
            let database = try await Sessions(count)
            let start = ContinuousClock.now
            try await database.engine.deleteExpired()
            let rate = Double(count) / seconds(since: start)
            guard database.engine.expiredCount == count else { throw BenchmarkFailure("\(database.engine.expiredCount) documents deleted") }
            try await database.close()
            return [.atLeast(10_000, name, rate, "docs/s")]
        }
    }

    /// The question: do my users notice it?
    private static var beside: BenchmarkCase {
        let name = "TTL: p99 of commits beside \(count) expired documents"
        return BenchmarkCase(figuresOf: name) {
            let database = try await Sessions(count)
            let without = try await database.commits(for: 10)
            async let deleting: Void = database.engine.deleteExpired()
            let with = try await database.commits(for: 10)
            let deleted = database.engine.expiredCount
            await database.engine.shutdown()
            // It was not finished.
            _ = try? await deleting
            try await database.close()
            return [
                .figure("\(name), alone", without * 1e3, "ms"), .figure("\(name), documents deleted", Double(deleted) / 10, "docs/s"),
                .atMost(2, "\(name), against alone", with / without, "×"),
            ]
        }
    }

    /// The question: what does a policy cost while nothing expires?
    private static var look: BenchmarkCase {
        let name = "TTL: a look at which nothing is due"
        return BenchmarkCase(figuresOf: name) {
            let database = try await Sessions(10_000, age: -86_400)
            let rounds = 1_000
            let start = ContinuousClock.now
            for _ in 0..<rounds { try await database.engine.deleteExpired() }
            let time = seconds(since: start) / Double(rounds)
            guard database.engine.expiredCount == 0 else { throw BenchmarkFailure("documents were deleted") }
            try await database.close()
            return [.atMost(1, name, time * 1e3, "ms")]
        }
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double { (ContinuousClock.now - start) / .seconds(1) }

    /// A database on the disk with documents of about 200 bytes that have expired a while ago.
    private struct Sessions {
        let engine: Engine
        private let folder: URL

        init(_ count: Int, age: Int64 = 60) async throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-bench-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var configuration = EngineConfiguration(
                location: .file(path: folder.appendingPathComponent("sessions.sqlite").path), durability: .full,
                databaseID: DatabaseID(projectID: "demo-hearth"))
            // Only the case looks.
            configuration.expiry.isOn = false
            engine = try Engine.open(configuration)
            let now = SystemClock().now()
            for start in stride(from: 0, to: count, by: 500) {
                let writes = (start..<min(start + 500, count)).map { number in
                    let expiry = TimestampValue(microsecondsSince1970: now - age * 1_000_000 + Int64(number))
                    let fields = FieldMap([
                        ("expiresAt", .timestamp(expiry)), ("user", .string("user-\(number % 5_000)")),
                        ("agent", .string(String(repeating: "x", count: 120))),
                    ])
                    return Write(key: DocumentKey(trusted: "sessions/\(AutoID.make())"), operation: .set(FieldBytes(fields)))
                }
                _ = try await engine.commit(writes, context: .embedded)
            }
            try await engine.setPolicy(collectionGroup: "sessions", field: ExpiryCases.field, offset: .zero)
            try await engine.indexesSettled()
        }

        /// Commits of one document each, from eight tasks. Returns the 99th percentile of their durations in seconds.
        func commits(for time: Double) async throws -> Double {
            let end = ContinuousClock.now + .seconds(time)
            let engine = engine
            let durations = try await withThrowingTaskGroup(of: [Double].self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var durations: [Double] = []
                        while ContinuousClock.now < end {
                            let write = Write(
                                key: DocumentKey(trusted: "orders/\(task)-\(durations.count % 1_000)"),
                                operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(durations.count)))]))))
                            let start = ContinuousClock.now
                            _ = try await engine.commit([write], context: .embedded)
                            durations.append(ExpiryCases.seconds(since: start))
                        }
                        return durations
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            return durations.sorted()[durations.count * 99 / 100]
        }

        func close() async throws {
            await engine.shutdown()
            try FileManager.default.removeItem(at: folder)
        }
    }
}
