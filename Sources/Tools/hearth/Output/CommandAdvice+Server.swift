// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

extension CommandAdvice {
    /// What to do where databases are administered without a server.
    static let files = OperatorAdvice { subject in
        subject == .archive ? ": a server has one; without a server, use `hearth archive list` and `hearth restore`" : ""
    }

    /// The options of `hearth serve` that change what the server refuses.
    static let server = OperatorAdvice { subject in
        switch subject {
        case .hosts(let name): "; if it should, start it with --allow-host\(name.map { " " + $0 } ?? "")"
        case .origins: "; if they should, start it with --allow-origin and their origin"
        case .forwardedRequests: ", or start it with rules and without --development"
        case .databaseLimit: "; raise --max-databases"
        case .missingDatabase: ", or --project by naming the project"
        case .dataDirectory: " with --data"
        case .development: " (hearth serve --development)"
        case .coverage: "; start it with --development"
        case .archive: "; start it with --data and --archive"
        case .pastRead(let database, let time): pastRead(database, time)
        case .consoleWrites: " (--console-read-only)"
        case .slowCalls: "; start it with --slow 200ms"
        case .accounts: "; start it with --auth, or look where the tokens of its users come from"
        case .signIns: "; name some with --auth-providers"
        case .protectedAccounts: "; use --tls-cert, or a proxy on this machine"
        case .administratorKeys: " (hearth serve --admin-key-file)"
        case .protectedKeys: " (--tls-cert, --trusted-proxy)"
        case .tokens: "; it needs --firebase-project, --issuer or --auth for that"
        case .issuers: " (--issuer)"
        }
    }

    /// A clone is of a whole minute.
    private static func pastRead(_ database: String, _ time: String) -> String {
        let minute = time.prefix("2026-11-26T10:03".utf8.count) + ":00Z"
        let source = database == DatabaseID.defaultDatabase ? "" : " --database \(database)"
        return "; with --archive, `hearth databases clone NEW\(source) --at \(minute)` makes a database of that minute"
    }
}
