// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreGateway

/// `grpc.health.v1.Health`
struct HealthServiceTests {
    private let health = HealthService(maximumWatchers: 3)

    private func check(_ bytes: [UInt8]) async throws(RPCStatus) -> [UInt8] {
        guard case .unary(let answer)? = health.method(at: "/grpc.health.v1.Health/Check") else { throw RPCStatus(.internal, "no method") }
        let call = FakeUnaryCall(ByteSlice(bytes), info: RPCCallInfo(path: "/grpc.health.v1.Health/Check"))
        answer([call])
        return try await call.result().get()
    }

    private func watch(
        _ bytes: [UInt8], _ health: HealthService? = nil
    ) throws -> (call: FakeStreamCall, handler: any RPCStreamHandler) {
        let health = health ?? self.health
        guard case .stream(let open)? = health.method(at: "/grpc.health.v1.Health/Watch") else { throw RPCStatus(.internal, "no method") }
        let call = FakeStreamCall(info: RPCCallInfo(path: "/grpc.health.v1.Health/Watch"))
        let handler = open(call)
        handler.receive(ByteSlice(bytes))
        handler.halfClosed()
        return (call, handler)
    }

    private static let firestore = HealthCheckRequest(service: "google.firestore.v1.Firestore").encoded()
    private static let other = HealthCheckRequest(service: "google.firestore.v1.firestore").encoded()

    @Test func `the server and its service are serving until they stop, others are not found`() async throws {
        for request in [[], Self.firestore] { #expect(try await check(request) == [8, 1]) }
        #expect(await code { _ = try await check(Self.other) } == .notFound)
        #expect(await code { _ = try await check([0xFF]) } == .invalidArgument)
        health.stopServing()
        for request in [[], Self.firestore] { #expect(try await check(request) == [8, 2]) }
        #expect(await code { _ = try await check(Self.other) } == .notFound)
    }

    @Test func `a watcher receives the state immediately, and the end of the service`() async throws {
        let (serving, first) = try watch(Self.firestore)
        let (unknown, second) = try watch(Self.other)
        #expect(serving.messages.map(\.array) == [[8, 1]] && unknown.messages.map(\.array) == [[8, 3]])
        health.stopServing()
        let (late, third) = try watch([])
        first.drain()
        #expect(serving.messages.map(\.array) == [[8, 1], [8, 2]] && serving.status?.code == .unavailable)
        #expect(unknown.messages.map(\.array) == [[8, 3]] && unknown.status == nil)
        #expect(late.messages.map(\.array) == [[8, 2]])
        for handler in [first, second, third] { handler.ended(nil) }
    }

    // DN-6.2: a node without its lease is not serving, and serves again.
    @Test func `a watcher receives the changes of a node's readiness`() async throws {
        let node = Readiness()
        let health = HealthService(isReady: { node.isReady.withLock { $0 } }, pause: .milliseconds(1))
        let (call, handler) = try watch([], health)
        for isReady in [false, true] {
            let count = call.messages.count
            node.isReady.withLock { $0 = isReady }
            while call.messages.count == count { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(call.messages.map(\.array) == [[8, 1], [8, 2], [8, 1]])
        health.stopServing()
        #expect(call.messages.map(\.array) == [[8, 1], [8, 2], [8, 1], [8, 2]])
        handler.ended(nil)
    }

    private final class Readiness: Sendable { let isReady = Mutex(true) }

    @Test func `watchers are bounded, and watchers that end release capacity`() async throws {
        var open = try (0..<3).map { _ in try watch([]) }
        let (refused, _) = try watch([])
        #expect(refused.status?.code == .resourceExhausted)
        open.removeLast().handler.ended(RPCStatus(.cancelled, "gone"))
        #expect(try watch([]).call.status == nil)
    }

    @Test func `a watch takes one request`() throws {
        let (call, handler) = try watch([])
        handler.receive(.empty)
        #expect(call.status?.code == .invalidArgument)
        #expect(try watch([0xFF]).call.status?.code == .invalidArgument)
        guard case .stream(let open)? = health.method(at: "/grpc.health.v1.Health/Watch") else { return }
        let silent = FakeStreamCall(info: RPCCallInfo(path: ""))
        open(silent).halfClosed()
        #expect(silent.status?.code == .invalidArgument)
    }

    @Test(arguments: ["/grpc.health.v1.Health/check", "/grpc.health.v1.Health/List", "/grpc.health.v1.Health/", ""])
    func `unknown methods of the health service are unimplemented`(path: String) { #expect(health.method(at: path) == nil) }
}
