// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import Foundation

/// Writes from several tasks until killed. Write `<run>-<task>-<number>` counts `hits` of `items/<write>`, which ends at 1 if it is applied
/// once, and `n` of `totals/<task>`.
struct WritingRun: Sendable {
    let name: String
    static let project = "crash"
    private static let tasks = 3
    /// What may be unanswered, per task.
    private static let ahead = 12

    func write(to file: String, _ address: String) async {
        let client: SyncClient
        do {
            client = try openClient(file, address, project: Self.project)
        } catch {
            say("failed to open: \(error)")
            exit(3)
        }
        say("ready")
        // Documents come and go in the cache meanwhile.
        let listener = client.listen(
            to: .query(ClientQuery(StructuredQuery(scope: .collection(CollectionPath(trusted: "totals"))))), options: ListenOptions(),
            schedule: { $0() }, onEvent: { _ in })
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks { group.addTask { await write(task: task, with: client) } }
        }
        listener.remove()
    }

    private func write(task: Int, with client: SyncClient) async {
        let (answers, continuation) = AsyncStream<Void>.makeStream()
        var iterator = answers.makeAsyncIterator()
        var (number, unanswered) = (0, 0)
        while true {
            let id = "\(name)-\(task)-\(number)"
            client.write(
                Self.writes(id, task: task), saved: { _ in say("saved \(id)") },
                completion: { result in
                    switch result {
                    case .success: say("acknowledged \(id)")
                    case .failure(let error): say("failed \(id): \(error)")
                    }
                    continuation.yield()
                })
            number += 1
            unanswered += 1
            while unanswered >= Self.ahead {
                await iterator.next()
                unanswered -= 1
            }
            // Groups of calls differ in size.
            if Int.random(in: 0..<3) == 0 { try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<4))) }
        }
    }

    private static func writes(_ id: String, task: Int) -> [Write] {
        func increment(_ path: String, _ field: String) -> Write {
            Write(
                key: DocumentKey(trusted: path), operation: .patch(FieldBytes(FieldMap([("id", .string(id))])), mask: [FieldPathSegments("id")]),
                transforms: [FieldTransform(path: FieldPathSegments(field), kind: .increment(.integer(1)))])
        }
        return [increment("items/\(id)", "hits"), increment("totals/\(task)", "n")]
    }

    func drain(_ file: String, _ address: String) async {
        do {
            let client = try openClient(file, address, project: Self.project)
            try await client.waitForPendingWrites()
            let failed = try await client.queue?.failedWrites() ?? []
            for write in failed { say("failed \(write.id): \(write.error)") }
            await client.terminate()
            say("drained")
        } catch {
            say("failed to drain: \(error)")
            exit(3)
        }
    }
}
