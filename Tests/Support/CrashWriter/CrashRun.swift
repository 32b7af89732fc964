// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation

/// Commits from several tasks until killed. Every commit `<run>-<task>-<number>` makes one to four documents
/// `crash/<commit>-<index>` and sets `counters/<run>-<task>` to its number.
struct CrashRun: Sendable {
    let file: String
    let name: String
    private static let tasks = 5
    private static let commits = 8

    func write() async {
        guard let engine = try? Engine.open(configuration(file)) else { exit(3) }
        say("ready")
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                group.addTask { await write(task: task, to: engine) }
            }
            group.addTask { await makeIndexes(engine) }
        }
        // Killed here at the latest.
        while true { sleep(10) }
    }

    /// Makes and drops indexes all the time, so that a kill mostly comes in the middle of a build.
    private func makeIndexes(_ engine: Engine) async {
        let size = IndexDefinition.Field(FieldPathSegments("size"), .descending)
        let commit = IndexDefinition.Field(FieldPathSegments("commit"))
        let indexes = [
            IndexDefinition(collectionID: "crash", fields: [size, commit]),
            IndexDefinition(collectionID: "crash", scope: .collectionGroup, fields: [commit]),
            IndexDefinition(collectionID: "counters", fields: [IndexDefinition.Field(FieldPathSegments("number"))]),
        ]
        while true {
            for count in [3, 1, 2] {
                try? await engine.configureIndexes(Array(indexes.prefix(count)))
                try? await engine.indexesSettled()
            }
        }
    }

    private func write(task: Int, to engine: Engine) async {
        var number = 0
        while number < Self.commits {
            // One to three together, so that groups differ in size.
            let burst = 1 + Int.random(in: 0..<3)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<burst {
                    let commit = "\(name)-\(task)-\(number)"
                    let size = 1 + number % 4
                    let writes = Self.writes(commit, counter: "\(name)-\(task)", number: number, size: size)
                    // Submitted here, in order; only the waiting is concurrent.
                    let (stream, continuation) = AsyncStream<Bool>.makeStream()
                    engine.submit(writes, context: .embedded) { result in
                        if case .success = result { say("ack \(commit) \(size)") }
                        continuation.yield(true)
                        continuation.finish()
                    }
                    group.addTask { for await _ in stream {} }
                    number += 1
                }
            }
        }
    }

    private static func writes(_ commit: String, counter: String, number: Int, size: Int) -> [Write] {
        let documents = (0..<size).map { index in
            Write(
                key: DocumentKey(trusted: "crash/\(commit)-\(index)"),
                operation: .set(
                    FieldBytes(
                        FieldMap([
                            ("commit", .string(commit)), ("size", .integer(Int64(size))),
                            ("payload", .string(String(repeating: commit, count: 50 + index))),
                        ]))))
        }
        let count = Write(
            key: DocumentKey(trusted: "counters/\(counter)"),
            operation: .set(FieldBytes(FieldMap([("number", .integer(Int64(number)))]))))
        return documents + [count]
    }
}
