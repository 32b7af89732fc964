// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct HistoryRecordTests {
    private func time(_ microseconds: Int64) -> DocumentVersion { DocumentVersion(microseconds: microseconds) }

    @Test(arguments: [
        HistoryRecord.unknown, .earlier, .known(history: 0x0000_0001_0203_0405, lastCommit: DocumentVersion(microseconds: 7)),
        .known(history: .max, lastCommit: DocumentVersion(microseconds: .max)),
    ])
    func `a record that was noted is read again`(record: HistoryRecord) {
        #expect(HistoryRecord(note: record.note) == record)
    }

    @Test(arguments: [
        nil, "garbage", "\n", "history", "history 1 2\n", "history 00000000000000ff\n", "history 00000000000000ff -1\n",
        "history 00000000000000ff 99999999999999999999\n", "history 00000000000000xy 5\n", "other 00000000000000ff 5\n",
        "history 00000000000000ff 5 6\n", "\u{0}\u{0}",
    ])
    func `any other note says nothing, and fits no file`(note: String?) {
        #expect(HistoryRecord(note: note) == .unknown)
        #expect(!HistoryRecord(note: note).fits(0xFF, time(.max)))
    }

    @Test func `a file fits if it has the history and the noted commit`() {
        let record = HistoryRecord.known(history: 5, lastCommit: time(10))
        #expect(record.fits(5, time(10)) && record.fits(5, time(11)))
        #expect(!record.fits(5, time(9)) && !record.fits(6, time(10)))
        #expect(HistoryRecord.earlier.fits(6, .none))
    }
}
