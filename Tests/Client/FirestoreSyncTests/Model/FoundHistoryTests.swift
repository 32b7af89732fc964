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

    /// The base of the second patch here has changed elsewhere, so what its acknowledgement gives is not what the authority has.
    @Test func `a document that is outside of the limit at the authority leaves the view after the acknowledgement`() throws {
        try expectSound(
            ModelHistory(
                .plain, clients: 2,
                .write(client: 1, [.set("c/a", ("n", .integer(2)))]), .write(client: 1, [.set("c/c", ("n", .integer(4)))]), .settle(salt: 1),
                .write(client: 0, [.patch("c/b", "n", .integer(3))]), .settle(salt: 2),
                .otherWrite([.set("c/b", ("n", .integer(0)))]),
                .listen(client: 0, query: 32),
                .write(client: 0, [.patch("c/b", "m", .integer(1), precondition: .exists(true))]),
                .serve(client: 0, .write, count: 1, salt: 1), .deliver(client: 0, .write, count: 1),
                .settle(salt: 3)))
    }

    @Test func `collection leaves a document that only the first snapshot of a view has`() throws {
        try expectSound(
            ModelHistory(
                .resumable, .write(client: 0, [.patch("c/b", "n", .integer(1))]), .settle(salt: 1),
                .listen(client: 0, query: 25), .collect(client: 0), .otherWrite([.delete("c/b")])))
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

    /// The lookup of `c/c` has received its document when the network goes, and is resumed behind it.
    @Test func `a lookup that is resumed knows the document that it has received`() throws {
        var history = ModelHistory(
            .plain, clients: 2,
            .listen(client: 0, query: 32), .otherWrite([.patch("c/b", "n", .integer(1))]),
            .write(
                client: 0,
                [
                    .increment("c/a"), .set("d/a/s/y", ("l", .array([.integer(2)])), ("n", .integer(0))),
                    .set("c/c", ("l", .array([.integer(0)])), ("n", .integer(0))),
                ]), .settle(salt: 4_437_290_158_803_060_629),
            .write(client: 0, [.patch("c/a", "n", .integer(0), precondition: .exists(true))]),
            .serve(client: 0, .listen, count: 1, salt: 6_622_162_892_453_578_479), .deliver(client: 0, .listen, count: 4),
            .network(client: 0, isEnabled: false))
        history.setup.seed = 9_039
        history.setup.writeWindow = 2
        try expectSound(history)
    }
}
