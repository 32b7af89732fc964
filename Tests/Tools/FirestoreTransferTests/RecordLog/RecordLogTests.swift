// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
@testable import FirestoreTransfer
import HearthBase
import TestSupport
import Testing

struct RecordLogTests {
    /// RFC 3720, B.4.
    static let checksums: [(bytes: [UInt8], checksum: UInt32)] = [
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA), ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        ([UInt8](0..<32), 0x46DD_794E), ([UInt8]((0..<32).reversed()), 0x113F_DB5C), ([UInt8]("123456789".utf8), 0xE306_9283), ([], 0),
    ]

    @Test(arguments: checksums.indices)
    func `checksums are Castagnoli's`(index: Int) {
        let (bytes, checksum) = Self.checksums[index]
        #expect(bytes.withUnsafeBytes { CRC32.castagnoli.checksum($0) } == checksum)
        // In two parts the same.
        for split in 0...bytes.count {
            let first = bytes[..<split].withUnsafeBytes { CRC32.castagnoli.checksum($0) }
            #expect(bytes[split...].withUnsafeBytes { CRC32.castagnoli.extend(first, with: $0) } == checksum)
        }
    }

    private func write(_ records: [[UInt8]], _ folder: ScratchFolder) throws -> [UInt8] {
        let name = AutoID.make()
        let writer = RecordLogWriter(try OutputFile(folder.file(name), replacing: false))
        for record in records { try writer.append(record) }
        try writer.finish()
        return try folder.bytes(of: name)
    }

    private func read(_ bytes: [UInt8], _ folder: ScratchFolder) throws -> [[UInt8]] {
        var reader = RecordLogReader(try InputFile(try folder.write(bytes, to: AutoID.make())))
        var records: [[UInt8]] = []
        while let record = try reader.next({ [UInt8]($0) }) { records.append(record) }
        return records
    }

    @Test func `a file has the bytes LevelDB gives it`() throws {
        let folder = try ScratchFolder()
        let bytes = try write([[UInt8]("hearth".utf8)], folder)
        #expect(bytes.count == 13)
        // Length and type; the checksum is of the type and the content.
        #expect([UInt8](bytes[4...]) == [6, 0, 1] + [UInt8]("hearth".utf8))
        let checksum = ([1] + [UInt8]("hearth".utf8)).withUnsafeBytes { RecordLogFormat.masked(CRC32.castagnoli.checksum($0)) }
        #expect(withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } == [UInt8](bytes[..<4]))
    }

    /// Around every edge of a block: a header that fits exactly, one byte less and more.
    @Test func `records of all sizes come back`() throws {
        let folder = try ScratchFolder()
        let block = RecordLogFormat.blockSize
        for first in [0, 1, 100, block - 20, block - 15, block - 14, block - 13, block - 8, block - 7, block - 6, block, 3 * block] {
            for second in [0, 1, 7, block - 7, block, 2 * block - 14, 70_000] {
                let records = [[UInt8](repeating: 1, count: first), [UInt8](repeating: 2, count: second), [3]]
                #expect(try read(try write(records, folder), folder) == records, "\(first), \(second)")
            }
        }
    }

    @Test func `an empty file has no records`() throws {
        let folder = try ScratchFolder()
        #expect(try read([], folder) == [])
        #expect(try read([UInt8](repeating: 0, count: 40_000), folder) == [])
    }

    @Test func `whatever is cut off or changed is noticed, or leaves the records before it`() throws {
        let folder = try ScratchFolder()
        var generator = SeededGenerator(seed: 5)
        let records = (0..<40).map { _ in (0..<Int.random(in: 0..<3_000, using: &generator)).map { UInt8(truncatingIfNeeded: $0 &* 7) } }
        let bytes = try write(records, folder)
        for _ in 0..<200 {
            var damaged = bytes
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            if Bool.random(using: &generator) {
                damaged.removeLast(bytes.count - at)
            } else {
                damaged[at] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            }
            var reader = RecordLogReader(try InputFile(try folder.write(damaged, to: "damaged")))
            var found: [[UInt8]] = []
            do throws(FirestoreError) {
                while let record = try reader.next({ [UInt8]($0) }) { found.append(record) }
                // Cut off between two records.
                #expect(damaged.count < bytes.count)
            } catch {
                #expect(error.code == .dataLoss)
                #expect(error.location?.contains("damaged, byte ") == true)
            }
            #expect(records.starts(with: found))
        }
    }

    static let sentences: [(bytes: [UInt8], says: String)] = [
        ([1, 2, 3], "inside a header"),
        ([0, 0, 0, 0, 5, 0, 1, 1], "inside a record"),
        ([0, 0, 0, 0, 1, 0, 9, 1], "9 is not the type of a fragment"),
        ([0, 0, 0, 0, 1, 0, 1, 1], "the checksum is wrong"),
        ([UInt8](repeating: 0, count: 7) + [1, 2, 3, 4, 5, 6, 7, 8], "bytes after the last record"),
    ]

    @Test(arguments: sentences.indices)
    func `errors name the mistake and the position`(index: Int) throws {
        let folder = try ScratchFolder()
        let (bytes, says) = Self.sentences[index]
        let error = try #require(throws: FirestoreError.self) { try read(bytes, folder) }
        #expect(error.message.contains(says), "\(error)")
        #expect(error.location?.contains(", byte 0") == true || index > 0, "\(error)")
    }

    @Test func `parts of records in the wrong order are damage`() throws {
        func fragment(_ type: RecordLogFormat.FragmentType, _ content: [UInt8]) -> [UInt8] {
            let checksum = content.withUnsafeBytes { RecordLogFormat.checksum(of: $0, type) }
            return withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } + [UInt8(content.count), 0, type.rawValue] + content
        }
        let folder = try ScratchFolder()
        #expect(try read(fragment(.first, [1]) + fragment(.middle, [2]) + fragment(.last, [3]), folder) == [[1, 2, 3]])
        #expect(try read(fragment(.first, []) + fragment(.last, []), folder) == [[]])
        for (bytes, says) in [
            (fragment(.middle, [1]), "continues that has not begun"), (fragment(.last, [1]), "continues that has not begun"),
            (fragment(.first, [1]) + fragment(.whole, [2]), "begins inside another"),
            (fragment(.first, [1]) + fragment(.first, [2]), "begins inside another"), (fragment(.first, [1]), "ends inside a record"),
        ] {
            let error = try #require(throws: FirestoreError.self) { try read(bytes, folder) }
            #expect(error.message.contains(says), "\(error)")
        }
    }
}
