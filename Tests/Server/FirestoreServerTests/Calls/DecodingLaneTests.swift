// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import ServerFixtures
import Testing

@testable import FirestoreServer

/// Large bodies wait for threads of their own, and not without bounds.
struct DecodingLaneTests {
    /// Queues bodies, releases the lane, and returns their names in the order in which they were decoded.
    private func order(_ held: HeldLane, _ bodies: [(caller: String, name: String)]) async -> [String] {
        let names = Mutex<[String]>([])
        await withTaskGroup(of: Void.self) { group in
            for (caller, name) in bodies {
                let ended = AsyncStream<Void>.makeStream()
                #expect(throws: Never.self) {
                    try held.lane.decode(bytes: 100, of: caller) { names.withLock { $0.append(name) } } then: { _ in ended.continuation.finish() }
                }
                group.addTask { for await _ in ended.stream {} }
            }
            await held.release()
        }
        return names.withLock { $0 }
    }

    @Test func `callers take turns, so that one that sends much delays only its own bodies`() async {
        let held = HeldLane()
        await held.hold(bytes: 100, of: "ada")
        let order = await order(held, [("ada", "a1"), ("ada", "a2"), ("ada", "a3"), ("ben", "b1"), ("cy", "c1"), ("ben", "b2")])
        #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3"])
        #expect(held.lane.bytes == 0)
    }

    @Test func `the bytes of one caller are bounded, and the bytes of all callers together`() async throws {
        let held = HeldLane(ofCaller: 1_000, inAll: 1_500)
        await held.hold(bytes: 600, of: "ada")
        func refusal(_ bytes: Int, of caller: String) -> FirestoreError? {
            #expect(throws: FirestoreError.self) { try held.lane.decode(bytes: bytes, of: caller) {} then: { _ in } }
        }
        let own = refusal(401, of: "ada")
        #expect(own?.code == .resourceExhausted && own?.message.contains("of this caller") == true && own?.message.contains("1000 bytes") == true)
        let all = refusal(901, of: "ben")
        #expect(all?.code == .resourceExhausted && all?.message.contains("1500 bytes") == true)
        // What was rejected holds no capacity.
        #expect(held.lane.bytes == 600)
        _ = await order(held, [("ada", "a"), ("ben", "b")])
        #expect(held.lane.bytes == 0)
        // There is capacity again.
        await held.hold(bytes: 1_000, of: "ada")
        await held.release()
    }

    @Test(arguments: [
        ("10.0.0.1:5000", "address 10.0.0.1"), ("fe80::1:5000", "address fe80::1"), ("", "address "), ("test", "address test"),
    ]) func `callers without an id are distinguished by their addresses, whatever their ports`(peer: String, expected: String) {
        #expect(DecodingLane.caller(nil, at: peer) == expected && DecodingLane.caller(.anonymous, at: peer) == expected)
        #expect(DecodingLane.caller(.administrator, at: peer) == expected)
        #expect(DecodingLane.caller(.user(id: "ada", claims: FieldMap([])), at: peer) == "user ada")
    }
}
