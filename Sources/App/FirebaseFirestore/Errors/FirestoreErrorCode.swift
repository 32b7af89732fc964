// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The domain of every error Firestore reports.
public let FirestoreErrorDomain: String = "FIRFirestoreErrorDomain"

/// An error of Firestore: a code and a message.
///
/// ```swift
/// do {
///     try await db.document("cities/SF").updateData(["mayor": "London"])
/// } catch FirestoreErrorCode.notFound {
///     // There is no such document.
/// }
/// ```
/// `catch let error as NSError` matches, too: its domain is `FirestoreErrorDomain`, its code the number of ``Code``.
/// The message is under `NSLocalizedDescriptionKey`, the cause, if there is one, under `NSUnderlyingErrorKey`.
public struct FirestoreErrorCode: CustomNSError, Error, Sendable {
    /// The kind of failure: the canonical codes of Google's services.
    public enum Code: Int, Sendable, CaseIterable {
        /// No failure; never delivered.
        case OK = 0
        /// The operation was cancelled, typically by the caller.
        case cancelled = 1
        /// The cause is not known.
        case unknown = 2
        /// An argument is wrong, whatever the state of the database.
        case invalidArgument = 3
        /// Time ran out; the operation may have succeeded.
        case deadlineExceeded = 4
        /// The document does not exist.
        case notFound = 5
        /// The document exists already.
        case alreadyExists = 6
        /// The caller does not have permission.
        case permissionDenied = 7
        /// A quota or the disk is exhausted.
        case resourceExhausted = 8
        /// The database is not in the required state.
        case failedPrecondition = 9
        /// The operation conflicted with a concurrent one.
        case aborted = 10
        /// A value is outside the valid range.
        case outOfRange = 11
        /// Not implemented.
        case unimplemented = 12
        /// An invariant does not hold.
        case `internal` = 13
        /// The server cannot be reached at the moment. Retrying may help.
        case unavailable = 14
        /// Data is lost or damaged beyond recovery.
        case dataLoss = 15
        /// The caller has no valid credentials.
        case unauthenticated = 16
    }

    // NSError carries the user info, which may hold any value, and is Sendable.
    private let error: NSError

    var nsError: NSError { error }

    /// Creates an error. Put the message under `NSLocalizedDescriptionKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: FirestoreErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The Firestore error that an `NSError` is; `unknown`, with the other error under it, for an error of another domain.
    public init(_nsError error: NSError) {
        self = FirestoreErrorCode(converted: error) ?? FirestoreErrorCode(.unknown, userInfo: [NSUnderlyingErrorKey: error])
    }

    private init(object: NSError) { error = object }

    /// A Firestore error that was converted to an `NSError`: nil for an error of another domain.
    ///
    /// A mistake in how a pipeline was put together, which has a domain of its own, is `invalidArgument`.
    init?(converted error: NSError) {
        switch error.domain {
        case FirestoreErrorDomain: self.init(object: error)
        case PipelineFaults.domain: self.init(.invalidArgument, userInfo: error.userInfo)
        default: return nil
        }
    }

    /// The code.
    public var code: Code { Code(rawValue: error.code) ?? .unknown }
    /// Message, underlying error and so on, under the keys of `NSError`.
    public var userInfo: [String: Any] { error.userInfo }

    /// `FirestoreErrorDomain`.
    public static var errorDomain: String { FirestoreErrorDomain }
    /// The code as a number.
    public var errorCode: Int { error.code }
    /// The user info of the error, for `CustomNSError`. Same as `userInfo`.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// The message.
    public var localizedDescription: String { error.localizedDescription }
}

extension FirestoreErrorCode: Hashable {
    /// Equal when code and description are.
    public static func == (left: FirestoreErrorCode, right: FirestoreErrorCode) -> Bool {
        left.code == right.code && left.localizedDescription == right.localizedDescription
    }

    /// Combines the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(error.code) }
}

extension FirestoreErrorCode: CustomStringConvertible {
    /// The code's name and the message.
    public var description: String { "\(code): \(localizedDescription)" }
}

extension FirestoreErrorCode {
    /// No failure; never delivered.
    public static var OK: Code { .OK }
    /// The operation was cancelled, typically by the caller.
    public static var cancelled: Code { .cancelled }
    /// The cause is not known.
    public static var unknown: Code { .unknown }
    /// An argument is wrong, whatever the state of the database.
    public static var invalidArgument: Code { .invalidArgument }
    /// Time ran out; the operation may have succeeded.
    public static var deadlineExceeded: Code { .deadlineExceeded }
    /// The document does not exist.
    public static var notFound: Code { .notFound }
    /// The document exists already.
    public static var alreadyExists: Code { .alreadyExists }
    /// The caller does not have permission.
    public static var permissionDenied: Code { .permissionDenied }
    /// A quota or the disk is exhausted.
    public static var resourceExhausted: Code { .resourceExhausted }
    /// The database is not in the required state.
    public static var failedPrecondition: Code { .failedPrecondition }
    /// The operation conflicted with a concurrent one.
    public static var aborted: Code { .aborted }
    /// A value is outside the valid range.
    public static var outOfRange: Code { .outOfRange }
    /// Not implemented.
    public static var unimplemented: Code { .unimplemented }
    /// An invariant does not hold.
    public static var `internal`: Code { .internal }
    /// The server cannot be reached at the moment. Retrying may help.
    public static var unavailable: Code { .unavailable }
    /// Data is lost or damaged beyond recovery.
    public static var dataLoss: Code { .dataLoss }
    /// The caller has no valid credentials.
    public static var unauthenticated: Code { .unauthenticated }
}

/// Matches any error of Firestore against a code, in `switch` and `catch`.
public func ~= (code: FirestoreErrorCode.Code, error: any Error) -> Bool {
    if let error = error as? FirestoreErrorCode { return error.code == code }
    return FirestoreErrorCode(converted: error as NSError)?.code == code
}

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023). The conformance stands beside what makes the errors: the linker takes an object file out of a static
// archive only for a symbol that something names, and nothing names a conformance.
#if !canImport(ObjectiveC)
    /// Lets `catch let error as NSError` match an error of Firestore, and `as? FirestoreErrorCode` match its `NSError`.
    extension FirestoreErrorCode: _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its domain, code and user info.
        public func _bridgeToObjectiveC() -> NSError { nsError }

        /// An error of the domain `FirestoreErrorDomain`, or a mistake in how a pipeline was put together; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreErrorCode?) {
            result = FirestoreErrorCode(converted: source)
        }

        /// An error of the domain `FirestoreErrorDomain`, or a mistake in how a pipeline was put together; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreErrorCode?) -> Bool {
            _forceBridgeFromObjectiveC(source, result: &result)
            return result != nil
        }

        /// An error of the domain `FirestoreErrorDomain`; `unknown`, with the other error under it, for others.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> FirestoreErrorCode {
            guard let source else { return FirestoreErrorCode(.unknown) }
            return FirestoreErrorCode(_nsError: source)
        }
    }
#endif
