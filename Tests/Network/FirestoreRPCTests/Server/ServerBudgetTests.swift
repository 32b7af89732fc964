// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import Testing

@testable import FirestoreRPC

/// What a connection runs and holds while its client does not read, or has left.
struct ServerBudgetTests {
    /// Work that is run when the test says so.
    private final class Waiting: Sendable {
        private let work = Mutex<[@Sendable () -> Void]>([])
        var run: OffLoop { { work in self.work.withLock { $0.append(work) } } }
        var count: Int { work.withLock { $0.count } }

        /// Runs what waits now.
        func go() {
            let ready = work.withLock { work in
                defer { work = [] }
                return work
            }
            for work in ready { work() }
        }
    }

    private static let large = CoreBench.framed(String(repeating: "x", count: 300_000))

    @Test func `a connection that does not read its answers runs no further call until it has read some`() {
        let budget = MemoryBudget()
        let bench = CoreBench(limits: RPCLimits(budgetPerConnection: 1 << 20), budget: budget)
        let streams = Array(stride(from: 1, through: 199, by: 2))
        _ = bench.turn {
            for stream in streams {
                bench.headers(stream, "/test.Echo/Unary")
                bench.data(stream, stream < 20 ? Self.large : CoreBench.framed("small"), end: true)
            }
        }
        // Requests count, too. Nothing of the 100 calls was dropped, and few have run.
        let answered = bench.port.lines.count { $0.hasPrefix("trailers") }
        #expect(answered < 10)
        #expect(budget.held < 5 << 20)
        // The client reads: all are answered, a few at a time.
        var (rounds, most) = (0, 0)
        while bench.core.openStreams > 0, rounds < 1000 {
            rounds += 1
            let ended = bench.port.lines.filter { $0.hasPrefix("trailers") }.compactMap { Int($0.split(separator: " ")[1]) }
            for stream in ended { bench.core.streamClosed(stream) }
            bench.loop.advanceTime(by: .milliseconds(100))
            most = max(most, budget.held)
        }
        _ = bench.turn {}
        #expect(bench.port.lines.count { $0.hasSuffix(" ok") } == 100)
        #expect(most < 6 << 20)
        #expect(budget.held == 0)
    }

