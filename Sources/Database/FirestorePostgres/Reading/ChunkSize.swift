// SPDX-License-Identifier: Apache-2.0
#if Postgres
    /// How many rows a walk reads at a time: 32, 128, … 1,024, and about 1 MB (DN-6.3.5).
    struct ChunkSize {
        private let first: Int
        private(set) var rows: Int
        private static let most = 1_024
        private static let bytes = 1 << 20

        init(_ first: Int) { (self.first, rows) = (first, first) }

        /// Grows after a chunk, so that many rows take few round trips. `size`: the bytes of the chunk.
        mutating func grow(after count: Int, bytes size: Int) {
            let average = max(1, size / max(1, count))
            rows = max(1, min(rows * 4, Self.most, Self.bytes / average))
        }

        mutating func reset() { rows = first }

        var limit: Int64 { Int64(rows) }
    }
#endif
