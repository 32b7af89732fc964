// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Logging
import ServerTestSupport

/// A Firestore server that accepts only the tokens that a test names.
final class BearerService: RPCService {
    private let base: FirestoreService
    private let accepted: Mutex<Set<String>>
    private let rejections = Mutex(0)

    init(accepting tokens: Set<String>) {
        var log = Logger(label: "test")
        log.logLevel = .critical
        base = FirestoreService(databases: DatabaseRegistry(DatabaseOpening(storage: .memory), log: log))
        accepted = Mutex(tokens)
    }

    func accept(_ tokens: Set<String>) { accepted.withLock { $0 = tokens } }
    /// Calls that came with no token or another one.
    var rejected: Int { rejections.withLock { $0 } }

    func close() async { await base.databases.close() }

    private static let rejection = RPCStatus(.unauthenticated, "Request had invalid authentication credentials.")

    private func accepts(_ info: RPCCallInfo) -> Bool {
        let token = info.metadata["authorization"] ?? ""
        let isAccepted = accepted.withLock { tokens in tokens.contains { equalUTF8("Bearer " + $0, token) } }
        if !isAccepted { rejections.withLock { $0 += 1 } }
        return isAccepted
    }

    func method(at path: String) -> RPCMethod? {
        GuardedService(base) { self.accepts($0) ? nil : Self.rejection }.method(at: path)
    }
}
