// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore

extension Query {
    /// Runs the query on an earlier state of the database.
    ///
    /// Shows the state after the last commit at or before `time`. Costs what the query costs now, plus a little for
    /// every document changed since. Queued writes are not shown if the database is on a server.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameter time: A time within the last hour. What is finer than a microsecond is cut off: commits have whole microseconds.
    /// - Throws: `invalidArgument` for a time in the future, `failedPrecondition` for a time too long ago,
    ///   `unavailable` if the server cannot be reached.
    @discardableResult
    public nonisolated(nonsending) func getDocuments(at time: Timestamp) async throws -> QuerySnapshot {
        try await firestore.reading {
            QuerySnapshot(query: self, view: try await $0.run(try self.runnable.get(), at: .past(try time.asReadTime())))
        }
    }
}

extension DocumentReference {
    /// Reads an earlier state of the document.
    ///
    /// Shows the state after the last commit at or before `time`. Queued writes are not shown if the database is on a server.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameter time: A time within the last hour. What is finer than a microsecond is cut off: commits have whole microseconds.
    /// - Throws: `invalidArgument` for a time in the future, `failedPrecondition` for a time too long ago,
    ///   `unavailable` if the server cannot be reached.
    @discardableResult
    public nonisolated(nonsending) func getDocument(at time: Timestamp) async throws -> DocumentSnapshot {
        try await firestore.reading {
            let response = try await $0.documents([try self.location.get()], at: .past(try time.asReadTime()))
            return DocumentSnapshot(reference: self, document: response.documents.first ?? nil, metadata: .confirmed)
        }
    }
}

extension Timestamp {
    /// The last commit at or before the timestamp is one at or before its whole microseconds, in which commits and read times are counted
    /// (QR-48): a natural time, of a `Date`, is finer.
    func asReadTime() throws(FirestoreError) -> DocumentVersion {
        let value = TimestampValue(seconds: seconds, nanoseconds: nanoseconds)
        guard value.isValid else { throw .invalidArgument("a read time must be a valid timestamp") }
        return DocumentVersion(microseconds: value.microsecondsSince1970)
    }
}
