// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TestSupport
import Testing

@testable import FirestoreRPC

struct DeadlineHeapTests {
    @Test func `deadlines come out in their order, whatever is thrown out between`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            var heap = DeadlineHeap()
            var model: [Int: UInt64] = [:]
            for id in 0..<300 {
                let deadline = UInt64.random(in: 0...1000, using: &random)
                heap.insert(.uptimeNanoseconds(deadline), id)
                model[id] = deadline
            }
            for id in 0..<250 where Bool.random(using: &random) { model[id] = nil }
            heap.compact(living: 10) { model[$0] != nil }
            var last: UInt64 = 0
            while let id = heap.popExpired(at: .uptimeNanoseconds(500)) {
                guard let deadline = model.removeValue(forKey: id) else { continue }
                #expect(deadline >= last && deadline <= 500)
                last = deadline
            }
            #expect(model.values.allSatisfy { $0 > 500 })
            #expect(heap.next.map { $0 > .uptimeNanoseconds(500) } ?? true)
        }
    }
}