    @Test func `a connection holds exactly what its calls hold, whatever became of them`() {
        for end in ["answered", "reset", "lost", "late"] {
            let budget = MemoryBudget()
            do {
                let bench = CoreBench(budget: budget)
                _ = bench.turn {
                    bench.headers(1, "/test.Echo/Hang")
                    bench.data(1, Self.large, end: true)
                }
                #expect(budget.held > 300_000)
                let call = bench.service.journal.calls[0]
                switch end {
                case "answered":
                    call.respond(.success([1, 2]))
                    bench.loop.run()
                    bench.core.streamClosed(1)
                case "reset":
                    bench.core.receiveReset(1, .cancel)
                    bench.core.streamClosed(1)
                    // The request is still in use.
                    _ = bench.turn {}
                    #expect(budget.held >= 300_000 && bench.core.lingeringCalls == 1)
                    call.respond(.success([UInt8](repeating: 0, count: 1 << 20)))
                    bench.loop.run()
                case "late":
                    call.respond(.success([UInt8](repeating: 0, count: 1 << 20)))
                    bench.core.receiveReset(1, .cancel)
                    bench.core.streamClosed(1)
                    #expect(bench.core.lingeringCalls == 1)
                    bench.loop.run()
                default: bench.core.connectionLost(RPCStatus(.unavailable, "lost"))
                }
                _ = bench.turn {}
                if end != "lost" { #expect(budget.held == 0 && bench.core.lingeringCalls == 0, "\(end)") }
                bench.service.journal.forget()
            }
            #expect(budget.held == 0, "\(end)")
        }
    }

    @Test func `a call that was abandoned before its turn is not run`() {
        let waiting = Waiting()
        let bench = CoreBench(runOffLoop: waiting.run)
        _ = bench.turn {
            for stream in stride(from: 1, through: 9, by: 2) {
                bench.headers(stream, "/test.Echo/Unary")
                bench.data(stream, CoreBench.framed("\(stream)"), end: true)
            }
        }
        for stream in [1, 3, 7, 9] {
            bench.core.receiveReset(stream, .cancel)
            bench.core.streamClosed(stream)
        }
        #expect(bench.core.lingeringCalls == 4)
        waiting.go()
        bench.loop.run()
        #expect(bench.service.journal.lines == ["batch 1"])
        #expect(bench.port.lines == ["headers 5", "data 5 6", "trailers 5 ok"])
        #expect(bench.core.lingeringCalls == 0)
    }

    @Test func `requests of HTTP that were abandoned before their turn are not handed to the service`() {
        let waiting = Waiting()
        let service = BodyService()
        let bench = CoreBench(http: service, runOffLoop: waiting.run)
        for stream in [1, 3] {
            _ = bench.turn {
                bench.core.receiveHeaders(stream, [":method": "GET", ":scheme": "http", ":path": "/\(stream)", ":authority": "a"], end: true)
            }
        }
        bench.core.receiveReset(1, .cancel)
        bench.core.streamClosed(1)
        waiting.go()
        bench.loop.run()
        #expect(service.next().request.path == "/3")
        #expect(bench.core.lingeringCalls == 0)
    }

    @Test func `a turn takes a few requests, and many are no more than a service reads for together`() {
        let waiting = Waiting()
        let bench = CoreBench(runOffLoop: waiting.run)
        _ = bench.turn {
            for number in 0..<100 {
                bench.headers(2 * number + 1, "/test.Echo/Unary")
                bench.data(2 * number + 1, CoreBench.framed("x"), end: true)
            }
        }
        #expect(waiting.count == 1)
        for _ in 0..<100 { waiting.go() }
        bench.loop.run()
        #expect(bench.service.journal.lines == ["batch 2"] + Array(repeating: "batch 16", count: 6) + ["batch 2"])
    }

    @Test func `a stream sends no more while its connection holds too much, and continues when there is room`() {
        let budget = MemoryBudget()
        let bench = CoreBench(limits: RPCLimits(budgetPerConnection: 100_000), budget: budget)
        _ = bench.turn {
            for stream in [1, 3, 5] {
                bench.headers(stream, "/test.Echo/Many")
                bench.data(stream, CoreBench.framed("20 30000"), end: true)
            }
        }
        bench.loop.run()
        #expect(budget.held < 200_000)
        var rounds = 0
        while bench.port.lines.count(where: { $0.hasSuffix(" ok") }) < 3, rounds < 1000 {
            rounds += 1
            let written = bench.port.unconfirmed
            bench.port.unconfirmed = []
            for (stream, bytes) in written { bench.core.confirmed(stream, bytes) }
            bench.loop.advanceTime(by: .milliseconds(100))
            #expect(budget.held < 200_000)
        }
        _ = bench.turn { for stream in [1, 3, 5] { bench.core.streamClosed(stream) } }
        #expect(budget.held == 0)
    }

    @Test func `the connection that holds most is closed when the process holds too much`() {
        let observer = CountingObserver()
        let budget = MemoryBudget(limit: 1 << 20)
        let benches = (0..<2).map { _ in CoreBench(observer: observer, budget: budget) }
        for (number, bench) in benches.enumerated() {
            _ = bench.turn {
                bench.headers(1, "/test.Echo/Hang")
                bench.data(1, CoreBench.framed(String(repeating: "x", count: number == 0 ? 500_000 : 600_000)), end: true)
            }
            bench.loop.run()
        }
        for bench in benches { bench.loop.run() }
        #expect(benches.map(\.port.isClosed) == [false, true])
        #expect(observer.lines.contains("shed memory"))
        for bench in benches { bench.service.journal.forget() }
    }

    @Test(.timeLimit(.minutes(1))) func `a connection whose own answer is too much is closed`() {
        let observer = CountingObserver()
        let bench = CoreBench(observer: observer, budget: MemoryBudget(limit: 1 << 20))
        _ = bench.turn {
            bench.headers(1, "/test.Echo/Unary")
            bench.data(1, CoreBench.framed(String(repeating: "x", count: 600_000)), end: true)
        }
        bench.loop.run()
        #expect(bench.port.isClosed && observer.lines.contains("shed memory"))
    }

    @Test func `requests that do not end are stopped while the process holds much`() {
        let budget = MemoryBudget(limit: 16 << 20)
        let observer = CountingObserver()
        let benches = (0..<10).map { _ in CoreBench(observer: observer, budget: budget) }
        let part: [UInt8] = [0, 0, 0x90, 0, 0] + [UInt8](repeating: 0, count: 1 << 20)
        for stream in stride(from: 1, through: 19, by: 2) {
            for bench in benches {
                _ = bench.turn {
                    bench.headers(stream, "/test.Echo/Unary")
                    bench.data(stream, part)
                }
                #expect(budget.held < 18 << 20)
            }
        }
        #expect(benches.allSatisfy { bench in bench.port.lines.contains { $0.hasSuffix("resourceExhausted alone stop") } })
        #expect(observer.lines.contains("shed request_bytes"))
    }

    @Test func `requests of one client behind a proxy are bounded together, over all connections`() {
        let table = AddressTable(limit: 3)
        let clients = ProxiedClients(table: table) { .address($0["x-forwarded-for"] ?? "") }
        let observer = CountingObserver()
        let benches = (0..<2).map { _ in CoreBench(observer: observer, clients: clients) }
        func open(_ bench: CoreBench, _ stream: StreamID, _ client: String) -> [String] {
            bench.turn { bench.headers(stream, "/test.Echo/Listen", [("x-forwarded-for", client)]) }
        }
        for stream in [1, 3] { #expect(open(benches[0], stream, "a").first == "headers \(stream)") }
        #expect(open(benches[1], 1, "a").first == "headers 1")
        #expect(open(benches[1], 3, "a") == ["trailers 3 resourceExhausted alone stop"])
        #expect(open(benches[1], 5, "b").first == "headers 5")
        benches[0].core.receiveReset(1, .cancel)
        benches[0].core.streamClosed(1)
        #expect(open(benches[1], 7, "a").first == "headers 7")
        for bench in benches { bench.core.connectionLost(RPCStatus(.unavailable, "lost")) }
        #expect(table.count == 0)
        #expect(observer.lines.contains("shed address"))
    }
}
