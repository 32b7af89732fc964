// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreTransfer

struct GzipSourceTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    /// What comes out in pieces of `size` bytes.
    private func inflate(_ bytes: [UInt8], piece size: Int = 777) throws(FirestoreError) -> [UInt8] {
        let path = (try? folder.write(bytes, to: "f.gz")) ?? ""
        let source = try GzipSource(try InputFile(path))
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = try source.read(into: &buffer, from: 0)
            if count == 0 { break }
            content += buffer[..<count]
        }
        #expect(source.position(without: 5) == Int64(bytes.count))
        #expect(source.size == Int64(bytes.count))
        return content
    }

    private static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }

    @Test(arguments: [1, 777, 1 << 20])
    func `members behind each other are one content, and zeros at the end are nothing`(piece: Int) throws {
        let some = piece == 1 ? Array(Self.content.prefix(3_000)) : Self.content
        #expect(try inflate(GzipBytes.member(some), piece: piece) == some)
        #expect(try inflate(GzipBytes.member(some) + GzipBytes.member([]) + GzipBytes.member([7]), piece: piece) == some + [7])
        #expect(try inflate(GzipBytes.member(some) + [UInt8](repeating: 0, count: 70_000), piece: piece) == some)
        #expect(try inflate(GzipBytes.member([]), piece: piece) == [])
    }

    @Test(arguments: [3, 10, 15, 5_000, 70_000, 200_000])
    func `a file that is cut off is an error that names the position`(count: Int) throws {
        let error = try #require(throws: FirestoreError.self) { try inflate(Array(GzipBytes.member(Self.content).prefix(count))) }
        #expect(error.code == .dataLoss && error.message.contains("cut off"), "\(error)")
        #expect(error.location?.hasSuffix("f.gz, byte \(count)") == true, "\(error)")
    }

    @Test func `damage is found, and so is other data behind it`() throws {
        var bytes = GzipBytes.member(Self.content)
        bytes[bytes.count - 6] ^= 1
        for damaged in [bytes, GzipBytes.member([1, 2, 3]) + Array("more".utf8)] {
            let error = try #require(throws: FirestoreError.self) { try inflate(damaged) }
            #expect(error.code == .dataLoss && error.message.contains("damaged"), "\(error)")
        }
    }

    @Test func `a beginning that was looked at is read all the same`() throws {
        let path = try folder.write(Self.content, to: "f")
        let source = try PeekedSource(try InputFile(path)) { $0.count >= 2 }
        #expect(source.beginning.count >= 2)
        #expect(source.position(without: 0) == 0)
        var buffer = [UInt8](repeating: 0, count: 999)
        var content: [UInt8] = []
        while true {
            let count = try source.read(into: &buffer, from: 0)
            if count == 0 { break }
            content += buffer[..<count]
            #expect(source.position(without: 0) == Int64(content.count))
        }
        #expect(content == Self.content)
    }
}
