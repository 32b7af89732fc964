// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// The Write stream (LS-38, LS-39).
struct WriteStreamTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    private func open() async throws -> (FakeStreamCall, any RPCStreamHandler, WriteResponse) {
        let (call, handler) = try server.open(.write)
        handler.receive(ByteSlice(WriteRequest(database: database).encoded()))
        await call.until(messages: 1)
        let first = try #require(call.messages.first, "the handshake was not answered: \(String(describing: call.status))")
        return (call, handler, try WriteResponse(decoding: first))
    }

    private func batch(_ token: ByteSlice, _ writes: [Write]) -> ByteSlice {
        ByteSlice(WriteRequest(database: database, streamToken: token, writes: writes).encoded())
    }

    @Test func `the handshake returns an id and a token`() async throws {
        let (call, handler, hello) = try await open()
        #expect(!hello.streamID.isEmpty)
        #expect(!hello.streamToken.isEmpty)
        #expect(hello.results.isEmpty && hello.commitTime == nil)
        handler.halfClosed()
        #expect(try await call.outcome().count == 1)
    }

    @Test func `ten batches sent ahead are answered in their order`() async throws {
        let (call, handler, hello) = try await open()
        let increment = FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))
        let write = Write(key: DocumentKey(trusted: "books/a"), operation: .patch(.empty, mask: []), transforms: [increment])
        for _ in 1...10 { handler.receive(batch(hello.streamToken, [write])) }
        await call.until(messages: 11)
        let answers = try call.messages.dropFirst().map { try WriteResponse(decoding: $0) }
        let numbers = answers.map { answer -> Int64? in
            guard case .integer(let number)? = answer.results.first?.transformResults.first else { return nil }
            return number
        }
        #expect(numbers == (1...10).map { Int64($0) })
        #expect(Set(answers.map(\.streamToken)).count == 10)
        #expect(answers.allSatisfy { $0.commitTime != nil })
        // The newest token is as good as the first.
        handler.receive(batch(answers[9].streamToken, [.delete("books/a")]))
        await call.until(messages: 12)
        // A message without writes closes the stream.
        handler.receive(batch(answers[9].streamToken, []))
        #expect(try await call.outcome().count == 12)
    }

    @Test func `a batch that fails ends the stream, and none behind it is applied`() async throws {
        let (call, handler, hello) = try await open()
        handler.receive(batch(hello.streamToken, [.set("books/a")]))
        handler.receive(batch(hello.streamToken, [.set("books/b", [], .exists(true))]))
        handler.receive(batch(hello.streamToken, [.set("books/c")]))
        #expect(await code { _ = try await call.outcome() } == .notFound)
        #expect(call.messages.count == 2)
        _ = try await server.get("books/a")
        #expect(await code { _ = try await server.get("books/c") } == .notFound)
    }

    @Test func `batches become durable together, and a peer that sends too far ahead has to wait`() async throws {
        let (call, handler, hello) = try await open()
        let hold = try await DatabaseHold(try await server.open())
        for number in 0..<255 { handler.receive(batch(hello.streamToken, [.set("books/\(number)")])) }
        #expect(call.isReading)
        for number in 255..<300 { handler.receive(batch(hello.streamToken, [.set("books/\(number)")])) }
        #expect(!call.isReading)
        #expect(call.messages.count == 1)
        hold.release()
        await call.until(messages: 301)
        #expect(call.isReading)
        handler.halfClosed()
        #expect(try await call.outcome().count == 301)
    }

    @Test func `a peer that sends too many bytes ahead has to wait`() async throws {
        let (call, handler, hello) = try await open()
        let hold = try await DatabaseHold(try await server.open())
        let large = Value.bytes([UInt8](repeating: 1, count: 1_000_000))
        for number in 0..<10 { handler.receive(batch(hello.streamToken, [.set("books/\(number)", [("b", large)])])) }
        #expect(call.isReading)
        handler.receive(batch(hello.streamToken, [.set("books/last", [("b", large)])]))
        #expect(!call.isReading)
        hold.release()
        await call.until(messages: 12)
        #expect(call.isReading)
    }

    @Test func `behind a batch that cannot be read the stream ends, after the answers to those before it`() async throws {
        let (call, handler, hello) = try await open()
        let hold = try await DatabaseHold(try await server.open())
        for number in 0..<5 { handler.receive(batch(hello.streamToken, [.set("books/\(number)")])) }
        handler.receive(ByteSlice([0xFF, 0xFF]))
        handler.receive(batch(hello.streamToken, [.set("books/behind")]))
        #expect(call.status == nil)
        hold.release()
        #expect(await code { _ = try await call.outcome() } == .invalidArgument)
        #expect(call.messages.count == 6)
        #expect(await code { _ = try await server.get("books/behind") } == .notFound)
    }

    @Test func `a batch that waits when the connection breaks is not applied later`() async throws {
        let (call, handler, hello) = try await open()
        let database = try await server.open()
        let hold = try await DatabaseHold(database)
        for number in 0..<5 { handler.receive(batch(hello.streamToken, [.set("books/\(number)")])) }
        handler.ended(RPCStatus(.unavailable, "lost"))
        hold.release()
        // Behind everything.
        _ = try await database.commit([.set("books/last")], context: .embedded)
        for number in 0..<5 { #expect(await code { _ = try await server.get("books/\(number)") } == .notFound) }
        #expect(call.messages.count == 1)
    }

    @Test func `a handshake without permission is rejected`() async throws {
        let (call, handler) = try server.open(.write, metadata: [("authorization", "Basic something")])
        handler.receive(ByteSlice(WriteRequest(database: database).encoded()))
        #expect(await code { _ = try await call.outcome() } == .unauthenticated)
    }

    @Test func `a stream that cannot be resumed or decoded ends`() async throws {
        let (call, handler) = try server.open(.write)
        handler.receive(ByteSlice(WriteRequest(database: database, streamID: "old", streamToken: ByteSlice([1])).encoded()))
        #expect(await code { _ = try await call.outcome() } == .invalidArgument)

        let (early, earlyHandler) = try server.open(.write)
        earlyHandler.receive(batch(.empty, [.set("books/a")]))
        #expect(await code { _ = try await early.outcome() } == .invalidArgument)

        for token in [ByteSlice([1, 2, 3]), ByteSlice([UInt8](repeating: 65, count: 28))] {
            let (call, handler, _) = try await open()
            handler.receive(batch(token, [.set("books/a")]))
            #expect(await code { _ = try await call.outcome() } == .invalidArgument)
        }
        // DM-4
        let (other, otherHandler, hello) = try await open()
        let request = WriteRequest(
            database: DatabaseID(projectID: "other"), streamToken: hello.streamToken, writes: [.set("books/a")])
        otherHandler.receive(ByteSlice(request.encoded()))
        #expect(await code { _ = try await other.outcome() } == .invalidArgument)
    }

    @Test func `a server that stops ends the stream after the batches it has begun`() async throws {
        let (call, handler, hello) = try await open()
        handler.receive(batch(hello.streamToken, [.set("books/a")]))
        await call.until(messages: 2)
        handler.drain()
        #expect(await code { _ = try await call.outcome() } == .unavailable)
        #expect(call.messages.count == 2)
    }
}
