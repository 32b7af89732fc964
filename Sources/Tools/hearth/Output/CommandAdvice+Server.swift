// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC

extension CommandAdvice {
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
}
