// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// Histories that once failed.
@Suite struct FoundHistoryTests {
    private func expectSound(_ history: ModelHistory) throws {
        if let failure = try ModelWorld.run(history) { Issue.record("\(failure)\n\(history)") }
    }

    /// The document is created here and deleted there before the target is reported for the first time, so no report is about it.
    @Test func `a document that was created here and deleted elsewhere before the watch saw it leaves the view`() throws {
        try expectSound(
            ModelHistory(
                .resumable, clients: 2,
                .listen(client: 0, query: 21),
                .write(client: 0, [.set("c/a/s/x", ("n", .integer(1)))]),
                .serve(client: 0, .write, count: 1, salt: 1), .deliver(client: 0, .write, count: 1),
                .serve(client: 0, .write, count: 1, salt: 1),
                .otherWrite([.delete("c/a/s/x")]),
                .deliver(client: 0, .write, count: 1), .settle(salt: 2)))
    }

    @Test(arguments: [false, true])
    func `a batch that was sent before the connection broke cannot be cancelled`(crashes: Bool) throws {
        try expectSound(
            ModelHistory(
                .resumable, isFile: true,
                .write(client: 0, [.increment("counters/a", "t", by: 1)]),
                .serve(client: 0, .write, count: 1, salt: 1), .deliver(client: 0, .write, count: 1),
                .serve(client: 0, .write, count: 1, salt: 1),
                crashes ? .crash(client: 0, listensAgain: false) : .breakStream(client: 0, .write, .unavailable, salt: 1),
                .cancel(client: 0, pick: 0),
                .write(client: 0, [.increment("counters/a", "t", by: 5)])))
    }
}
