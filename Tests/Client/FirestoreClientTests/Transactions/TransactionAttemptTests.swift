// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore
import Testing

@Suite struct TransactionAttemptTests {
    @Test("a server that others use learns which transaction is tried again", arguments: [true, false])
    func retries(isShared: Bool) async throws {
        let service = ScriptedService(isShared: isShared)
        let client = DirectClient(service: service)
        var mode = TransactionMode.readWrite(retrying: nil)
        for _ in 0..<3 {
            let attempt = TransactionAttempt(mode, on: client, turns: TransactionTurns(), claim: nil)
            _ = try await attempt.document(DocumentKey(trusted: "c/a"))
            mode = attempt.modeOfRetry
        }
        let retried = service.state.withLock { $0.transactions }.map { mode -> UInt64? in
            guard case .readWrite(let earlier) = mode else { return nil }
            return earlier?.number
        }
        #expect(retried == (isShared ? [nil, 1, 1] : [nil, nil, nil]))
        let reading = TransactionAttempt(.readOnly(at: nil), on: client, turns: TransactionTurns(), claim: nil)
        _ = try await reading.document(DocumentKey(trusted: "c/a"))
        #expect(reading.modeOfRetry.isReadOnly)
    }
}

extension TransactionMode {
    fileprivate var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
}
