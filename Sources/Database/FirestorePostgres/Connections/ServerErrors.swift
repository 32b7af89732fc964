// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import PostgresLink

    /// Converts errors of the server; the only place that does.
    struct ServerErrors: Sendable {
        /// The server, without passwords.
        let server: String

        func translate(_ error: PostgresError) -> FirestoreError {
            let (code, advice) = Self.meaning(of: error)
            return FirestoreError(code, "\(advice) (\(error))", at: server, cause: error)
        }

        private static func meaning(of error: PostgresError) -> (FirestoreError.Code, String) {
            switch error.kind {
            case .retry: (.aborted, "the transaction has lost against other ones several times; run it again")
            case .unavailable: (.unavailable, "the database server cannot be reached or is not the primary; try again when it is")
            case .exhausted:
                (.resourceExhausted, "the database server, or its connection pool, is at a limit; free some space, or try again later")
            case .refused:
                (.permissionDenied, "the database server refuses access; check the user, its rights and the name of the database")
            case .cancelled:
                (.deadlineExceeded, "the database server has canceled a statement, which took too long; try again, or ask for less")
            case .other: meaning(ofState: error.sqlState ?? "")
            }
        }

        private static func meaning(ofState state: String) -> (FirestoreError.Code, String) {
            switch state {
            case "3F000", "42P01", "42703":
                (.failedPrecondition, "a table of Hearth is missing; run `hearth store status`, or restore the database from a backup")
            case "XX001", "XX002": (.dataLoss, "the database server has found damaged pages; restore the database from a backup")
            case "54000": (.invalidArgument, "the data is larger than the database server can hold in one row")
            default: (.internal, "the database server rejected an operation")
            }
        }

        /// A row with content that Hearth never writes.
        func damaged(_ what: String) -> FirestoreError {
            FirestoreError(
                .dataLoss, "the stored bytes of \(what) are damaged; run `hearth store check`, or restore the database from a backup",
                at: server)
        }
    }
#endif
