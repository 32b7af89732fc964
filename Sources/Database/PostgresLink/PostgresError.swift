// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import CPostgres

    package struct PostgresError: Error, Sendable {
        /// What the caller can do about the error.
        package enum Kind: Sendable {
            /// Lost against another transaction: run the transaction again.
            case retry
            /// The server cannot be reached, is stopping, or is not the primary; the patience of the pool or of a lock is over.
            case unavailable
            /// The server lacks a resource, or the pool's line is full.
            case exhausted
            /// The settings or the rights are wrong: refuse to start.
            case refused
            case cancelled
            case other
        }

        package let kind: Kind
        /// Nil for errors that do not come from the server.
        package let sqlState: String?
        /// Contains neither values nor passwords.
        package let message: String
        /// The connection was lost while a statement was in flight, so its outcome is unknown.
        package let isConnectionLost: Bool

        package init(_ kind: Kind, sqlState: String? = nil, _ message: String, isConnectionLost: Bool = false) {
            (self.kind, self.sqlState, self.message, self.isConnectionLost) = (kind, sqlState, message, isConnectionLost)
        }
    }

    extension PostgresError: CustomStringConvertible {
        package var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }
    }

    extension PostgresError.Kind {
        /// The kind of an error with this SQLSTATE, by its class or by itself.
        init(sqlState: String) {
            switch sqlState {
            case "40001", "40P01": self = .retry
            // A lock that was not granted in time: the statement has had no effect.
            case "57P01", "57P02", "57P03", "57P04", "57P05", "25006", "25P03", "55P03": self = .unavailable
            case "3D000", "42501": self = .refused
            case "57014": self = .cancelled
            case _ where sqlState.hasPrefix("08"): self = .unavailable
            case _ where sqlState.hasPrefix("53"): self = .exhausted
            case _ where sqlState.hasPrefix("28"): self = .refused
            default: self = .other
            }
        }
    }

    // MARK: From libpq

    extension PostgresError {
        /// The error that a result carries.
        init(result: OpaquePointer, isConnectionLost: Bool) {
            func field(_ code: Character) -> String? {
                PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
            }
            guard let sqlState = field("C") else {
                let text = Self.line(String(cString: PQresultErrorMessage(result)))
                self.init(isConnectionLost ? .unavailable : .other, text, isConnectionLost: isConnectionLost)
                return
            }
            let kind = isConnectionLost ? .unavailable : Kind(sqlState: sqlState)
            self.init(kind, sqlState: sqlState, Self.message(sqlState, primary: field("M")), isConnectionLost: isConnectionLost)
        }

        /// Whether the server ends the connection after this error. The severity has a field that is not translated.
        static func endsConnection(_ result: OpaquePointer) -> Bool {
            guard let severity = PQresultErrorField(result, Int32(Character("V").asciiValue ?? 0)) else { return false }
            return ["FATAL", "PANIC"].contains(String(cString: severity))
        }

        /// Details and hints are left out, because they quote keys. So do the messages of exceptions about data and those that functions
        /// raise.
        private static func message(_ sqlState: String, primary: String?) -> String {
            if sqlState.hasPrefix("22") { return "PostgreSQL rejects a value" }
            if sqlState.hasPrefix("P0") { return "PostgreSQL reports an error that a function has raised" }
            return "PostgreSQL: " + (primary ?? "error without a message")
        }

        /// A connection that could not be made. `text` is libpq's verbose message: the SQLSTATE of the server's answer, if there was one,
        /// is between colons in it, and libpq has no other way to ask for it.
        init(connecting text: String, needsPassword: Bool) {
            let parts = text.split(separator: ":").map { PostgresError.line(String($0)) }
            let sqlState = parts.last { part in
                part.utf8.count == 5 && part.contains { $0.isNumber } && part.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
            }
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
            let kind = sqlState.map(Kind.init(sqlState:)) ?? (needsPassword ? .refused : .unavailable)
            // What the server rejects for another reason, it will reject again.
            self.init(kind == .other ? .refused : kind, sqlState: sqlState, Self.line(lines.joined(separator: " ")))
        }

        /// A text of libpq, which may have several lines, in one.
        static func line(_ text: String) -> String {
            text.split { $0.isWhitespace }.joined(separator: " ")
        }
    }
#endif
