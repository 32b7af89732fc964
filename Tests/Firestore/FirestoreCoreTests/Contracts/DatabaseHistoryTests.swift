// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

struct DatabaseHistoryTests {
    private let first: UInt64 = 0x1111_1111_0000_0001
    private let second: UInt64 = 0x2222_2222_0000_0002
    private let third: UInt64 = 0x3333_3333_0000_0003

    private func time(_ microseconds: Int64) -> DocumentVersion { DocumentVersion(microseconds: microseconds) }

    private var history: DatabaseHistory {
        DatabaseHistory(number: third, earlier: [.init(number: first, end: time(100)), .init(number: second, end: time(200))])
    }

    /// DN-5.6.
    @Test func `a token of an earlier history holds up to the moment at which the next one began`() {
        #expect(history.includes(0x1111_1111, at: time(100)))
        #expect(!history.includes(0x1111_1111, at: time(101)))
        #expect(history.includes(0x2222_2222, at: time(200)))
        #expect(!history.includes(0x2222_2222, at: time(201)))
    }

    @Test func `a token of the present history holds whatever its time`() {
        #expect(history.includes(0x3333_3333, at: time(1)))
        #expect(history.includes(0x3333_3333, at: time(1_000)))
    }

    @Test func `a token of an unknown history, or of none, does not hold`() {
        #expect(!history.includes(0x4444_4444, at: time(1)))
        #expect(!history.includes(nil, at: time(1)))
        #expect(DatabaseHistory(number: third, includesEarlierTokens: true).includes(nil, at: time(1)))
    }

    @Test func `without a time an earlier history is another one`() {
        #expect(!history.includes(0x1111_1111))
        #expect(history.includes(0x3333_3333))
    }
}
