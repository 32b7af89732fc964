// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore

/// A condition that a document must meet for a write to be made.
///
/// ```swift
/// let snapshot = try await trail.getDocument()
/// if let time = snapshot.updateTime {
///     try await trail.delete(precondition: .updatedAt(time))
/// }
/// ```
/// The database checks it together with the write, so nothing comes in between. A write with a condition is never queued: it
/// waits for the queued writes of its document, the server decides, and offline it fails with `unavailable`.
///
/// Beyond the Apple SDK.
public struct Precondition: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case exists, missing
        case updatedAt(Timestamp)
    }

    private let kind: Kind

    /// The document exists; if not, the write fails with `notFound`.
    public static let exists = Precondition(kind: .exists)

    /// The document does not exist; if it does, the write fails with `alreadyExists`.
    public static let missing = Precondition(kind: .missing)

    /// The document exists and was last changed at exactly this time; if not, the write fails with `failedPrecondition`.
    ///
    /// - Parameter time: A ``DocumentSnapshot/updateTime``. A time in the future, or one that is not in whole microseconds, is an
    ///   `invalidArgument`.
    public static func updatedAt(_ time: Timestamp) -> Precondition { Precondition(kind: .updatedAt(time)) }

    var condition: FirestoreCore.Precondition {
        get throws(FirestoreError) {
            switch kind {
            case .exists: return .exists(true)
            case .missing: return .exists(false)
            case .updatedAt(let time):
                let value = TimestampValue(seconds: time.seconds, nanoseconds: time.nanoseconds)
                guard value.isValid, value == value.truncatedToMicroseconds else {
                    throw .invalidArgument("an update time is a valid timestamp in whole microseconds; take it from a snapshot")
                }
                return .updateTime(DocumentVersion(microseconds: value.microsecondsSince1970))
            }
        }
    }
}

extension Write {
    /// The write on a condition that replaces its own.
    func on(_ precondition: FirestoreCore.Precondition) -> Write {
        var copy = self
        copy.precondition = precondition
        return copy
    }

    func on(_ precondition: Precondition) throws(FirestoreError) -> Write { on(try precondition.condition) }
}
