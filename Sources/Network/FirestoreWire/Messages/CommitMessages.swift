// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

package struct BeginTransactionRequest: Sendable {
    package var database: DatabaseID
    package var options: RequestedTransactionMode

    package init(database: DatabaseID, options: RequestedTransactionMode) {
        self.database = database
        self.options = options
    }
}

package struct BeginTransactionResponse: Sendable {
    package var transaction: ByteSlice

    package init(transaction: ByteSlice) { self.transaction = transaction }
}

package struct CommitRequest: Sendable {
    package var database: DatabaseID
    package var writes: [Write]
    package var transaction: ByteSlice?

    package init(database: DatabaseID, writes: [Write], transaction: ByteSlice? = nil) {
        self.database = database
        self.writes = writes
        self.transaction = transaction
    }
}

/// The answer to Commit.
package struct CommitMessage: Sendable {
    package var results: [WriteResult]
    /// nil if the commit was empty (WR-19).
    package var commitTime: DocumentVersion?

    package init(results: [WriteResult], commitTime: DocumentVersion?) {
        self.results = results
        self.commitTime = commitTime
    }
}

package struct RollbackRequest: Sendable {
    package var database: DatabaseID
    package var transaction: ByteSlice

    package init(database: DatabaseID, transaction: ByteSlice) {
        self.database = database
        self.transaction = transaction
    }
}

package struct BatchWriteRequest: Sendable {
    package var database: DatabaseID
    package var writes: [Write]

    package init(database: DatabaseID, writes: [Write]) {
        self.database = database
        self.writes = writes
    }
}

package struct BatchWriteResponse: Sendable {
    /// One per write, in order (WR-25).
    package var results: [Result<WriteResult, FirestoreError>]

    package init(results: [Result<WriteResult, FirestoreError>]) { self.results = results }
}

/// A message of the Write stream to the server (LS-38).
package struct WriteRequest: Sendable {
    /// Required in the first message of a stream only; later ones without it have that of their writes, if there are any.
    package var database: DatabaseID?
    package var streamID: String
    package var streamToken: ByteSlice
    package var writes: [Write]
    package var labels: [(name: String, value: String)]

    package init(
        database: DatabaseID?, streamID: String = "", streamToken: ByteSlice = .empty, writes: [Write] = [],
        labels: [(name: String, value: String)] = []
    ) {
        self.labels = labels
        self.database = database
        self.streamID = streamID
        self.streamToken = streamToken
        self.writes = writes
    }
}

package struct WriteResponse: Sendable {
    package var streamID: String
    package var streamToken: ByteSlice
    package var results: [WriteResult]
    package var commitTime: DocumentVersion?

    package init(streamID: String, streamToken: ByteSlice, results: [WriteResult] = [], commitTime: DocumentVersion? = nil) {
        self.streamID = streamID
        self.streamToken = streamToken
        self.results = results
        self.commitTime = commitTime
    }
}
