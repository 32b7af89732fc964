// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreEngine

struct LogVolumeTests {
    private static let minute: Int64 = 60_000_000

    @Test func `a cut takes the minutes before it`() {
        var volume = LogVolume()
        #expect(volume.start == nil)
        for minute in 0..<10 { volume.add(100 + minute, now: Int64(minute) * Self.minute + 5) }
        volume.add(1_000, now: 9 * Self.minute + 6)
        #expect(volume.bytes == 1_000 + 1_045)
        volume.cut(at: DocumentVersion(microseconds: 3 * Self.minute + 1))
        #expect(volume.bytes == 1_000 + 1_045 - (100 + 101 + 102))
        #expect(volume.start?.microseconds == 3 * Self.minute + 1)
        // An earlier moment changes nothing.
        volume.cut(at: DocumentVersion(microseconds: Self.minute))
        #expect(volume.start?.microseconds == 3 * Self.minute + 1)
        volume.cut(at: DocumentVersion(microseconds: 100 * Self.minute))
        #expect(volume.bytes == 0)
    }

    @Test func `a clock that is set back adds to the last minute`() {
        var volume = LogVolume()
        volume.add(1, now: 5 * Self.minute)
        volume.add(2, now: 1)
        volume.cut(at: DocumentVersion(microseconds: 2 * Self.minute))
        #expect(volume.bytes == 3)
    }
}
