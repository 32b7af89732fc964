// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// The worked example of docs/reference/storage-format.md, read from that page: documentation that cannot go stale.
struct StorageFormatExampleTests {
    @Test func `the documented bytes are the ones a document is stored as`() throws {
        let documented = try exampleBytes()
        let book = FieldMap([
            ("rating", .double(4.5)), ("pages", .integer(412)), ("inPrint", .boolean(true)),
            ("tags", .array([.string("sand"), .string("spice")])),
            ("author", .map(FieldMap([("name", .string("Frank Herbert"))]))),
            ("added", .timestamp(TimestampValue(seconds: 1_714_564_800, nanoseconds: 250_000_000))),
        ])
        let stored = FieldBytes(book)
        let bytes = withExtendedLifetime(stored) { Array(stored.bytes.buffer) }
        #expect(bytes == documented)
        #expect(documented.count == 145)
    }

    /// The hex pairs of the first block marked `hex`, without what stands behind semicolons.
    private func exampleBytes() throws -> [UInt8] {
        let root = repositoryRoot
        let page = try String(contentsOf: root.appendingPathComponent("docs/reference/storage-format.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```hex\n"))
        let end = try #require(page.range(of: "```", range: start.upperBound..<page.endIndex))
        return try page[start.upperBound..<end.lowerBound].split(separator: "\n")
            .flatMap { line in line.prefix { $0 != ";" }.split(separator: " ") }
            .map { pair in try #require(UInt8(pair, radix: 16)) }
    }
}
