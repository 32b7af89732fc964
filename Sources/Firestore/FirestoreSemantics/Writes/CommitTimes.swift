// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The two times of a commit: when it takes effect, and when it was requested.
package struct CommitTimes: Sendable {
    /// The update time of everything the commit changes (WR-16).
    package var commitTime: DocumentVersion
    /// The value of server timestamps, truncated to milliseconds (WR-32).
    package var requestTime: TimestampValue

    package init(commitTime: DocumentVersion, requestTime: TimestampValue) {
        self.commitTime = commitTime
        self.requestTime = TimestampValue(
            seconds: requestTime.seconds, nanoseconds: requestTime.nanoseconds - requestTime.nanoseconds % 1_000_000)
    }

    /// The request time is the commit time, truncated to milliseconds.
    package init(commitTime: DocumentVersion) {
        self.init(commitTime: commitTime, requestTime: commitTime.timestamp)
    }
}

/// The outcome of a write: the document afterwards, nil if there is none, and the result for the caller.
package struct AppliedWrite: Sendable {
    package var document: Document?
    package var result: WriteResult
}
