// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import Foundation
import NetworkFaults
import NIOCore
import TestSupport
import Testing

/// Writes over connections that break.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct WriteFaultTests {
    static let seeds = Array(1...TestScale.pick(quick: 2, full: 20) as ClosedRange<UInt64>)

    /// Each commit adds one to a sum and makes a document that must not be there yet: were one applied twice, the sum would
    /// differ from the number of documents, or a commit would fail because its document exists.
    @Test(arguments: seeds)
    func `however the connection breaks, no write is applied twice, and answers are true`(seed: UInt64) async throws {
        try await FaultFixture.with { fixture in
            var random = SeededGenerator(seed: seed)
            func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
            let proxy = fixture.proxy
            let sessions = [fixture.service, try fixture.service.session()] as [any DocumentService]
            let outcomes = Outcomes()
            var submitted = 0
            while submitted < 600 {
                for _ in 0..<number(1...60) {
                    // Some go in calls of their own.
                    let deadline: ContinuousClock.Instant? = number(0...16) == 0 ? .now + .seconds(600) : nil
                    sessions[number(0...4) == 0 ? 1 : 0].submit(
                        [.increment("d/sum"), .set("d/\(submitted)", submitted, .exists(false))],
                        context: RequestContext(caller: .administrator, deadline: deadline), completion: outcomes.note(submitted))
                    submitted += 1
                }
                let end = FaultProxy.End.allCases[number(0...1)]
                switch number(0...9) {
                case 0: proxy.cut(end)
                case 1...2: proxy.cut(after: number(0...6_000), .toServer, end)
                case 3...4: proxy.cut(after: number(0...3_000), .toClient, end)
                case 5: proxy.delay(.milliseconds(Int64(number(0...4))))
                case 6:
                    proxy.refuse(true)
                    proxy.cut(end)
                    for _ in 0..<number(0...50) { await Task.yield() }
                    proxy.refuse(false)
                default: await eventually("told") { outcomes.count >= submitted - number(0...100) }
                }
            }
            await eventually("all told") { outcomes.count == submitted }

            // One query: one moment.
            let documents = try await fixture.truth.find(.collection("d"))
            let applied = Set(documents.compactMap { Int($0.id) })
            let sum = documents.first { equalUTF8($0.id, "sum") }?.number ?? 0
            #expect(sum == applied.count, "seed \(seed)")
            #expect(outcomes.acknowledged.isSubset(of: applied), "seed \(seed)")
            let unknown = outcomes.errors
            #expect(applied.count <= outcomes.acknowledged.count + unknown.count)
            for (number, error) in unknown {
                // Never `alreadyExists`.
                #expect([.unavailable, .cancelled, .internal].contains(error.code), "\(number): \(error), seed \(seed)")
                if error.message.hasSuffix("not sent") { #expect(!applied.contains(number), "\(number), seed \(seed)") }
            }
            await sessions[1].shutdown()
        }
    }

    @Test func `a write whose answer is lost is unavailable, and says that it may have been applied`() async throws {
        try await FaultFixture.with { fixture in
            try await fixture.service.commit(.set("c/0"))
            fixture.proxy.silence([.toClient])
            let outcomes = Outcomes()
            for number in 1...3 { fixture.service.submit([.set("c/\(number)")], context: .embedded, completion: outcomes.note(number)) }
            // The first goes by itself; the others wait for it and for the stream.
            try await eventually("applied") { try await fixture.truth.get("c/1") != nil }
            fixture.proxy.cut()
            await eventually("told") { outcomes.count == 3 }
            #expect(outcomes.errors[1]?.code == .unavailable)
            #expect(try await fixture.truth.get("c/1") != nil)
            try await fixture.service.commit(.set("c/4"))
        }
    }

    @Test func `batches that were sent and not answered are unavailable, those behind go out on another stream`() async throws {
        try await FaultFixture.with(writeAhead: WriteAhead(most: 10, first: 10)) { fixture in
            let outcomes = Outcomes()
            func submit(_ numbers: Range<Int>) {
                for number in numbers {
                    fixture.service.submit([.set("c/\(number)", number, .exists(false))], context: .embedded, completion: outcomes.note(number))
                }
            }
            submit(0..<20)
            await eventually("the stream is open") { outcomes.count == 20 }
            fixture.proxy.silence([.toClient])
            submit(20..<50)
            try await eventually("ten are applied") { try await fixture.truth.find(.collection("c")).count == 30 }
            fixture.proxy.cut(.reset)
            await eventually("all told") { outcomes.count == 50 }
            #expect(outcomes.order == Array(0..<50))
            #expect(Set(outcomes.errors.keys) == Set(20..<30))
            #expect(outcomes.errors.values.allSatisfy { $0.code == .unavailable && $0.message.contains("may or may not have been applied") })
            #expect(try await fixture.truth.find(.collection("c")).count == 50)
        }
    }

    @Test func `while the server cannot be reached writes fail at once, and then they do not`() async throws {
        try await FaultFixture.with { fixture in
            fixture.proxy.refuse(true)
            let outcomes = Outcomes()
            for number in 0..<200 { fixture.service.submit([.set("c/\(number)")], context: .embedded, completion: outcomes.note(number)) }
            await eventually("all told") { outcomes.count == 200 }
            #expect(outcomes.order == Array(0..<200))
            #expect(outcomes.errors.count == 200 && outcomes.errors.values.allSatisfy { $0.code == .unavailable })
            fixture.proxy.refuse(false)
            // A connection from before may still be on its way to being refused.
            await eventually("a write goes through") { (try? await fixture.service.commit(.set("c/a"))) != nil }
            let found = try await fixture.truth.find(.collection("c"))
            #expect(found.count == 1)
        }
    }

    @Test func `a connection that has gone silent is found by pings, and what waits for it fails`() async throws {
        try await FaultFixture.with(pingAfter: .seconds(1), pingTimeout: .seconds(2)) { fixture in
            let outcomes = Outcomes()
            func submit(_ numbers: Range<Int>) {
                for number in numbers { fixture.service.submit([.set("c/\(number)")], context: .embedded, completion: outcomes.note(number)) }
            }
            submit(0..<20)
            await eventually("told") { outcomes.count == 20 }
            fixture.proxy.silence()
            submit(20..<24)
            await eventually("told of the silence") { outcomes.count == 24 }
            for number in 20..<24 { #expect(outcomes.errors[number]?.code == .unavailable) }
            // On another connection.
            await eventually("goes on") {
                do throws(FirestoreError) {
                    try await fixture.service.commit(.set("c/after"))
                    return true
                } catch {
                    return false
                }
            }
            let lost = try await fixture.truth.get("c/20")
            #expect(lost == nil)
        }
    }
}
