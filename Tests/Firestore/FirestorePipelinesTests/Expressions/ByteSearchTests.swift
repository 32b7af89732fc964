// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import FirestorePipelines

@Suite struct ByteSearchTests {
    private func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        wanted.withUnsafeBytes { wanted in bytes.withUnsafeBytes { ByteSearch(wanted).first(in: $0, from: start) } }
    }

    @Test(arguments: [1, 2]) func theFirstPlaceIsTheOneThatComparingEverywhereFinds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in UInt8.random(in: 0...1, using: &generator) }
            let start = Int.random(in: 0...bytes.count, using: &generator)
            // Short ones and those that need a table.
            let wanted = (0..<Int.random(in: 0...14, using: &generator)).map { _ in UInt8.random(in: 0...1, using: &generator) }
            let expected = (start...bytes.count).first { bytes[$0...].starts(with: wanted) }
            #expect(find(wanted, in: bytes, from: start) == expected)
        }
    }
}
