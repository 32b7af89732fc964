// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// Write streams that a client resumes (decision 28).
struct ResumedWriteTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    private typealias Connection = (call: FakeStreamCall, handler: any RPCStreamHandler, resumption: WriteStreamResumption)

    private static func increment(_ path: String = "books/a") -> Write {
        let increment = FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))
        return Write(key: DocumentKey(trusted: path), operation: .patch(.empty, mask: []), transforms: [increment])
    }

    /// Opens a stream, or the next connection of one.
    private func open(
        _ resumption: WriteStreamResumption? = nil, as user: String? = nil, on server: ServerFixture? = nil
    ) async throws -> Connection {
        let (call, handler) = try (server ?? self.server).open(.write, metadata: user.map { [("authorization", $0)] } ?? [])
        let request = resumption?.request(resuming: database) ?? WriteStreamResumption.request(opening: database)
        handler.receive(ByteSlice(request.encoded()))
        await call.until(messages: 1)
        guard let first = call.messages.first else {
            _ = try await call.outcome()
            throw FirestoreError(.internal, "no answer")
        }
        let answer = try WriteResponse(decoding: first)
        let agreed = try #require(WriteStreamResumption(agreement: answer))
        #expect(answer.results.isEmpty && answer.commitTime == nil)
        if let resumption { #expect(agreed == resumption) }
        return (call, handler, agreed)
    }

    private func send(_ connection: Connection, _ writes: [Write], _ token: WriteStreamResumption? = nil) {
        let request = WriteRequest(database: database, streamToken: (token ?? connection.resumption).token, writes: writes)
        connection.handler.receive(ByteSlice(request.encoded()))
    }

    private func answers(_ connection: Connection) throws -> [WriteResponse] {
        try connection.call.messages.dropFirst().map { try WriteResponse(decoding: $0) }
    }

    private func numbers(_ connection: Connection) throws -> [Int64?] {
        try answers(connection).map { answer in
            guard case .integer(let number)? = answer.results.first?.transformResults.first else { return nil }
            return number
        }
    }

    private func next(_ reading: WriteStreamResumption.Reading?) -> WriteStreamResumption? {
        switch reading {
        case .committed(let next), .failed(let next): next
        case nil: nil
        }
    }

    private func isLost(_ body: () async throws -> Void) async -> Bool {
        do { try await body() } catch let status as RPCStatus {
            return WriteStreamResumption.isLost(FirestoreError(status.code, status.message))
        } catch {}
        return false
    }

    @Test func `batches whose answers were lost are answered again, and applied once`() async throws {
        let first = try await open()
        for _ in 1...5 { send(first, [Self.increment()]) }
        await first.call.until(messages: 6)
        #expect(try numbers(first) == [1, 2, 3, 4, 5])
        // The client has received two answers.
        let received = try answers(first)
        var resumption = first.resumption
        for answer in received.prefix(2) {
            #expect(resumption.reading(answer) != nil)
            resumption = try #require(next(resumption.reading(answer)))
        }
        #expect(resumption.number == 2)
        first.handler.ended(RPCStatus(.unavailable, "lost"))

        let second = try await open(resumption)
        for _ in 3...7 { send(second, [Self.increment()]) }
        await second.call.until(messages: 6)
        #expect(try numbers(second) == [3, 4, 5, 6, 7])
        let repeated = try answers(second)
        #expect(repeated.prefix(3).map(\.commitTime) == received.suffix(3).map(\.commitTime))
        #expect(repeated.prefix(3).map(\.streamToken) == received.suffix(3).map(\.streamToken))
        #expect(repeated.prefix(3).map { $0.results.map(\.updateTime) } == received.suffix(3).map { $0.results.map(\.updateTime) })
        #expect(try await server.get("books/a").fields == .of([("n", .integer(7))]))
        // A message without writes closes this one, too; and it is resumed later all the same.
        for answer in repeated { resumption = try #require(next(resumption.reading(answer))) }
        send(second, [], resumption)
        #expect(try await second.call.outcome().count == 6)
        let third = try await open(resumption)
        send(third, [Self.increment()])
        await third.call.until(messages: 2)
        #expect(try numbers(third) == [8])
    }

    @Test func `batches that were not applied before the connection broke are applied after it`() async throws {
        let first = try await open()
        let hold = try await DatabaseHold(try await server.open())
        for _ in 1...3 { send(first, [Self.increment()]) }
        first.handler.ended(RPCStatus(.unavailable, "lost"))
        hold.release()
        let second = try await open(first.resumption)
        for _ in 1...3 { send(second, [Self.increment()]) }
        await second.call.until(messages: 4)
        #expect(try numbers(second) == [1, 2, 3])
    }

    @Test func `a connection that the server believes alive does no harm`() async throws {
        let first = try await open()
        let hold = try await DatabaseHold(try await server.open())
        for _ in 1...3 { send(first, [Self.increment()]) }
        // The handshake waits in line, behind them.
        let (call, handler) = try server.open(.write)
        handler.receive(ByteSlice(first.resumption.request(resuming: database).encoded()))
        hold.release()
        await call.until(messages: 1)
        let second: Connection = (call, handler, first.resumption)
        for _ in 1...4 { send(second, [Self.increment()]) }
        await call.until(messages: 5)
        #expect(try numbers(second) == [1, 2, 3, 4])
        // What the first one sends now is another batch with the number 4, and not applied.
        send(first, [Self.increment("books/other")])
        #expect(await isLost { _ = try await first.call.outcome() })
        #expect(await code { _ = try await server.get("books/other") } == .notFound)
    }

    @Test func `a failure has a number, and is the same when the batch is sent again`() async throws {
        let first = try await open()
        send(first, [.set("books/a")])
        send(first, [.set("books/b", [], .exists(true))])
        send(first, [.set("books/c")])
        #expect(await code { _ = try await first.call.outcome() } == .notFound)
        let received = try answers(first)
        #expect(received.count == 2)
        guard case .committed(let committed)? = first.resumption.reading(received[0]), case .failed(let failed)? = committed.reading(received[1])
        else { Issue.record("the failure was not announced"); return }
        // The client has not received the failure. Meanwhile the document is there, and the failure is not judged anew.
        try await server.commit(.set("books/b"))
        let second = try await open(committed)
        send(second, [.set("books/b", [], .exists(true))])
        #expect(await code { _ = try await second.call.outcome() } == .notFound)
        #expect(second.call.status?.message == first.call.status?.message)
        #expect(committed.reading(try #require(try answers(second).first)) == .failed(failed))
        // It continues behind it.
        let third = try await open(failed)
        send(third, [.set("books/c")])
        await third.call.until(messages: 2)
        #expect(failed.reading(try answers(third)[0]).flatMap { next($0)?.number } == 3)
        _ = try await server.get("books/c")
    }

    @Test func `a batch that cannot be read has no number`() async throws {
        let first = try await open()
        send(first, [Self.increment()])
        first.handler.receive(ByteSlice([0xFF, 0xFF]))
        #expect(await code { _ = try await first.call.outcome() } == .invalidArgument)
        #expect(try numbers(first) == [1])
        let received = try answers(first)
        let resumption = try #require(next(first.resumption.reading(received[0])))
        let second = try await open(resumption)
        send(second, [Self.increment()])
        await second.call.until(messages: 2)
        #expect(try numbers(second) == [2])
    }

    @Test func `a stream is resumed only by its caller, and only if it is known`() async throws {
        let ada = "Bearer e30.eyJzdWIiOiJhZGEifQ."
        let bob = "Bearer e30.eyJzdWIiOiJib2IifQ."
        let first = try await open(as: ada)
        send(first, [Self.increment()])
        await first.call.until(messages: 2)
        for caller in [bob, "Bearer owner", nil] {
            #expect(await isLost { _ = try await open(first.resumption, as: caller) })
            #expect(await code { _ = try await open(first.resumption, as: caller) } == .permissionDenied)
        }
        let unknown = "hearth-00000000000000000000000000000000"
        let stale = try #require(WriteStreamResumption(streamID: unknown, token: WriteStreamToken(number: 0).bytes(of: unknown)))
        #expect(await isLost { _ = try await open(stale, as: ada) })
        // Another database.
        let (call, handler) = try server.open(.write, metadata: [("authorization", ada)])
        handler.receive(ByteSlice(first.resumption.request(resuming: DatabaseID(projectID: "other")).encoded()))
        #expect(await isLost { _ = try await call.outcome() })
        // A token of another stream, and one that was not given out yet.
        for request in [
            WriteRequest(database: database, streamID: first.resumption.streamID, streamToken: stale.token),
            WriteRequest(
                database: database, streamID: first.resumption.streamID,
                streamToken: WriteStreamToken(number: 2).bytes(of: first.resumption.streamID)),
        ] {
            let (call, handler) = try server.open(.write, metadata: [("authorization", ada)])
            handler.receive(ByteSlice(request.encoded()))
            #expect(await isLost { _ = try await call.outcome() })
        }
        let second = try await open(first.resumption, as: ada)
        send(second, [Self.increment()], stale)
        #expect(await isLost { _ = try await second.call.outcome() })
        let third = try await open(first.resumption, as: ada)
        send(third, [Self.increment()])
        await third.call.until(messages: 2)
        #expect(try numbers(third) == [1])
    }

    @Test func `another batch with the number of an answered one is rejected`() async throws {
        let first = try await open()
        send(first, [.set("books/a")])
        await first.call.until(messages: 2)
        let second = try await open(first.resumption)
        send(second, [.set("books/b")])
        #expect(await isLost { _ = try await second.call.outcome() })
        #expect(await code { _ = try await server.get("books/b") } == .notFound)
    }

    @Test func `a client that does not ask gets a stream that cannot be resumed`() async throws {
        let (call, handler) = try server.open(.write)
        handler.receive(ByteSlice(WriteRequest(database: database).encoded()))
        await call.until(messages: 1)
        let hello = try WriteResponse(decoding: try #require(call.messages.first))
        #expect(WriteStreamResumption(agreement: hello) == nil)
        handler.receive(ByteSlice(WriteRequest(database: database, streamToken: hello.streamToken, writes: [.set("books/b", [], .exists(true))]).encoded()))
        #expect(await code { _ = try await call.outcome() } == .notFound)
        // Without an announcement.
        #expect(call.messages.count == 1)
        let (again, againHandler) = try server.open(.write)
        againHandler.receive(ByteSlice(WriteRequest(database: database, streamID: hello.streamID, streamToken: hello.streamToken).encoded()))
        #expect(await code { _ = try await again.outcome() } == .invalidArgument)
    }

    @Test func `after a restart of the server the answers are there`() async throws {
        let folder = try ScratchFolder()
        let opening = DatabaseOpening(storage: .directory(folder.file("data")))
        let before = ServerFixture(opening)
        let first = try await open(on: before)
        for _ in 1...3 { send(first, [Self.increment()]) }
        await first.call.until(messages: 4)
        let received = try answers(first)
        first.handler.ended(RPCStatus(.unavailable, "lost"))
        await before.service.databases.close()

        let after = ServerFixture(opening)
        let second = try await open(first.resumption, on: after)
        for _ in 1...4 { send(second, [Self.increment()]) }
        await second.call.until(messages: 5)
        #expect(try numbers(second) == [1, 2, 3, 4])
        #expect(Array(try answers(second).prefix(3)).map(\.commitTime) == received.map(\.commitTime))
        await after.service.databases.close()
    }
}
