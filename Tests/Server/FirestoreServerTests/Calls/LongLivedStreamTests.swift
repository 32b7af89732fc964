// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// Streams end with the identities of their callers, and their clients lose nothing (AU-12).
struct LongLivedStreamTests {
    private static let ada = RequestContext.Caller.user(id: "ada", claims: FieldMap([("sub", .string("ada"))]))
    private static let first: Ruled.Header = [("authorization", "Bearer first")]
    private static let second: Ruled.Header = [("authorization", "Bearer second")]

    enum End: CaseIterable { case expiry, revocation }

    private struct World {
        let clock = ManualClock(microseconds: 1_000_000)
        let authentication = FakeAuthentication()
        let server: ServerFixture

        init() throws {
            authentication.add("first", LongLivedStreamTests.ada, until: 5_000_000)
            authentication.add("second", LongLivedStreamTests.ada, until: 9_000_000)
            server = ServerFixture(
                rules: RulesRegistry(try Ruled.rules("match /{all=**} { allow read, write: if request.auth.uid == 'ada'; }")),
                authentication: authentication, clock: clock)
        }

        func end(_ how: End) {
            switch how {
            case .expiry:
                clock.set(microseconds: 5_000_000)
                server.service.streams.endExpired()
            case .revocation: authentication.revoke("first")
            }
        }
    }

    @Test(arguments: End.allCases)
    func `a listener continues with a new token`(how: End) async throws {
        let world = try World()
        let database = try await world.server.open()
        let target = ListenTargetRequest.Target.documents([DocumentKey(trusted: "books/a")])
        let (old, other) = (try world.server.listen(target, as: Self.first), try world.server.listen(target, as: Self.second))
        let token = try await old.snapshot()
        _ = try await other.snapshot()
        #expect(world.server.service.streams.count == 2)
        world.end(how)
        #expect(await code { _ = try await old.call.outcome() } == .unauthenticated)
        old.handler.ended(nil)
        #expect(world.server.service.streams.count == 1 && other.call.status == nil)
        _ = try await database.commit([.set("books/a", [("n", .integer(1))])], context: .embedded)
        let new = try world.server.listen(target, as: Self.second, from: token)
        for listener in [new, other] {
            try await listener.document("books/a", "n", 1)
            listener.handler.ended(nil)
        }
        #expect(world.server.service.streams.count == 0)
        let refused = try world.server.listen(target, as: how == .revocation ? Self.first : [("authorization", "Bearer third")])
        #expect(await code { _ = try await refused.call.outcome() } == .unauthenticated)
    }

    @Test(arguments: End.allCases)
    func `a Write stream answers what it has submitted, and the rest is sent with a new token`(how: End) async throws {
        let world = try World()
        let increment = FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))
        let write = Write(key: DocumentKey(trusted: "books/a"), operation: .patch(.empty, mask: []), transforms: [increment])
        func open(_ request: WriteRequest, as header: Ruled.Header) async throws -> (FakeStreamCall, any RPCStreamHandler, WriteResponse) {
            let (call, handler) = try world.server.open(.write, metadata: header)
            handler.receive(ByteSlice(request.encoded()))
            await call.until(messages: 1)
            return (call, handler, try WriteResponse(decoding: try #require(call.messages.first)))
        }
        let (call, handler, hello) = try await open(WriteStreamResumption.request(opening: ServerFixture.database), as: Self.first)
        var resumption = try #require(WriteStreamResumption(agreement: hello))
        func batch() -> ByteSlice {
            ByteSlice(WriteRequest(database: ServerFixture.database, streamToken: resumption.token, writes: [write]).encoded())
        }
        handler.receive(batch())
        await call.until(messages: 2)
        let hold = try await DatabaseHold(try await world.server.open())
        handler.receive(batch())
        world.end(how)
        // Comes too late.
        handler.receive(batch())
        hold.release()
        #expect(await code { _ = try await call.outcome() } == .unauthenticated)
        handler.ended(nil)
        #expect(world.server.service.streams.count == 0)
        for message in call.messages.dropFirst() {
            guard case .committed(let next)? = resumption.reading(try WriteResponse(decoding: message)) else { continue }
            resumption = next
        }
        // The client sends what was not answered.
        let (again, stream, _) = try await open(resumption.request(resuming: ServerFixture.database), as: Self.second)
        let left = 3 - Int(resumption.number)
        for _ in 0..<left { stream.receive(batch()) }
        await again.until(messages: 1 + left)
        stream.halfClosed()
        _ = try await again.outcome()
        let document = try await world.server.open().documents([DocumentKey(trusted: "books/a")], context: .embedded).documents[0]
        #expect(document?.fields == .of([("n", .integer(3))]))
    }

    @Test func `a stream that opens while its token is revoked ends`() async throws {
        let world = try World()
        world.clock.set(microseconds: 5_000_000)
        let listener = try world.server.listen(.documents([DocumentKey(trusted: "books/a")]), as: Self.first)
        #expect(await code { _ = try await listener.call.outcome() } == .unauthenticated)
    }

    @Test func `the server notices by itself`() async throws {
        let authentication = FakeAuthentication()
        authentication.add("first", .administrator, until: SystemClock().now() + 200_000)
        let server = ServerFixture(authentication: authentication)
        let listener = try server.listen(.documents([DocumentKey(trusted: "books/a")]), as: Self.first)
        #expect(await code { _ = try await listener.call.outcome() } == .unauthenticated)
        listener.handler.ended(nil)
    }

    @Test func `messages that arrive before the caller is known wait, in order`() async throws {
        let authentication = FakeAuthentication(slow: true)
        authentication.add("first", .administrator)
        let server = ServerFixture(authentication: authentication)
        let (call, handler) = try server.open(.write, metadata: Self.first)
        handler.receive(ByteSlice(WriteRequest(database: ServerFixture.database).encoded()))
        for n in 1...5 {
            handler.receive(ByteSlice(WriteRequest(database: ServerFixture.database, writes: [.set("books/a", [("n", .integer(Int64(n)))])]).encoded()))
        }
        handler.halfClosed()
        #expect(!call.isReading && call.messages.isEmpty)
        await authentication.untilAsked()
        #expect(server.service.databases.openCount == 0)
        authentication.answer()
        #expect(try await call.outcome().count == 6)
        #expect(call.isReading)
        handler.ended(nil)
        let found = try await server.open().documents([DocumentKey(trusted: "books/a")], context: .embedded).documents[0]
        #expect(found?.fields == .of([("n", .integer(5))]))
    }

    @Test(arguments: [FirestoreMethod.listen, .write])
    func `a peer that goes away before its caller is known leaves nothing`(method: FirestoreMethod) async throws {
        let authentication = FakeAuthentication(slow: true)
        let server = ServerFixture(authentication: authentication)
        let (_, handler) = try server.open(method)
        await authentication.untilAsked()
        handler.ended(RPCStatus(.cancelled, "gone"))
        authentication.answer()
        #expect(server.service.streams.count == 0 && server.service.databases.openCount == 0)
    }
}
