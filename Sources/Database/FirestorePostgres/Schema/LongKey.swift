// SPDX-License-Identifier: Apache-2.0
#if Postgres
    /// Keys that are longer than a B-tree of PostgreSQL can hold (DN-3.3).
    ///
    /// Such a key is stored as its first 2,400 bytes and 16 bytes of its hash, and whole in another column. The keys that share 2,400 bytes
    /// are neighbours: a *run*, which the order of hashes sorts wrongly.
    enum LongKey {
        static let limit = 2_400
        private static let hashLength = 16

        /// SQL for the first bytes of a column or a parameter.
        static func prefix(of bytes: String) -> String { "substring(\(bytes) from 1 for \(limit))" }

        /// SQL for the stored form of a key.
        static func stored(_ key: String, _ dialect: PostgresDialect) -> String {
            """
            CASE WHEN octet_length(\(key)) > \(limit)
            THEN \(prefix(of: key)) || substring(\(dialect.hash(key)) from 1 for \(hashLength)) ELSE \(key) END
            """
        }

        /// SQL for the column `whole`.
        static func whole(_ key: String) -> String { "CASE WHEN octet_length(\(key)) > \(limit) THEN \(key) END" }

        /// Orders before the run of a stored key and after its shared bytes alone.
        static func runStart(of stored: [UInt8]) -> [UInt8] { stored[..<limit] + [0] }

        /// Orders after the run of a key with these first bytes.
        static func runEnd(of key: [UInt8]) -> [UInt8] { Array(key[..<limit]) + [UInt8](repeating: 0xFF, count: hashLength + 1) }
    }

    /// A range of whole keys, and the range of stored keys that contains it.
    struct KeyBounds {
        let lower: [UInt8]
        let upper: [UInt8]

        /// Whether a bound is cut, so that whole keys have to be compared too. A bound that is not cut divides stored keys as it divides
        /// whole ones.
        var isCut: Bool { lower.count > LongKey.limit || upper.count > LongKey.limit }

        var storedLower: [UInt8] { lower.count > LongKey.limit ? Array(lower[..<LongKey.limit]) : lower }
        var storedUpper: [UInt8] { upper.count > LongKey.limit ? LongKey.runEnd(of: upper) : upper }
    }
#endif
