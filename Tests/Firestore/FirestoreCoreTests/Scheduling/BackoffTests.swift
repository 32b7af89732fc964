// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct BackoffTests {
    /// Names of the users, their numbers, and the first nominal delays.
    static let rows: [(first: Duration, factor: Double, longest: Duration, delays: [Duration])] = [
        // Lost streams.
        (.seconds(1), 1.5, .seconds(60), [.seconds(1), .milliseconds(1_500), .milliseconds(2_250), .milliseconds(3_375)]),
        // Calls.
        (.milliseconds(250), 2.5, .seconds(5), [.milliseconds(250), .milliseconds(625), .microseconds(1_562_500), .nanoseconds(3_906_250_000), .seconds(5), .seconds(5)]),
        // Tokens.
        (.milliseconds(500), 2, .seconds(60), [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]),
        // Imports and exports.
        (.milliseconds(250), 2, .seconds(16), [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(16)]),
        // Conflicts inside the process.
        (.milliseconds(5), 1.5, .seconds(60), [.milliseconds(5), .microseconds(7_500), .microseconds(11_250), .microseconds(16_875)]),
        // A growth of 1: always the same.
        (.seconds(1), 1, .seconds(60), [.seconds(1), .seconds(1), .seconds(1)]),
        // The first is the longest already.
        (.seconds(2), 2, .seconds(2), [.seconds(2), .seconds(2)]),
    ]

    @Test(arguments: rows.indices) func `delays grow from the first to the longest`(index: Int) {
        let row = Self.rows[index]
        let backoff = Backoff(first: row.first, factor: row.factor, longest: row.longest, jitter: 0)
        #expect((1...row.delays.count).map { backoff.delay(afterFailures: $0) } == row.delays)
        #expect(backoff.delay(afterFailures: 100_000) == (row.factor > 1 ? row.longest : row.first))
    }

    @Test func `the first attempt comes immediately`() {
        #expect(Backoff().delay(afterFailures: 0) == .zero)
        #expect(Backoff().delay(afterFailures: 0, because: .resourceExhausted) == .zero)
    }

    @Test func `an exhausted server gets the longest delay immediately (LS-41)`() {
        let backoff = Backoff(jitter: 0)
        #expect(backoff.delay(afterFailures: 1, because: .resourceExhausted) == .seconds(60))
        #expect(backoff.delay(afterFailures: 9, because: .resourceExhausted) == .seconds(60))
        #expect(backoff.delay(afterFailures: 1, because: .unavailable) == .seconds(1))
    }

    @Test(arguments: [(0.0, 0.5), (0.25, 0.75), (0.5, 1), (0.75, 1.25)])
    func `chance makes a delay shorter or longer`(chance: Double, part: Double) {
        let backoff = Backoff(random: { chance })
        #expect(backoff.delay(afterFailures: 1) == .seconds(1) * part)
        #expect(backoff.delay(afterFailures: 1, because: .resourceExhausted) == .seconds(60) * part)
    }

    @Test func `the default chance stays within the jitter`() {
        let backoff = Backoff()
        for _ in 0..<1_000 {
            let delay = backoff.delay(afterFailures: 1)
            #expect(delay >= .milliseconds(500) && delay < .milliseconds(1_500))
        }
    }
}
