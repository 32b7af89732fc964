// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Writes records into a log file: the counterpart of `RecordLogReader`.
package struct RecordLogWriter {
    private let file: OutputFile

    package init(_ file: OutputFile) { self.file = file }

    package var bytesWritten: Int64 { file.position }

    package func append(_ record: [UInt8]) throws(FirestoreError) {
        var start = 0
        var isFirst = true
        while true {
            let left = RecordLogFormat.blockSize - Int(file.position % Int64(RecordLogFormat.blockSize))
            if left < RecordLogFormat.headerSize {
                try file.append(repeatElement(0, count: left))
                continue
            }
            // If a block has room for a header only, the first part is empty.
            let end = min(record.count, start + left - RecordLogFormat.headerSize)
            try append(record, start..<end, isFirst: isFirst)
            if end == record.count { return }
            start = end
            isFirst = false
        }
    }

    private func append(_ record: [UInt8], _ range: Range<Int>, isFirst: Bool) throws(FirestoreError) {
        let type: RecordLogFormat.FragmentType =
            switch (isFirst, range.upperBound == record.count) {
            case (true, true): .whole
            case (true, false): .first
            case (false, false): .middle
            case (false, true): .last
            }
        var fragment: [UInt8] = []
        fragment.reserveCapacity(RecordLogFormat.headerSize + range.count)
        let checksum = record.withBytes(in: range) { RecordLogFormat.checksum(of: $0, type) }
        withUnsafeBytes(of: checksum.littleEndian) { fragment.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt16(range.count).littleEndian) { fragment.append(contentsOf: $0) }
        fragment.append(type.rawValue)
        fragment.append(contentsOf: record[range])
        try file.append(fragment)
    }

    /// Completes the file.
    package func finish() throws(FirestoreError) { try file.finish() }
}
