// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
package import FirestoreCore
import Foundation

extension FirestoreError {
    /// The error as app developers see it.
    package var publicError: FirestoreErrorCode {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let cause { userInfo[NSUnderlyingErrorKey] = OriginalError.underlying(publicForm(of: cause)) }
        return FirestoreErrorCode(FirestoreErrorCode.Code(rawValue: code.rawValue) ?? .unknown, userInfo: userInfo)
    }
}

/// Runs internal code and rethrows its errors in their public form.
func publicly<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw publicForm(of: error)
    }
}

/// The public form of an error. Errors of other domains are returned unchanged.
func publicForm(of error: any Error) -> any Error {
    (error as? FirestoreError)?.publicError ?? error
}

extension Result where Success: Equatable {
    /// Whether both are values, and equal ones.
    func hasValue(of other: Result) -> Bool {
        if case .success(let value) = self, case .success(value) = other { true } else { false }
    }
}
