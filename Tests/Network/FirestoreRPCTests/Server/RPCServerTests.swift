// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Testing

/// Starting, stopping and losing a server, over real sockets.
@Suite(.timeLimit(.minutes(2)))
struct RPCServerTests {
    private func call(_ channel: any RPCChannel, _ path: String = "/test.Echo/Unary") async throws(RPCStatus) -> ByteSlice {
        try await channel.unary(path, [7], metadata: RPCMetadata(), deadline: .now + .seconds(60))
    }

    @Test func `a port that is taken is reported as such`() async throws {
        let first = RPCServer(configuration: RPCServerConfiguration(), service: EchoService())
        let address = try await first.start()
        let second = RPCServer(configuration: RPCServerConfiguration(port: address.port), service: EchoService())
        let failure = await #expect(throws: RPCStatus.self) { try await second.start() }
        #expect(failure?.code == .alreadyExists)
        #expect(failure?.message.contains("\(address)") == true)
        #expect(failure?.message.contains("EADDRINUSE") == true)
        await first.shutdown(grace: .zero)
    }

    @Test(arguments: [("nowhere.invalid", "is not a known host"), ("203.0.113.7", "is not an address of this machine")])
    func `a host that cannot be listened on is reported as such`(host: String, part: String) async {
        let server = RPCServer(configuration: RPCServerConfiguration(host: host), service: EchoService())
        let failure = await #expect(throws: RPCStatus.self) { try await server.start() }
        #expect(failure?.message.contains(part) == true && failure?.message.contains("127.0.0.1") == true, "\(String(describing: failure))")
    }

    @Test func `shutdown lets a call finish, ends streams, and then rejects`() async throws {
        let service = EchoService()
        let server = RPCServer(configuration: RPCServerConfiguration(), service: service)
        let address = try await server.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        let collector = Collector()
        _ = channel.open("/test.Echo/Listen", metadata: RPCMetadata(), deadline: nil, handler: collector)
        _ = await collector.messages(1)
        let slow = Task { try await channel.unary("/test.Echo/Hang", [], metadata: RPCMetadata(), deadline: nil) }
        await service.journal.wait(for: "kept 1")
        let stopped = Task { await server.shutdown(grace: .seconds(60)) }
        #expect(await collector.status() == RPCStatus(.unavailable, "the server stops"))
        for call in service.journal.calls { call.respond(.success([1, 2])) }
        #expect(try await slow.value.array == [1, 2])
        await stopped.value
        let failure = await #expect(throws: RPCStatus.self) { try await call(channel) }
        #expect(failure?.code == .unavailable)
        await channel.shutdown()
    }

    @Test func `shutdown does not wait longer than its grace`() async throws {
        let service = EchoService()
        let server = RPCServer(configuration: RPCServerConfiguration(), service: service)
        let address = try await server.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        let slow = Task { try await channel.unary("/test.Echo/Hang", [], metadata: RPCMetadata(), deadline: nil) }
        await service.journal.wait(for: "kept 1")
        await server.shutdown(grace: .milliseconds(50))
        let result = await slow.result
        #expect(throws: RPCStatus.self) { try result.get() }
        await service.journal.wait(for: "hang cancelled")
        await channel.shutdown()
    }

    @Test func `a channel connects again after its server came back`() async throws {
        let first = RPCServer(configuration: RPCServerConfiguration(), service: EchoService())
        let address = try await first.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        #expect(try await call(channel).array == [7])
        await first.shutdown(grace: .zero)
        let failure = await #expect(throws: RPCStatus.self) { try await call(channel) }
        #expect(failure?.code == .unavailable)
        let second = RPCServer(configuration: RPCServerConfiguration(port: address.port), service: EchoService())
        _ = try await second.start()
        #expect(try await call(channel).array == [7])
        await channel.shutdown()
        await second.shutdown(grace: .zero)
    }

    @Test func `connections beyond the limit are turned away while none is idle`() async throws {
        let observer = CountingObserver()
        let server = RPCServer(configuration: RPCServerConfiguration(connections: 1), service: EchoService(), observer: observer)
        let address = try await server.start()
        let first = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        let collector = Collector()
        _ = first.open("/test.Echo/Listen", metadata: RPCMetadata(), deadline: nil, handler: collector)
        _ = await collector.messages(1)
        let second = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        let failure = await #expect(throws: RPCStatus.self) { try await call(second) }
        #expect(failure?.code == .unavailable)
        #expect(observer.lines.contains("connection refused"))
        #expect(try await call(first).array == [7])
        await first.shutdown()
        await second.shutdown()
        await server.shutdown(grace: .zero)
    }

    @Test func `a connection that is idle makes room for a new one`() async throws {
        let server = RPCServer(configuration: RPCServerConfiguration(connections: 1), service: EchoService())
        let address = try await server.start()
        for _ in 0..<3 {
            let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
            #expect(try await call(channel).array == [7])
            await channel.shutdown()
        }
        let idle = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        #expect(try await call(idle).array == [7])
        let new = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        #expect(try await call(new).array == [7])
        await idle.shutdown()
        await new.shutdown()
        await server.shutdown(grace: .zero)
    }

    @Test func `an observer is notified of every event of a connection`() async throws {
        let observer = CountingObserver()
        let server = RPCServer(configuration: RPCServerConfiguration(), service: EchoService(), observer: observer)
        let address = try await server.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        _ = try await call(channel)
        _ = try? await call(channel, "/test.Echo/Fail")
        await channel.shutdown()
        await server.shutdown(grace: .seconds(10))
        #expect(observer.lines == [
            "opened", "started /test.Echo/Unary", "ended /test.Echo/Unary ok 1 1", "started /test.Echo/Fail",
            "ended /test.Echo/Fail failedPrecondition 1 0", "closed",
        ])
    }
}
