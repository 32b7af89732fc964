// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRules

/// The ids of transactions on the wire: the engine's number, the run of the server that issued it, the history of the database, a checksum
/// over these and the database, and a proof that this run has issued it to the caller. A transaction belongs to the caller that began
/// it: another one that
/// has its id can do nothing with it, and ids cannot be made up.
///
/// A token of an earlier run, or of another history, fails like an expired one, with `aborted`, so that clients run their transaction
/// again; any other token
/// that this server has not issued is `invalidArgument` (TX-7).
package struct TransactionTokens: Sendable {
    /// Distinguishes runs of the server.
    private let run: UInt64
    /// Known to this run only.
    private let secret: [UInt8]
    /// Whether a transaction belongs to the caller that began it. In development it does not: tools mix credentials there.
    private let isBoundToCaller: Bool
    private static let checkedLength = 28
    private static let proofLength = 16

    package init(run: UInt64 = .random(in: .min ... .max), isBoundToCaller: Bool = true) {
        self.run = run
        self.isBoundToCaller = isBoundToCaller
        secret = (0..<32).map { _ in .random(in: .min ... .max) }
    }

    /// `history`: the mark of the database's history; 0 for a database without one.
    package func token(
        of transaction: TransactionID, in database: DatabaseID, history: UInt32 = 0, for caller: RequestContext.Caller
    ) -> ByteSlice {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.checkedLength + Self.proofLength)
        bytes.append(bigEndian: transaction.number)
        bytes.append(bigEndian: run)
        bytes.append(bigEndian: history)
        bytes.append(bigEndian: Self.checksum(transaction.number, run, history, database))
        bytes += proof(bytes, database, caller)
        return ByteSlice(bytes)
    }

    package func transaction(
        of token: ByteSlice, in database: DatabaseID, history: UInt32 = 0, for caller: RequestContext.Caller
    ) throws(FirestoreError) -> TransactionID {
        guard let found = read(token, database) else {
            throw .invalidArgument("invalid transaction: this database has not begun it")
        }
        guard found.run == run else {
            throw FirestoreError(
                .aborted, "the transaction is no longer valid because the server was restarted; run it again from the start")
        }
        try check(token, database, caller)
        guard found.history == history else {
            throw FirestoreError(
                .aborted, "the transaction is no longer valid because the database was restored from a copy; run it again from the start")
        }
        return TransactionID(found.number)
    }

    /// The transaction that another one retries; nil for one of an earlier run or another history, which is no longer known.
    package func retried(
        _ token: ByteSlice, in database: DatabaseID, history: UInt32 = 0, for caller: RequestContext.Caller
    ) throws(FirestoreError) -> TransactionID? {
        guard let found = read(token, database) else {
            throw .invalidArgument("invalid retry transaction: this database has not begun it")
        }
        guard found.run == run else { return nil }
        try check(token, database, caller)
        guard found.history == history else { return nil }
        return TransactionID(found.number)
    }

    private func check(_ token: ByteSlice, _ database: DatabaseID, _ caller: RequestContext.Caller) throws(FirestoreError) {
        let bytes = token.array
        let proof = proof(bytes.prefix(Self.checkedLength), database, caller)
        let difference = zip(proof, bytes.dropFirst(Self.checkedLength)).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) }
        guard difference == 0 else {
            throw FirestoreError(.permissionDenied, "the transaction belongs to another caller; begin another one")
        }
    }

    /// Half of a hash that begins with the secret: the other half, without which the hash cannot be continued, is not revealed.
    private func proof(_ checked: some Sequence<UInt8>, _ database: DatabaseID, _ caller: RequestContext.Caller) -> [UInt8] {
        var message = secret + checked
        for text in [database.projectID, database.databaseID, isBoundToCaller ? SequenceOwner(caller).name : ""] {
            message.append(bigEndian: UInt64(text.utf8.count))
            message += text.utf8
        }
        return Array(message.withUnsafeBytes { SHA256.hash($0) }.prefix(Self.proofLength))
    }

    private func read(_ token: ByteSlice, _ database: DatabaseID) -> (number: UInt64, run: UInt64, history: UInt32)? {
        guard token.count == Self.checkedLength + Self.proofLength else { return nil }
        let bytes = token.array
        let (number, run) = (bytes.number(at: 0), bytes.number(at: 8))
        let history = bytes[16..<20].reduce(0) { $0 << 8 | UInt32($1) }
        return bytes.number(at: 20) == Self.checksum(number, run, history, database) ? (number, run, history) : nil
    }

    private static func checksum(_ number: UInt64, _ run: UInt64, _ history: UInt32, _ database: DatabaseID) -> UInt64 {
        var checksum = Checksum()
        checksum.add(number)
        checksum.add(run)
        checksum.add(UInt64(history))
        checksum.add(database.projectID)
        checksum.add(database.databaseID)
        return checksum.value
    }
}
