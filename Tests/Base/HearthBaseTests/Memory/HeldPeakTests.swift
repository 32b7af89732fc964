// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import Testing

/// When a budget notices that much memory was freed.
struct HeldPeakTests {
    @Test func `memory is given back once for each fall of more than 32 MiB, and not for what comes and goes`() {
        let calls = Mutex(0)
        let peak = HeldPeak { calls.withLock { $0 += 1 } }
        func hold(_ mebibytes: Int...) -> Int {
            for (index, size) in mebibytes.enumerated() {
                let isMore = index > 0 && size > mebibytes[index - 1]
                if isMore { peak.rose(to: size << 20) } else { peak.fell(to: size << 20) }
            }
            return calls.withLock { $0 }
        }
        #expect(hold(0, 40, 10, 40, 10) == 0)
        #expect(hold(10, 40, 7) == 1)
        // What was freed before does not count again.
        #expect(hold(7, 3, 0) == 1)
        #expect(hold(0, 100, 60, 30, 0) == 3)
    }
}
