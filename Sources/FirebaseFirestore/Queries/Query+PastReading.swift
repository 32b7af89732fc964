public import FirebaseCore
import FirestoreCore

extension Query {
    /// Runs the query on the database as it was at an earlier moment. (Hearth's.)
    ///
    /// Shows the state after the last commit at or before `time`: whole microseconds, within the last hour. Throws
    /// `invalidArgument` for a moment in the future, `failedPrecondition` for one too long ago. Costs what the query costs
    /// now, and a little for every document changed since.
    @discardableResult
    public nonisolated(nonsending) func getDocuments(at time: Timestamp) async throws -> QuerySnapshot {
        try await firestore.reading {
            QuerySnapshot(query: self, view: try await $0.run(try self.runnable.get(), at: .past(try time.asReadTime())))
        }
    }
}

extension DocumentReference {
    /// Reads the document as it was at an earlier moment. (Hearth's.)
    ///
    /// Shows the state after the last commit at or before `time`: whole microseconds, within the last hour. Throws
    /// `invalidArgument` for a moment in the future, `failedPrecondition` for one too long ago.
    @discardableResult
    public nonisolated(nonsending) func getDocument(at time: Timestamp) async throws -> DocumentSnapshot {
        try await firestore.reading {
            let response = try await $0.documents([try self.location.get()], at: .past(try time.asReadTime()))
            return DocumentSnapshot(reference: self, document: response.documents.first ?? nil, metadata: .confirmed)
        }
    }
}

extension Timestamp {
    /// QR-48: in whole microseconds.
    func asReadTime() throws(FirestoreError) -> DocumentVersion {
        let value = TimestampValue(seconds: seconds, nanoseconds: nanoseconds)
        guard value.isValid, value == value.truncatedToMicroseconds else {
            throw .invalidArgument("a read time is a valid timestamp in whole microseconds")
        }
        return DocumentVersion(microseconds: value.microsecondsSince1970)
    }
}
