// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import NetworkFaults
import NIOCore
import TestSupport
import Testing

/// Reads and transactions over connections that break (LS-40, TX-17).
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReadFaultTests {
    @Test func `a read whose connection breaks is made again, wherever it breaks`() async throws {
        try await FaultFixture.with { fixture in
            for number in 0..<40 { try await fixture.truth.commit(.set("c/\(number)", number)) }
            let wanted = try await fixture.truth.find(.collection("c")).map(\.key)
            var random = SeededGenerator(seed: 5)
            for round in 0..<60 {
                let direction = FaultProxy.Direction.allCases[round % 2]
                let end = FaultProxy.End.allCases[round / 2 % 2]
                // Once in each round, in the middle of something or not at all.
                fixture.proxy.cut(after: .random(in: 0...(direction == .toServer ? 300 : 5_000), using: &random), direction, end)
                switch round % 3 {
                case 0:
                    let found = try await fixture.service.find(.collection("c")).map(\.key)
                    #expect(found == wanted)
                case 1:
                    let document = try await fixture.service.get("c/7")
                    #expect(document?.number == 7)
                default:
                    let count = Aggregation(.count(upTo: nil))
                    let counted = try await fixture.service.aggregate(.collection("c"), [count], options: .latest, context: .embedded)
                    guard case .integer(40)? = counted.values.first?.value else {
                        Issue.record("counted \(counted.values)")
                        return
                    }
                }
            }
            #expect(fixture.proxy.accepted > 10)
        }
    }

    @Test func `pages that were handed on are not handed on again`() async throws {
        try await FaultFixture.with { fixture in
            let large = Value.bytes([UInt8](repeating: 1, count: 400_000))
            for number in 10..<40 {
                let fields = FieldBytes(FieldMap([("b", large)]))
                try await fixture.truth.commit(Write(key: DocumentKey(trusted: "c/\(number)"), operation: .set(fields)))
            }
            let wanted = (10..<40).map { "c/\($0)" }
            for bytes in stride(from: 100_000, through: 13_000_000, by: 1_600_000) {
                fixture.proxy.cut(after: bytes, .toClient, .reset)
                let seen = Mutex<[String]>([])
                do throws(FirestoreError) {
                    try await fixture.service.run(.collection("c"), options: .latest, context: .embedded) { page throws(FirestoreError) in
                        seen.withLock { $0 += page.documents.map(\.key.path) }
                        return .next
                    }
                    #expect(seen.withLock { $0 } == wanted)
                } catch {
                    #expect(error.code == .unavailable)
                    #expect(seen.withLock { wanted.starts(with: $0) })
                }
            }
        }
    }

    @Test func `a transaction outlives its connection while it reads, and its commit is not made twice`() async throws {
        try await FaultFixture.with { fixture in
            let service = fixture.service
            try await fixture.truth.commit(.set("c/a", 1))
            let key = DocumentKey(trusted: "c/a")
            let first = try await service.beginTransaction(.readWrite(retrying: nil), context: .embedded)
            fixture.proxy.cut(.reset)
            let read = try await service.documents([key], options: .transaction(first), context: .embedded)
            #expect(read.documents.first??.number == 1)
            fixture.proxy.cut()
            // By a read, which may be made twice, the client finds out; a commit sent before that would be lost.
            _ = try await service.documents([key], options: .transaction(first), context: .embedded)
            _ = try await service.commit([.set("c/a", 2)], in: first, context: .embedded)

            // The answer to the commit is lost: its result is unknown, so it is not repeated.
            let second = try await service.beginTransaction(.readWrite(retrying: nil), context: .embedded)
            _ = try await service.documents([key], options: .transaction(second), context: .embedded)
            fixture.proxy.silence([.toClient])
            let outcomes = Outcomes()
            service.submit([.increment("c/a")], in: second, context: .embedded, completion: outcomes.note(1))
            try await eventually("applied") { try await fixture.truth.get("c/a")?.number == 3 }
            fixture.proxy.cut(.reset)
            await eventually("told") { outcomes.count == 1 }
            #expect(outcomes.errors[1]?.code == .unavailable && outcomes.errors[1]?.progress == .unknown)
            #expect(try await fixture.truth.get("c/a")?.number == 3)
        }
    }

    @Test func `a read on a connection that has gone silent is made again on another one`() async throws {
        try await FaultFixture.with(pingAfter: .seconds(1), pingTimeout: .seconds(2)) { fixture in
            try await fixture.truth.commit(.set("c/a", 1))
            _ = try await fixture.service.get("c/a")
            fixture.proxy.silence()
            let document = try await fixture.service.get("c/a")
            #expect(document?.number == 1)
            #expect(fixture.proxy.accepted == 2)
        }
    }

    @Test func `reads fail while the server cannot be reached, and then they do not`() async throws {
        try await FaultFixture.with { fixture in
            fixture.proxy.refuse(true)
            await expectError(.unavailable) { try await fixture.service.get("c/a") }
            fixture.proxy.refuse(false)
            let document = try await fixture.service.get("c/a")
            #expect(document == nil)
        }
    }
}
