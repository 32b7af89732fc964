// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import CPostgres

    /// The answer of the server to one call: rows with columns in binary format.
    ///
    /// Rows and columns are counted from 0.
    package final class PostgresResult {
        private let result: OpaquePointer

        /// Takes over the result.
        init(_ result: OpaquePointer) { self.result = result }

        deinit { PQclear(result) }

        package var count: Int { Int(PQntuples(result)) }

        /// The number of rows that the statement has inserted, changed, deleted or returned.
        package var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

        /// What was done, such as `INSERT 0 1`. The `COMMIT` of a failed transaction succeeds as `ROLLBACK`.
        package var command: String { String(cString: PQcmdStatus(result)) }

        package func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(column)) != 0 }

        /// A value of the types `smallint`, `integer`, `bigint` and `boolean`; 0 for null.
        package func integer(_ row: Int, _ column: Int) -> Int64 {
            guard let bytes = bytes(row, column), let first = bytes.first else { return 0 }
            // The first byte has the sign, except for a boolean, which is one byte.
            return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
        }

        /// A value of the types `double precision` and `real`; 0 for null.
        package func double(_ row: Int, _ column: Int) -> Double {
            let bits = integer(row, column)
            let isShort = PQgetlength(result, Int32(row), Int32(column)) == 4
            return isShort ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: UInt64(bitPattern: bits))
        }

        /// The bytes of a value, nil for null.
        ///
        /// They belong to the result: keep it alive while you use them, for example inside `withExtendedLifetime(result) { … }`.
        package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
            guard !isNull(row, column) else { return nil }
            let count = Int(PQgetlength(result, Int32(row), Int32(column)))
            return UnsafeRawBufferPointer(start: PQgetvalue(result, Int32(row), Int32(column)), count: count)
        }

        /// A value of the type `text` or one that is sent like it; nil for null.
        package func text(_ row: Int, _ column: Int) -> String? {
            bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif
