// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Logging

/// The failure of an operation that is neither awaited nor has a completion handler: one line in the log.
enum UnhandledFailure {
    /// The line about writes that failed.
    static func notice(of error: FirestoreError, writing writes: [Write]) -> String {
        let others = writes.count > 1 ? " (one of \(writes.count) writes committed together)" : ""
        let place = error.location ?? writes.first?.key.path
        return notice("write\(place.map { " at \($0)" } ?? "")\(others)", "\(error.code): \(error.message)")
    }

    /// The line about another operation that failed.
    static func notice(of error: any Error, calling operation: String) -> String {
        notice(operation, "\(publicForm(of: error))")
    }

    private static func notice(_ operation: String, _ reason: String) -> String {
        // A server's message may have several lines.
        let reason = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "\(operation) failed: \(reason). The caller is not notified; to handle errors, call it with 'try await' in an async "
            + "function, or pass a completion handler"
    }

    static func log(_ notice: String) {
        FirebaseConfiguration.shared.logger(label: "hearth.firestore").warning("\(notice)")
    }
}
