// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import Testing

@testable import FirestoreRPC

/// Requests over HTTP/2 whose body is read while it arrives.
struct ServerBodyTests {
    private let service = BodyService()
    private let bench: CoreBench

    init() {
        var limits = RPCLimits()
        limits.streamWindow = 64 << 10
        bench = CoreBench(limits: limits, http: service)
    }

    private func begin() -> (exchange: any HTTPExchange, body: HTTPRequestBody?) {
        _ = bench.turn {
            bench.core.receiveHeaders(
                1, [":method": "POST", ":scheme": "http", ":path": "/pieces?x=1", "content-type": "application/json"], end: false)
        }
        let exchange = service.next()
        return (exchange, exchange.requestBody)
    }

    private func send(_ count: Int, end: Bool = false) -> [String] {
        bench.turn { bench.data(1, [UInt8](repeating: 7, count: count), end: end) }
    }

    @Test func `the service gets a request at its headers, and its body in parts`() throws {
        let (exchange, body) = begin()
        #expect(exchange.request.query.count == 1 && exchange.request.body.isEmpty)
        for size in [10, 5_000] {
            #expect(send(size).isEmpty)
            #expect(try body?.next()?.count == size)
        }
        _ = send(3, end: true)
        #expect(try body?.next()?.count == 3)
        #expect(try body?.next() == nil)
        let said = bench.turn { exchange.respond(status: 200, headers: RPCMetadata(), body: [1, 2]) }
        #expect(said == ["headers 1 200", "data 1 2", "data 1 0 end"])
    }

    @Test func `a client that sends faster than the server reads gets no window until there is capacity`() throws {
        let (_, body) = begin()
        for _ in 0..<9 { _ = send(32 << 10) }
        // The parts that made it more than 256 KiB are not given back.
        #expect(bench.port.windows[1] == 256 << 10)
        for _ in 0..<6 { #expect(try body?.next()?.count == 32 << 10) }
        bench.loop.run()
        #expect(bench.port.windows[1] == 256 << 10)
        #expect(try body?.next()?.count == 32 << 10)
        bench.loop.run()
        #expect(bench.port.windows[1] == 288 << 10)
    }

    @Test func `a reset ends the body`() {
        let (exchange, _) = begin()
        _ = send(10)
        _ = bench.turn { bench.core.receiveReset(1, .cancel) }
        let failure = #expect(throws: RPCStatus.self) { try exchange.requestBody?.next() }
        #expect(failure?.code == .cancelled)
    }

    @Test func `an answer before the end of the body drops the rest`() {
        let (exchange, body) = begin()
        _ = send(10)
        let said = bench.turn { exchange.respond(status: 400, headers: RPCMetadata(), body: [1]) }
        #expect(said == ["headers 1 400", "data 1 1", "data 1 0 end stop"])
        _ = send(1_000)
        #expect(body?.count == 0)
    }

    @Test func `an answer that is cut resets the stream`() {
        let (exchange, _) = begin()
        let said = bench.turn {
            exchange.begin(status: 200, headers: RPCMetadata())
            exchange.write([1])
            exchange.cut()
        }
        #expect(said == ["headers 1 200", "data 1 1", "reset 1 2"])
    }

    @Test func `a client that sends nothing is given up by its reader`() {
        let (exchange, _) = begin()
        let failure = #expect(throws: RPCStatus.self) { try exchange.requestBody?.next(within: .milliseconds(1)) }
        #expect(failure?.code == .deadlineExceeded)
    }
}
