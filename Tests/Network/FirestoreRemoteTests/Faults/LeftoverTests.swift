// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import NetworkFaults
import NIOCore
import TestSupport
import Testing

/// What is cancelled or shut down leaves nothing behind, on neither side.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LeftoverTests {
    @Test func `a query that is cancelled while its pages are read ends on the server`() async throws {
        try await FaultFixture.with { fixture in
            // More than the windows hold, so that the server cannot be done before the reader is.
            let large = Value.bytes([UInt8](repeating: 1, count: 900_000))
            for number in 0..<24 {
                let fields = FieldBytes(FieldMap([("b", large)]))
                try await fixture.truth.commit(Write(key: DocumentKey(trusted: "c/\(number)"), operation: .set(fields)))
            }
            let hasPage = Mutex(false)
            let task = Task {
                try await fixture.service.run(.collection("c"), options: .latest, context: .embedded) { _ throws(FirestoreError) in
                    hasPage.withLock { $0 = true }
                    do { try await Task.sleep(for: .seconds(600)) } catch { throw FirestoreError(.cancelled, "the reader was cancelled") }
                    return .next
                }
            }
            await eventually("a page") { hasPage.withLock { $0 } }
            #expect(fixture.counter.open("RunQuery") == 1)
            task.cancel()
            await expectError(.cancelled) { try await task.value }
            await eventually("nothing is left") { fixture.counter.open == 0 }
        }
    }

    @Test func `calls that are cancelled while the server is silent end at once`() async throws {
        try await FaultFixture.with { fixture in
            try await fixture.service.commit(.set("c/a"))
            fixture.proxy.silence([.toClient])
            let tasks = (0..<20).map { number in
                Task {
                    if number % 2 == 0 { _ = try await fixture.service.get("c/a") } else { _ = try await fixture.service.find(.collection("c")) }
                }
            }
            await eventually("asked") { fixture.counter.started("BatchGetDocuments") == 10 && fixture.counter.started("RunQuery") == 10 }
            for task in tasks { task.cancel() }
            for task in tasks { await expectError(.cancelled) { try await task.value } }
            await eventually("nothing is left") { fixture.counter.open == 0 }
            fixture.proxy.cut()
        }
    }

    @Test func `watches that are cancelled, and streams nobody needs, end on the server`() async throws {
        let hours = HourGlass()
        try await FaultFixture.with(writeAhead: WriteAhead(most: 256, sleep: { _ in await hours.wait() })) { fixture in
            let sinks = (0..<10).map { _ in ModelSink() }
            let handles = sinks.map { fixture.service.watch(.query(.collection("c")), context: .embedded, sink: $0) }
            let outcomes = Outcomes()
            for number in 0..<50 { fixture.service.submit([.set("c/\(number)")], context: .embedded, completion: outcomes.note(number)) }
            let wanted = try await { () async throws -> [Document] in
                await eventually("told") { outcomes.count == 50 }
                return try await fixture.truth.find(.collection("c"))
            }()
            await eventually("shown") { sinks.allSatisfy { $0.shows(wanted) } }
            #expect(fixture.counter.open("Listen") == 1 && fixture.counter.open("Write") == 1)
            for handle in handles { handle.cancel() }
            await eventually("nothing is left") {
                hours.turn()
                return fixture.counter.open == 0
            }
            #expect(fixture.counter.connections == 1)
            await fixture.service.shutdown()
            await eventually("no connection is left") { fixture.counter.connections == 0 }
            hours.stop()
        }
    }

    @Test func `a connection that breaks leaves nothing on the server`() async throws {
        try await FaultFixture.with { fixture in
            let handle = fixture.service.watch(.query(.collection("c")), context: .embedded, sink: ModelSink())
            let outcomes = Outcomes()
            for number in 0..<50 { fixture.service.submit([.set("c/\(number)")], context: .embedded, completion: outcomes.note(number)) }
            await eventually("told") { outcomes.count == 50 && fixture.counter.open("Listen") == 1 }
            handle.cancel()
            fixture.proxy.refuse(true)
            fixture.proxy.cut(.reset)
            await eventually("nothing is left") { fixture.counter.open == 0 && fixture.counter.connections == 0 }
        }
    }
}
