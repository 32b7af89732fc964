// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreEngine

@Suite struct ExpiryPaceTests {
    @Test func `groups grow to the largest while nothing else is committed, without a pause`() {
        var pace = ExpiryPace()
        for _ in 0..<10 { #expect(pace.pause(afterNanoseconds: 1_000_000, isQuiet: true) == 0) }
        #expect(pace.size == ExpiryPace.largest)
    }

    /// OT-36
    @Test func `beside other commits groups are small and take a fifth of the time`() {
        var pace = ExpiryPace()
        for _ in 0..<10 { #expect(pace.pause(afterNanoseconds: 1_000_000, isQuiet: false) == 4_000_000) }
        #expect(pace.size == ExpiryPace.smallest)
        #expect(pace.pause(afterNanoseconds: 1_000_000, isQuiet: true) == 0)
        #expect(pace.size == 2 * ExpiryPace.smallest)
    }
}
