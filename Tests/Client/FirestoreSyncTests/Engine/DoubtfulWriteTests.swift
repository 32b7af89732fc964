// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// What is sent again, what is not, and what may be canceled, when answers to batches were lost (SY-D30).
@Suite struct DoubtfulWriteTests {
    private static let stream = "hearth-1"

    /// A server that resumes streams.
    private func served(_ file: String) throws -> ServedEngine { try ServedEngine(file: file, resumesWriteStreams: true) }

    private func agree(_ served: ServedEngine, to id: String = stream, at number: Int64 = 0) {
        served.server.write?.tell(.response(WriteResponse(streamID: id, streamToken: WriteStreamToken(number: number).bytes(of: id))))
        served.run()
    }

    private func commit(_ served: ServedEngine, _ number: Int64, at version: Int64) throws {
        let writes = try #require(served.server.takeBatch())
        let time = DocumentVersion(microseconds: version)
        served.server.write?.tell(
            .response(
                WriteResponse(
                    streamID: "", streamToken: WriteStreamToken(number: number).bytes(of: Self.stream),
                    results: writes.map { _ in WriteResult(updateTime: time) }, commitTime: time)))
        served.run()
    }

    private func end(_ served: ServedEngine, _ error: FirestoreError) {
        let link = served.server.write
        served.server.write = nil
        link?.tell(.ended(error))
        served.run()
    }

    private func failed(_ served: ServedEngine) throws -> [BatchID] { try served.cache.store.failedBatches().map(\.id) }
    private func pending(_ served: ServedEngine) throws -> [BatchID] { try served.cache.store.pendingBatches().map(\.id) }

    // MARK: A lost stream

    @Test func `what was queued offline is applied, although the stream has expired meanwhile`() throws {
        let folder = try ScratchFolder()
        let first = try served(folder.file())
        first.engine.write([.increment("c/a")]) { _ in }
        agree(first)
        try commit(first, 1, at: 10)
        first.breakWriteStream()
        first.engine.write([.increment("c/a")]) { _ in }
        try first.close()

        let second = try served(folder.file())
        #expect(second.server.handshakes.map(\.streamID) == [Self.stream])
        second.engine.write([.increment("c/a")]) { _ in }
        end(second, .sequenceLost("a week is over"))
        #expect(second.server.handshakes.map(\.streamID) == [Self.stream, ""])
        agree(second, to: "hearth-2")
        #expect(second.server.batches.count == 2)
        #expect(try failed(second) == [] && pending(second) == [2, 3])
    }

    @Test func `what was sent and not answered is not sent again, if that would do harm`() throws {
        let folder = try ScratchFolder()
        let first = try served(folder.file())
        first.engine.write([.increment("c/a")]) { _ in }
        first.engine.write([.set("c/b")]) { _ in }
        agree(first)
        // Sent immediately.
        first.engine.write([.increment("c/b")]) { _ in }
        #expect(first.server.batches.count == 3)
        try first.close()

        let second = try served(folder.file())
        second.engine.write([.increment("c/c")]) { _ in }
        end(second, .sequenceLost("forgotten"))
        agree(second, to: "hearth-2")
        #expect(try failed(second) == [1, 3] && pending(second) == [2, 4])
        #expect(second.server.batches.count == 2)
    }

    @Test func `the batches and the stream go in one step`() throws {
        let folder = try ScratchFolder()
        let served = try served(folder.file())
        served.engine.write([.increment("c/a")]) { _ in }
        agree(served)
        served.cache.store.willRun = { (operation) throws(FirestoreError) in
            if operation == .reject || operation == .streamToken { throw FirestoreError(.unavailable, "the disk is full") }
        }
        end(served, .sequenceLost("forgotten"))
        served.cache.store.willRun = nil
        // A process that ended now would resume the stream.
        #expect(try !served.cache.store.writeStream().token.isEmpty && pending(served) == [1])
        served.pass(.seconds(60), .storeRetry)
        #expect(try served.cache.store.writeStream().token.isEmpty && failed(served) == [1])
    }

    @Test(arguments: [FirestoreError.Code.permissionDenied, .unimplemented, .notFound, .failedPrecondition])
    func `an error at the handshake that is not about the stream fails nothing`(code: FirestoreError.Code) throws {
        let folder = try ScratchFolder()
        let served = try served(folder.file())
        served.engine.write([.increment("c/a")]) { _ in }
        agree(served)
        served.breakWriteStream()
        served.pass(.seconds(60), .writeBackoff)
        end(served, FirestoreError(code, "a proxy says no"))
        #expect(try failed(served) == [] && pending(served) == [1])
        #expect(served.server.write == nil && served.timers.running[.writeBackoff] != nil)
        served.pass(.seconds(60), .writeBackoff)
        #expect(served.server.handshakes.map(\.streamID) == ["", Self.stream, Self.stream])
        // One that is about the name of the stream.
        end(served, FirestoreError(.invalidArgument, "what is this"))
        #expect(try failed(served) == [1])
    }

    @Test func `an answer out of its order is a broken stream`() throws {
        let folder = try ScratchFolder()
        let served = try served(folder.file())
        served.engine.write([.set("c/a")]) { _ in }
        agree(served)
        try commit(served, 7, at: 10)
        #expect(try pending(served) == [1])
        #expect(served.timers.running[.writeBackoff] != nil)
        served.pass(.seconds(60), .writeBackoff)
        agree(served)
        try commit(served, 1, at: 10)
        #expect(try pending(served) == [])
    }

    // MARK: Waiting, canceling

    @Test func `who waits for all writes waits for those that end later than newer ones`() throws {
        let folder = try ScratchFolder()
        let served = try served(folder.file())
        served.engine.write([.set("c/a")]) { _ in }
        served.engine.write([.increment("c/b")]) { _ in }
        var isDone = false
        served.engine.waitForPendingWrites { _ in isDone = true }
        agree(served)
        end(served, .sequenceLost("forgotten"))
        #expect(try failed(served) == [2] && !isDone)
        agree(served)
        try commit(served, 1, at: 10)
        #expect(isDone)
    }

    @Test func `who waits for a canceled write waits for those before it`() throws {
        let served = try ServedEngine()
        for path in ["c/a", "c/b"] { served.engine.write([.set(path)]) { _ in } }
        var isDone = false
        served.engine.waitForPendingWrites { _ in isDone = true }
        try served.engine.cancel(2)
        #expect(!isDone)
        try served.engine.cancel(1)
        #expect(isDone)
    }

    @Test(arguments: [true, false]) func `what an earlier process has sent cannot be canceled`(resumes: Bool) throws {
        let folder = try ScratchFolder()
        let first = try ServedEngine(file: folder.file(), resumesWriteStreams: resumes)
        first.engine.write([.set("c/a")]) { _ in }
        if resumes { agree(first) } else { first.answerHandshake() }
        first.engine.write([.set("c/b")]) { _ in }
        first.breakWriteStream()
        first.engine.write([.set("c/c")]) { _ in }
        try first.close()

        let second = try ServedEngine(file: folder.file(), resumesWriteStreams: resumes)
        for id: BatchID in [1, 2] { expectImmediateError(.failedPrecondition, mentioning: "was sent") { try second.engine.cancel(id) } }
        try second.engine.cancel(3)
        #expect(try pending(second) == [1, 2])
    }
}
