// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The ids of transactions on the wire: the engine's number, the run of the server that issued it, and a checksum over both and
/// the database.
///
/// A token of an earlier run fails like an expired one, with `aborted`, so that clients run their transaction again; any other token
/// that this server has not issued is `invalidArgument` (TX-7).
package struct TransactionTokens: Sendable {
    /// Distinguishes runs of the server.
    private let run: UInt64
    private static let length = 24

    package init(run: UInt64 = .random(in: .min ... .max)) { self.run = run }

    package func token(of transaction: TransactionID, in database: DatabaseID) -> ByteSlice {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        bytes.append(bigEndian: transaction.number)
        bytes.append(bigEndian: run)
        bytes.append(bigEndian: Self.checksum(transaction.number, run, database))
        return ByteSlice(bytes)
    }

    package func transaction(of token: ByteSlice, in database: DatabaseID) throws(FirestoreError) -> TransactionID {
        guard let found = read(token, database) else {
            throw .invalidArgument("invalid transaction: this database has not begun it")
        }
        guard found.run == run else {
            throw FirestoreError(
                .aborted, "the transaction is no longer valid because the server was restarted; run it again from the start")
        }
        return TransactionID(found.number)
    }

    /// The transaction that another one retries; nil for one of an earlier run, which is no longer known.
    package func retried(_ token: ByteSlice, in database: DatabaseID) throws(FirestoreError) -> TransactionID? {
        guard let found = read(token, database) else {
            throw .invalidArgument("invalid retry transaction: this database has not begun it")
        }
        return found.run == run ? TransactionID(found.number) : nil
    }

    private func read(_ token: ByteSlice, _ database: DatabaseID) -> (number: UInt64, run: UInt64)? {
        guard token.count == Self.length else { return nil }
        let bytes = token.array
        let (number, run) = (bytes.number(at: 0), bytes.number(at: 8))
        return bytes.number(at: 16) == Self.checksum(number, run, database) ? (number, run) : nil
    }

    private static func checksum(_ number: UInt64, _ run: UInt64, _ database: DatabaseID) -> UInt64 {
        var checksum = Checksum()
        checksum.add(number)
        checksum.add(run)
        checksum.add(database.projectID)
        checksum.add(database.databaseID)
        return checksum.value
    }
}
