// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import Foundation
import NetworkFaults
import NIOCore
import TestSupport
import Testing

/// Listeners over connections that break.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ListenFaultTests {
    static let seeds = Array(1...TestScale.pick(quick: 2, full: 12) as ClosedRange<UInt64>)

    static let targets: [WatchTarget] = [
        .query(.collection("c")), .query(.collection("c").below(50)), .query(.collection("c").first(4)), .document(DocumentKey(trusted: "c/3")),
        .query(.collection("pair")),
    ]

    @Test(arguments: seeds)
    func `however the connection breaks, listeners miss nothing, hear nothing twice and see whole commits`(seed: UInt64) async throws {
        try await FaultFixture.with { fixture in
            var random = SeededGenerator(seed: seed)
            func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
            let proxy = fixture.proxy
            let sinks = Self.targets.indices.map { ModelSink(isEven: $0 == Self.targets.count - 1) }
            let handles = zip(Self.targets, sinks).map { fixture.service.watch($0, context: .embedded, sink: $1) }
            for round in 0..<12 {
                for step in 0..<number(1...25) {
                    let path = "c/\(number(0...11))"
                    let write = number(0...3) == 0 ? Write.delete(path) : .set(path, number(0...99))
                    let even = round * 100 + step
                    try await fixture.truth.commit(write, .set("pair/a", even), .set("pair/b", even))
                    let end = FaultProxy.End.allCases[number(0...1)]
                    switch number(0...19) {
                    case 0: proxy.cut(end)
                    case 1: proxy.cut(after: number(0...1_500), .toClient, end)
                    case 2: proxy.cut(after: number(0...400), .toServer, end)
                    case 3: proxy.delay(.milliseconds(Int64(number(0...3))))
                    case 4:
                        proxy.refuse(true)
                        proxy.cut(end)
                        for _ in 0..<number(0...50) { await Task.yield() }
                        proxy.refuse(false)
                    default: break
                    }
                }
                for (target, sink) in zip(Self.targets, sinks) {
                    let wanted = try await Self.documents(of: target, in: fixture.truth)
                    await eventually("\(target) shows what is there, round \(round), seed \(seed)") { sink.shows(wanted) }
                }
            }
            for (target, sink) in zip(Self.targets, sinks) { #expect(sink.complaints == [], "\(target), seed \(seed)") }
            #expect(proxy.accepted > 1)
            for handle in handles { handle.cancel() }
            await eventually("no stream is left") { fixture.counter.open("Listen") == 0 }
        }
    }

    private static func documents(of target: WatchTarget, in truth: any DocumentService) async throws -> [Document] {
        switch target {
        case .document(let key): try await truth.documents([key], context: .embedded).documents.compactMap { $0 }
        case .query(let query): try await truth.find(query)
        }
    }

    @Test func `a listener whose connection has gone silent resumes on another one`() async throws {
        try await FaultFixture.with(pingAfter: .seconds(1), pingTimeout: .seconds(2)) { fixture in
            let sink = ModelSink()
            let handle = fixture.service.watch(.query(.collection("c")), context: .embedded, sink: sink)
            try await fixture.truth.commit(.set("c/a", 1))
            let first = try await fixture.truth.find(.collection("c"))
            await eventually("first") { sink.shows(first) }
            fixture.proxy.silence()
            try await fixture.truth.commit(.set("c/b", 2))
            let second = try await fixture.truth.find(.collection("c"))
            await eventually("second") { sink.shows(second) }
            #expect(sink.complaints == [])
            #expect(fixture.proxy.accepted > 1)
            handle.cancel()
            await eventually("no stream is left") { fixture.counter.open("Listen") == 0 }
        }
    }

    @Test func `a listener waits for a server that cannot be reached`() async throws {
        try await FaultFixture.with { fixture in
            fixture.proxy.refuse(true)
            let sink = ModelSink()
            let handle = fixture.service.watch(.query(.collection("c")), context: .embedded, sink: sink)
            try await fixture.truth.commit(.set("c/a", 1))
            #expect(sink.batches == 0)
            fixture.proxy.refuse(false)
            let wanted = try await fixture.truth.find(.collection("c"))
            await eventually("told") { sink.shows(wanted) }
            #expect(sink.complaints == [])
            handle.cancel()
        }
    }
}
