// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The Swift error of an `NSError`, in its user info, where a cast back finds it.
package struct OriginalError: Sendable, CustomStringConvertible {
    /// Its key in the user info.
    package static let key = "HearthOriginalError"

    package let error: any Error

    package init(_ error: any Error) { self.error = error }

    /// The name of the type. The message is elsewhere in the user info.
    package var description: String { "\(type(of: error))" }

    /// The original of an `NSError`, if it has this type.
    package static func of<Failure: Error>(_ error: NSError, as type: Failure.Type = Failure.self) -> Failure? {
        (error.userInfo[key] as? OriginalError)?.error as? Failure
    }

    /// An error as a value for `NSUnderlyingErrorKey`: always an `NSError` with a message.
    package static func underlying(_ error: any Error) -> NSError {
        let object = error as NSError
        guard object.userInfo[NSLocalizedDescriptionKey] == nil, !(type(of: error) is NSError.Type) else { return object }
        var userInfo = object.userInfo
        userInfo[NSLocalizedDescriptionKey] = String(describing: error)
        return NSError(domain: object.domain, code: object.code, userInfo: userInfo)
    }
}
