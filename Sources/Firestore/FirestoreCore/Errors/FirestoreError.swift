// SPDX-License-Identifier: Apache-2.0

/// An error inside Hearth: its cause, its location, and its remedy.
///
/// The one error type below the public layer; `FirebaseFirestore` converts it into the public `FirestoreErrorCode`. Foreign
/// errors are converted in three modules only: SQLite's in `FirestoreSQLite`, the wire's in `FirestoreWire`, `Codable`'s in
/// `FirestoreCoding`. Messages name paths and codes, never field values.
package struct FirestoreError: Error, Sendable {
    /// The canonical gRPC codes, with the numbers of the public `FirestoreErrorCode`.
    package enum Code: Int, Sendable, CaseIterable {
        case ok = 0
        case cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied
        case resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, `internal`, unavailable
        case dataLoss, unauthenticated
    }

    package var code: Code
    /// A sentence that names the problem and its remedy.
    package var message: String
    /// The location: a document path, a document path and a field, or a file.
    package var location: String?
    package var cause: (any Error)?
    /// The time after which the call may succeed, where that is known.
    package var retryDelay: Duration?
    /// How far a remote call had come; `.answered` for everything inside the process.
    package var progress = Progress.answered

    /// The progress of a failed call: whether repeating it could apply it twice.
    package enum Progress: Sendable, Hashable {
        /// The call was answered, or this side no longer wanted the answer.
        case answered
        /// No connection was established.
        case notConnected
        /// The call was certainly not started.
        case notBegun
        /// The answer was lost: the call may have been applied.
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

    /// Returns the error with a location, unless it already has one.
    package func located(at place: @autoclosure () -> String) -> FirestoreError {
        guard location == nil else { return self }
        var copy = self
        copy.location = place()
        return copy
    }
}

extension FirestoreError: CustomStringConvertible {
    package var description: String {
        location.map { "\($0.quoted): \(message)" } ?? message
    }
}
