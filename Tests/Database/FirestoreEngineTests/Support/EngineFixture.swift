// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import Foundation
import Testing

@testable import FirestoreEngine

let testDatabase = DatabaseID(projectID: "test")

extension Engine {
    static func memory(clock: any WallClock = SystemClock(), queue: CommitQueueLimits = .init()) throws -> Engine {
        try open(EngineConfiguration(location: EngineStores.place(), databaseID: testDatabase, clock: clock, queue: queue))
    }

    static func file(
        _ path: String, durability: Durability = .relaxed, clock: any WallClock = SystemClock(),
        databaseID: DatabaseID = testDatabase
    ) throws(FirestoreError) -> Engine {
        try open(
            EngineConfiguration(
                location: .file(path: path), durability: durability, databaseID: databaseID, clock: clock))
    }

    /// Everything submitted is over and every watch has been notified.
    func settle() async {
        await core.committer.settle()
        _ = try? await watchTime(context: .embedded)
    }

    /// Every test database is checked when it closes.
    func checkAndShutDown(_ location: SourceLocation = #_sourceLocation) async throws {
        #expect(try check() == [], sourceLocation: location)
        await shutdown()
    }
}

/// Holds the committer still, so that what is submitted meanwhile becomes one group.
final class CommitterHold: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    init(_ engine: Engine) {
        let entered = DispatchSemaphore(value: 0)
        // An empty commit changes nothing; its completion runs on the committer's thread.
        engine.submit([], context: .embedded) { [gate] _ in
            entered.signal()
            gate.wait()
        }
        entered.wait()
    }

    func release() { gate.signal() }
}
