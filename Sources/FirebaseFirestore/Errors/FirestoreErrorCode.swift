public import Foundation

/// The domain of every error Firestore reports.
public let FirestoreErrorDomain: String = "FIRFirestoreErrorDomain"

/// An error of Firestore: a code, and what went wrong in words.
///
/// ```swift
/// do {
///     try await db.document("cities/SF").updateData(["mayor": "London"])
/// } catch FirestoreErrorCode.notFound {
///     // There is no such document.
/// }
/// ```
/// `catch let error as NSError` matches, too: domain `FirestoreErrorDomain`, the code as a number, the words under
/// `NSLocalizedDescriptionKey`, and what lies behind it, if anything does, under `NSUnderlyingErrorKey`.
public struct FirestoreErrorCode: CustomNSError, Error, Sendable {
    /// What kind of failure: the canonical codes of Google's services.
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
        /// There is no such document.
        case notFound = 5
        /// There is such a document already.
        case alreadyExists = 6
        /// The caller is not allowed to do this.
        case permissionDenied = 7
        /// A quota or the disk is exhausted.
        case resourceExhausted = 8
        /// The database is not in a state for this.
        case failedPrecondition = 9
        /// The operation lost against a concurrent one.
        case aborted = 10
        /// Beyond the valid range.
        case outOfRange = 11
        /// Not implemented.
        case unimplemented = 12
        /// Something that must hold did not.
        case `internal` = 13
        /// Not reachable at the moment; trying again helps.
        case unavailable = 14
        /// Data is lost or damaged beyond recovery.
        case dataLoss = 15
        /// The caller has no valid credentials.
        case unauthenticated = 16
    }

    // NSError carries the user info, which may hold anything, and is Sendable.
    private let error: NSError

    var nsError: NSError { error }

    /// Creates an error; put the words under `NSLocalizedDescriptionKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: FirestoreErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// One of our errors that became an `NSError` in the developer's hands.
    init(_ error: NSError) { self.error = error }

    /// The code.
    public var code: Code { Code(rawValue: error.code) ?? .unknown }
    /// Description, underlying error and the like, under the keys of `NSError`.
    public var userInfo: [String: Any] { error.userInfo }

    /// `FirestoreErrorDomain`.
    public static var errorDomain: String { FirestoreErrorDomain }
    /// The code as a number.
    public var errorCode: Int { error.code }
    /// The same as `userInfo`.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// What went wrong, in words.
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
    /// The code's name and the words.
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
    /// There is no such document.
    public static var notFound: Code { .notFound }
    /// There is such a document already.
    public static var alreadyExists: Code { .alreadyExists }
    /// The caller is not allowed to do this.
    public static var permissionDenied: Code { .permissionDenied }
    /// A quota or the disk is exhausted.
    public static var resourceExhausted: Code { .resourceExhausted }
    /// The database is not in a state for this.
    public static var failedPrecondition: Code { .failedPrecondition }
    /// The operation lost against a concurrent one.
    public static var aborted: Code { .aborted }
    /// Beyond the valid range.
    public static var outOfRange: Code { .outOfRange }
    /// Not implemented.
    public static var unimplemented: Code { .unimplemented }
    /// Something that must hold did not.
    public static var `internal`: Code { .internal }
    /// Not reachable at the moment; trying again helps.
    public static var unavailable: Code { .unavailable }
    /// Data is lost or damaged beyond recovery.
    public static var dataLoss: Code { .dataLoss }
    /// The caller has no valid credentials.
    public static var unauthenticated: Code { .unauthenticated }
}

/// Matches any error of Firestore against a code, in `switch` and `catch`.
public func ~= (code: FirestoreErrorCode.Code, error: any Error) -> Bool {
    if let error = error as? FirestoreErrorCode { return error.code == code }
    let error = error as NSError
    return error.domain == FirestoreErrorDomain && error.code == code.rawValue
}
