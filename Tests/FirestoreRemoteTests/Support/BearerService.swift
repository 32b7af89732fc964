// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Logging

/// A Firestore server that takes the tokens it is told to take and no others.
final class BearerService: RPCService {
    private let base: FirestoreService
    private let accepted: Mutex<Set<String>>
    private let refusals = Mutex(0)

    init(accepting tokens: Set<String>) {
        var log = Logger(label: "test")
        log.logLevel = .critical
        base = FirestoreService(databases: DatabaseRegistry(DatabaseOpening(storage: .memory), log: log))
        accepted = Mutex(tokens)
    }

    func accept(_ tokens: Set<String>) { accepted.withLock { $0 = tokens } }
    /// Calls that came with no token or another one.
    var refused: Int { refusals.withLock { $0 } }

    func close() async { await base.databases.close() }

    private static let refusal = RPCStatus(.unauthenticated, "Request had invalid authentication credentials.")

    private func accepts(_ info: RPCCallInfo) -> Bool {
        let token = info.metadata["authorization"] ?? ""
        let isAccepted = accepted.withLock { tokens in tokens.contains { equalUTF8("Bearer " + $0, token) } }
        if !isAccepted { refusals.withLock { $0 += 1 } }
        return isAccepted
    }

    func method(at path: String) -> RPCMethod? {
        switch base.method(at: path) {
        case .unary(let answer)?:
            .unary { calls in
                answer(
                    calls.filter { call in
                        if self.accepts(call.info) { return true }
                        call.respond(.failure(Self.refusal))
                        return false
                    })
            }
        case .stream(let answer)?:
            .stream { call in
                guard !self.accepts(call.info) else { return answer(call) }
                call.finish(Self.refusal)
                return DeafHandler()
            }
        case nil: nil
        }
    }
}

/// Has nothing to say.
private final class DeafHandler: RPCStreamHandler {
    func receive(_ message: ByteSlice) {}
    func halfClosed() {}
    func becameWritable() {}
    func ended(_ status: RPCStatus?) {}
    func drain() {}
}
