// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import PostgresLink

    /// The connection of one snapshot or transaction, with what both need. Used by one thread.
    final class StoreSession {
        let connection: PostgresConnection
        let tables: PostgresTables
        let errors: ServerErrors
        /// The number of the database.
        let database: Int32
        /// The size of the first chunk of a walk.
        let chunk: ChunkSize
        /// What the server said last against a statement: the transaction has ended.
        private(set) var failure: PostgresError?
        private let roundTripsBefore: Int

        init(_ connection: PostgresConnection, _ place: StorePlace) {
            self.connection = connection
            (tables, errors, database) = (place.tables, place.errors, place.database)
            chunk = ChunkSize(place.firstChunk)
            roundTripsBefore = connection.roundTrips
        }

        var db: PostgresValue { .int4(database) }

        /// How often this has waited for the server.
        var roundTrips: Int { connection.roundTrips - roundTripsBefore }

        func query(_ calls: [PostgresCall]) throws(FirestoreError) -> [PostgresResult] {
            if let failure { throw errors.translate(failure) }
            do {
                return try connection.query(calls)
            } catch {
                failure = error
                throw errors.translate(error)
            }
        }

        func query(_ call: PostgresCall) throws(FirestoreError) -> PostgresResult {
            guard let result = try query([call]).first else { throw errors.damaged("an answer of the server") }
            return result
        }

        /// Runs a statement whose first parameter is the database.
        func query(_ text: String, _ values: PostgresValue...) throws(FirestoreError) -> PostgresResult {
            try query(PostgresCall(PostgresStatement(text), values: [db] + values))
        }

        func call(_ text: String, _ values: PostgresValue...) -> PostgresCall {
            PostgresCall(PostgresStatement(text), values: [db] + values)
        }

        func damaged(_ what: String) -> FirestoreError { errors.damaged(what) }

        /// Ends the transaction without waiting for the answer.
        func end(_ word: String) {
            guard !connection.isBroken else { return }
            connection.sendWithoutWaiting(PostgresCall(PostgresStatement(word)))
        }
    }

    /// Where the rows of a database are.
    struct StorePlace: Sendable {
        let id: DatabaseID
        let database: Int32
        let tables: PostgresTables
        let errors: ServerErrors
        let firstChunk: Int
    }

    extension PostgresResult {
        /// Copies the bytes of a value; nil for null.
        func slice(_ row: Int, _ column: Int) -> ByteSlice? {
            withExtendedLifetime(self) { bytes(row, column).map { ByteSlice(copying: $0) } }
        }

        func array(_ row: Int, _ column: Int) -> [UInt8]? {
            withExtendedLifetime(self) { bytes(row, column).map { [UInt8]($0) } }
        }

        func version(_ row: Int, _ column: Int) -> DocumentVersion { DocumentVersion(microseconds: integer(row, column)) }

        /// A text that must be valid; nil for null and for damaged bytes.
        func string(_ row: Int, _ column: Int) -> String? {
            withExtendedLifetime(self) { bytes(row, column).flatMap { String(validating: $0, as: UTF8.self) } }
        }
    }

    extension PostgresStatement {
        static let begin = PostgresStatement("BEGIN")
        static let commit = PostgresStatement("COMMIT")
        static let rollback = PostgresStatement("ROLLBACK")
        static let beginReading = PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }
#endif
