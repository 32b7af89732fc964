// SPDX-License-Identifier: Apache-2.0

/// What went wrong inside Hearth, where, and what to change.
///
/// One error type for everything below the public layer; `FirebaseFirestore` turns it into the public
/// `FirestoreErrorCode`. Foreign errors are translated at three doors only: SQLite in `FirestoreStorage`,
/// the wire in `FirestoreWire`, `Codable` in `FirestoreCoding`. Messages name paths and codes, never field values.
package struct FirestoreError: Error, Sendable {
    /// The canonical gRPC codes, with the numbers of the public `FirestoreErrorCode`.
    package enum Code: Int, Sendable, CaseIterable {
        case ok = 0
        case cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied
        case resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, `internal`, unavailable
        case dataLoss, unauthenticated
    }

    package var code: Code
    /// A sentence that says what to change.
    package var message: String
    /// Where: a document path, a document path and a field, or a file.
    package var location: String?
    package var cause: (any Error)?
    /// How far a call to somewhere else had come; `.answered` for everything that happens in the process.
    package var progress = Progress.answered

    /// What is known of a call that failed on its way: whether doing it again could do it twice.
    package enum Progress: Sendable, Hashable {
        /// It has been answered, or this side did not want the answer any more.
        case answered
        /// Nobody could be reached.
        case notConnected
        /// It has certainly not been begun.
        case notBegun
        /// Its answer was lost: it may have been done.
        case unknown
    }

    package init(_ code: Code, _ message: String, at location: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.location = location
        self.cause = cause
    }

    package static func invalidArgument(_ message: String, at location: String? = nil) -> FirestoreError {
        FirestoreError(.invalidArgument, message, at: location)
    }

    /// The same error with a place, unless it already names one.
    package func located(at place: @autoclosure () -> String) -> FirestoreError {
        guard location == nil else { return self }
        var copy = self
        copy.location = place()
        return copy
    }
}

extension FirestoreError: CustomStringConvertible {
    package var description: String {
        location.map { "\($0): \(message)" } ?? message
    }
}
