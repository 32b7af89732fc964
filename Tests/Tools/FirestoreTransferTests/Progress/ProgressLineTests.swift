// SPDX-License-Identifier: Apache-2.0
import FirestoreTransfer
import Testing

struct ProgressLineTests {
    struct Case: Sendable, CustomStringConvertible {
        let documents: Int
        let bytes: Int64
        let total: Int64?
        let milliseconds: Int
        var width = 100
        let text: String
        var description: String { text }
    }

    static let cases = [
        Case(
            documents: 13_940, bytes: 2_900_000, total: 7_000_000, milliseconds: 2_000,
            text: "[#########---------------]  41%  13,940 documents  6,970/s  2.9 MB of 7.0 MB  0:03 left"),
        Case(documents: 0, bytes: 0, total: 7_000_000, milliseconds: 0, text: "[------------------------]   0%  0 documents  0/s  0 bytes of 7.0 MB"),
        Case(
            documents: 1, bytes: 7_000_000, total: 7_000_000, milliseconds: 1_000,
            text: "[########################] 100%  1 document  1/s  7.0 MB of 7.0 MB"),
        Case(documents: 1_234_567, bytes: 999, total: nil, milliseconds: 10_000, text: "1,234,567 documents  123,456/s  999 bytes"),
        Case(documents: 5, bytes: 1_000, total: 0, milliseconds: 10, text: "5 documents  500/s  1.0 kB of 0 bytes"),
        // A file that grows while it is read.
        Case(
            documents: 5, bytes: 2_000, total: 1_000, milliseconds: 1_000,
            text: "[########################] 100%  5 documents  5/s  2.0 kB of 1.0 kB"),
        Case(
            documents: 5, bytes: 20_000_000_000, total: 3_000_000_000_000, milliseconds: 3_600_000,
            text: "[------------------------]   0%  5 documents  0/s  20.0 GB of 3.0 TB"),
        Case(
            documents: 500, bytes: 50, total: 1_000, milliseconds: 600_000,
            text: "[#-----------------------]   5%  500 documents  0/s  50 bytes of 1.0 kB  3:10:00 left"),
        Case(documents: 13_940, bytes: 2_900_000, total: 7_000_000, milliseconds: 2_000, width: 60, text: "[#########---------------]  41%  13,940 documents  6,970/s"),
        Case(documents: 13_940, bytes: 2_900_000, total: 7_000_000, milliseconds: 2_000, width: 10, text: "[#########"),
        Case(documents: 1, bytes: 1, total: nil, milliseconds: 1_000, width: 0, text: ""),
    ]

    @Test(arguments: cases)
    func `a line shows what fits the width`(line: Case) {
        let progress = TransferProgress(documents: line.documents, bytes: line.bytes, totalBytes: line.total)
        let text = ProgressLine.text(progress, after: .milliseconds(line.milliseconds), width: line.width)
        #expect(text == line.text)
        #expect(text.count <= line.width)
    }

    static let summaries: [(documents: Int, bytes: Int64, milliseconds: Int, text: String)] = [
        (34_006, 6_971_673, 700, "34,006 documents in 0.7 s (48,580/s), 6.9 MB"), (1, 12, 2, "1 document in 0.0 s, 12 bytes"),
        (1_000_000, 1_000_000_000, 125_000, "1,000,000 documents in 2:05 (8,000/s), 1.0 GB"), (0, 0, 50, "0 documents in 0.0 s (0/s), 0 bytes"),
    ]

    @Test(arguments: summaries.indices)
    func `a summary says how much, how long, how fast`(index: Int) {
        let (documents, bytes, milliseconds, text) = Self.summaries[index]
        #expect(ProgressLine.summary(TransferProgress(documents: documents, bytes: bytes), after: .milliseconds(milliseconds)) == text)
    }
}
