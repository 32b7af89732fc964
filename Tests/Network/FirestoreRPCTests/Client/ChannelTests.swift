// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Testing

/// One suite for both channels: over a socket, and from core to core.
@Suite(.timeLimit(.minutes(2)))
struct ChannelTests {
    enum Way: String, CaseIterable, Sendable { case socket, loopback }

    /// A channel to an echo service, and what happened there.
    private func with(
        _ way: Way, limits: RPCLimits = RPCLimits(), _ body: (any RPCChannel, Journal) async throws -> Void
    ) async throws {
        let service = EchoService()
        switch way {
        case .loopback:
            let channel = RPCLoopback(service, limits: limits)
            try await body(channel, service.journal)
            await channel.shutdown()
        case .socket:
            let server = RPCServer(configuration: RPCServerConfiguration(limits: limits), service: service)
            let address = try await server.start()
            let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
            try await body(channel, service.journal)
            await channel.shutdown()
            await server.shutdown(grace: .zero)
        }
    }

    private func status(_ body: () async throws -> Void) async -> RPCStatus? {
        do {
            try await body()
            return nil
        } catch {
            return error as? RPCStatus
        }
    }

    @Test(arguments: Way.allCases)
    func `unary calls succeed: empty, small, large, many simultaneously`(way: Way) async throws {
        try await with(way) { channel, _ in
            for count in [0, 1, 5000, 3 << 20] {
                let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
                let answer = try await channel.unary("/test.Echo/Unary", message, metadata: RPCMetadata(), deadline: nil)
                #expect(answer.array == message)
            }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<500 {
                    let message = Array("\(index)".utf8)
                    group.addTask {
                        try await channel.unary("/test.Echo/Unary", message, metadata: RPCMetadata(), deadline: nil).array == message
                    }
                }
                for try await isSame in group { #expect(isSame) }
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `errors arrive with code, message and details`(way: Way) async throws {
        try await with(way) { channel, _ in
            let failure = await status { _ = try await channel.unary("/test.Echo/Fail", [], metadata: RPCMetadata(), deadline: nil) }
            #expect(failure == RPCStatus(.failedPrecondition, "nö: 100 %\n", details: ByteSlice(Array("details".utf8))))
            let missing = await status { _ = try await channel.unary("/test.Echo/No", [], metadata: RPCMetadata(), deadline: nil) }
            #expect(missing?.code == .unimplemented)
        }
    }

    @Test(arguments: Way.allCases)
    func `metadata and deadlines reach the server`(way: Way) async throws {
        try await with(way) { channel, _ in
            let answer = try await channel.unary(
                "/test.Echo/Metadata", [], metadata: RPCMetadata([("x-test", "here")]), deadline: .now + .seconds(60))
            #expect(String(decoding: answer.array, as: UTF8.self) == "here deadline")
        }
    }

    @Test(arguments: Way.allCases)
    func `a deadline ends the call on both sides`(way: Way) async throws {
        try await with(way) { channel, journal in
            // On a busy machine a short deadline passes before the call has reached the server.
            for patience in [100, 1_000, 10_000, 60_000] where journal.calls.isEmpty {
                let failure = await status {
                    _ = try await channel.unary("/test.Echo/Hang", [], metadata: RPCMetadata(), deadline: .now + .milliseconds(patience))
                }
                #expect(failure?.code == .deadlineExceeded)
            }
            try #require(!journal.calls.isEmpty)
            await journal.wait(for: "hang cancelled")
        }
    }

    @Test(arguments: Way.allCases)
    func `cancelling the task cancels the call on the server`(way: Way) async throws {
        try await with(way) { channel, journal in
            let task = Task { try await channel.unary("/test.Echo/Hang", [], metadata: RPCMetadata(), deadline: nil) }
            await journal.wait(for: "kept 1")
            task.cancel()
            let result = await task.result
            #expect(throws: RPCStatus.self) { try result.get() }
            await journal.wait(for: "hang cancelled")
            // No caller waits for an answer any more; sending one is harmless.
            for call in journal.calls { call.respond(.success([1])) }
        }
    }

    @Test(arguments: Way.allCases)
    func `a conversation: messages both ways, then the end`(way: Way) async throws {
        try await with(way) { channel, journal in
            let collector = Collector()
            let call = channel.open("/test.Echo/Chat", metadata: RPCMetadata(), deadline: nil, handler: collector)
            for index in 0..<50 {
                call.send(Array("message \(index)".utf8))
                #expect(await collector.messages(index + 1).count == index + 1)
            }
            call.halfClose()
            #expect(await collector.status() == nil)
            #expect(collector.texts == (0..<50).map { "message \($0)" })
            await journal.wait(for: "chat ended ok")
        }
    }

    @Test(arguments: Way.allCases)
    func `a call with one message goes out as a whole`(way: Way) async throws {
        try await with(way) { channel, journal in
            for message in ["", "one", String(repeating: "x", count: 300_000)] {
                let collector = Collector()
                _ = channel.open("/test.Echo/Chat", only: Array(message.utf8), metadata: RPCMetadata(), deadline: nil, handler: collector)
                #expect(await collector.status() == nil)
                #expect(collector.texts == [message])
            }
            await journal.wait(for: "chat ended ok")
        }
    }

    // Around the marks at which a sender stops and continues, and the parts in which a receiver returns its window.
    @Test(arguments: Way.allCases, [1, 9, 31, 33, 43, 50, 63, 65, 100, 127, 129, 300])
    func `many messages of any size arrive, however they fit into windows`(way: Way, size: Int) async throws {
        try await with(way) { channel, _ in
            let collector = Collector()
            let request = Array("20 \(size << 10)".utf8)
            _ = channel.open("/test.Echo/Many", only: request, metadata: RPCMetadata(), deadline: .now + .seconds(100), handler: collector)
            #expect(await collector.status() == nil)
            #expect(collector.messages.map(\.count) == [Int](repeating: size << 10, count: 20))
        }
    }

    @Test(arguments: Way.allCases)
    func `a server may end the call while the client talks`(way: Way) async throws {
        try await with(way) { channel, _ in
            let collector = Collector()
            let call = channel.open("/test.Echo/Chat", metadata: RPCMetadata(), deadline: nil, handler: collector)
            call.send(Array("before".utf8))
            call.send(Array("fail".utf8))
            #expect(await collector.status() == RPCStatus(.aborted, "as you wish"))
            #expect(collector.texts == ["before"])
            call.send(Array("after".utf8))
        }
    }

    @Test(arguments: Way.allCases)
    func `a server is notified when a client cancels`(way: Way) async throws {
        try await with(way) { channel, journal in
            let collector = Collector()
            let call = channel.open("/test.Echo/Listen", metadata: RPCMetadata(), deadline: nil, handler: collector)
            _ = await collector.messages(1)
            call.cancel()
            #expect(await collector.status()?.code == .cancelled)
            await journal.wait(for: "listen ended cancelled")
        }
    }

    @Test(arguments: Way.allCases)
    func `a reader that pauses suspends the writer, and other calls continue`(way: Way) async throws {
        try await with(way) { channel, journal in
            let collector = Collector()
            let call = channel.open("/test.Echo/Many", metadata: RPCMetadata(), deadline: nil, handler: collector)
            call.setReading(false)
            call.send(Array("400 65536".utf8))
            call.halfClose()
            await journal.wait(for: "full")
            let answer = try await channel.unary("/test.Echo/Unary", [1], metadata: RPCMetadata(), deadline: nil)
            #expect(answer.array == [1])
            #expect(collector.messages.isEmpty)
            call.setReading(true)
            #expect(await collector.status() == nil)
            #expect(collector.messages.count == 400)
            #expect(collector.messages.allSatisfy { $0.count == 65536 })
        }
    }

    @Test(arguments: Way.allCases)
    func `a message over the limit is rejected, the connection lives`(way: Way) async throws {
        let limits = RPCLimits(messageSize: 1000, oversizedCode: .invalidArgument)
        try await with(way, limits: limits) { channel, _ in
            let large = [UInt8](repeating: 0, count: 1001)
            let failure = await status { _ = try await channel.unary("/test.Echo/Unary", large, metadata: RPCMetadata(), deadline: nil) }
            #expect(failure?.code == .invalidArgument)
            let answer = try await channel.unary("/test.Echo/Unary", [UInt8](repeating: 0, count: 1000), metadata: RPCMetadata(), deadline: nil)
            #expect(answer.count == 1000)
        }
    }

    @Test(arguments: Way.allCases)
    func `after shutdown calls fail as unavailable`(way: Way) async throws {
        try await with(way) { channel, journal in
            let open = Collector()
            _ = channel.open("/test.Echo/Listen", metadata: RPCMetadata(), deadline: nil, handler: open)
            _ = await open.messages(1)
            await channel.shutdown()
            #expect(await open.status()?.code == .unavailable)
            let failure = await status { _ = try await channel.unary("/test.Echo/Unary", [], metadata: RPCMetadata(), deadline: nil) }
            #expect(failure?.code == .unavailable)
            await journal.wait(for: "listen ended \(way == .socket ? "unavailable" : "unavailable")")
        }
    }
}
