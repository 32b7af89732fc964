// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Reads the records of a log file one after the other, with one block and one record in memory.
///
/// Any damage ends the reading with `dataLoss`, the file and the byte: a wrong checksum, a record without an end,
/// unexpected bytes.
package struct RecordLogReader {
    private let file: InputFile
    private var block = [UInt8](repeating: 0, count: RecordLogFormat.blockSize)
    private var blockStart: Int64 = 0
    private var filled = 0
    private var position = 0
    /// The parts read so far of a record with several fragments.
    private var record: [UInt8] = []
    /// The offset of the last record.
    package private(set) var recordOffset: Int64 = 0
    private var hasEnded = false

    package init(_ file: InputFile) { self.file = file }

    package var fileName: String { file.name }
    package var fileSize: Int64? { file.size }
    /// The number of bytes of the file that have been used.
    package var bytesRead: Int64 { blockStart + Int64(position) }

    /// Passes the next record to `body`, in place; nil at the end of the file.
    package mutating func next<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(FirestoreError) -> R? {
        guard let found = try advance() else { return nil }
        return record.isEmpty ? block.withBytes(in: found, body) : record.withBytes(in: 0..<record.count, body)
    }

    /// Moves to the next record: a range of the block, or, for several fragments, all of `record`. nil at the end.
    private mutating func advance() throws(FirestoreError) -> Range<Int>? {
        record.removeAll(keepingCapacity: record.capacity < 1 << 22)
        var isInside = false
        while true {
            guard try hasFragment() else {
                if isInside { throw damage("the file ends inside a record, which begins at byte \(recordOffset)") }
                return nil
            }
            let offset = bytesRead
            let (type, content) = try fragment()
            switch (type, isInside) {
            case (.whole, false):
                recordOffset = offset
                return content
            case (.first, false):
                recordOffset = offset
                isInside = true
            case (.middle, true), (.last, true): break
            case (.whole, true), (.first, true):
                throw damage("a record begins inside another one, which begins at byte \(recordOffset)", at: offset)
            case (.middle, false), (.last, false):
                throw damage("a record continues that has not begun", at: offset)
            }
            guard record.count + content.count <= RecordLogFormat.maximumRecord else {
                throw damage("the record is longer than \(RecordLogFormat.maximumRecord) bytes", at: recordOffset)
            }
            record.append(contentsOf: block[content])
            if type == .last {
                // An empty record of several fragments would be mistaken for one in the block.
                return record.isEmpty ? content : 0..<record.count
            }
        }
    }

    /// Moves to a fragment's header and reads the next block if necessary. False at the end of the file.
    private mutating func hasFragment() throws(FirestoreError) -> Bool {
        while true {
            if filled - position >= RecordLogFormat.headerSize {
                // The rest of a block may be preallocated but unused: type 0, length 0.
                guard isZero(position..<(position + RecordLogFormat.headerSize)) else { return true }
                try skipZeros()
            } else if position < filled {
                guard filled == block.count || isZero(position..<filled) else { throw damage("the file ends inside a header") }
                try skipZeros()
            }
            guard try readBlock() else { return false }
        }
    }

    private mutating func readBlock() throws(FirestoreError) -> Bool {
        if hasEnded { return false }
        blockStart += Int64(filled)
        position = 0
        filled = 0
        let file = file
        let result = block.withUnsafeMutableBytes { bytes -> Result<Int, FirestoreError> in
            do throws(FirestoreError) { return .success(try file.fill(bytes)) } catch { return .failure(error) }
        }
        filled = try result.get()
        hasEnded = filled < block.count
        return filled > 0
    }

    private func isZero(_ range: Range<Int>) -> Bool { block[range].allSatisfy { $0 == 0 } }

    private mutating func skipZeros() throws(FirestoreError) {
        guard isZero(position..<filled) else { throw damage("there are bytes after the last record of a block") }
        position = filled
    }

    /// Reads header and content, and moves past them.
    private mutating func fragment() throws(FirestoreError) -> (RecordLogFormat.FragmentType, Range<Int>) {
        let (checksum, length, code) = block.withUnsafeBytes { bytes in
            (
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)),
                Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt16.self))), bytes[position + 6]
            )
        }
        let start = position + RecordLogFormat.headerSize
        guard start + length <= filled else {
            throw damage(filled < block.count ? "the file ends inside a record" : "a fragment is longer than its block")
        }
        guard let type = RecordLogFormat.FragmentType(rawValue: code) else { throw damage("\(code) is not the type of a fragment") }
        let content = start..<(start + length)
        let expected = block.withBytes(in: content) { RecordLogFormat.checksum(of: $0, type) }
        guard expected == checksum else { throw damage("the checksum is wrong; the file is damaged") }
        position = content.upperBound
        return (type, content)
    }

    private func damage(_ what: String, at offset: Int64? = nil) -> FirestoreError {
        FirestoreError(.dataLoss, what, at: "\(file.name), byte \(offset ?? bytesRead)")
    }
}

extension [UInt8] {
    func withBytes<R>(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
