// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore
public import Foundation

/// The options of a transaction.
public final class TransactionOptions: NSObject, NSCopying {
    /// The maximum number of attempts, 5 by default. A value below 1 means 1.
    public var maxAttempts: Int = 5

    /// Whether the transaction is read-only.
    ///
    /// All of its reads show one moment, it cannot conflict with other transactions, and its block runs once. A write
    /// makes it fail with `invalidArgument`.
    ///
    /// Beyond the Apple SDK.
    public var isReadOnly = false

    /// The moment that a read-only transaction shows; nil for that of its first read.
    ///
    /// A time within the last hour; what is finer than a microsecond is cut off. A time in the future, or one without `isReadOnly`, makes
    /// the transaction fail with `invalidArgument`; a time too long ago with `failedPrecondition`.
    ///
    /// Beyond the Apple SDK.
    public var readTime: Timestamp?

    /// Creates the default options.
    public override init() { super.init() }

    /// Equal when all options are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? TransactionOptions else { return false }
        return other.maxAttempts == maxAttempts && other.isReadOnly == isReadOnly && other.readTime == readTime
    }

    /// Combines all options.
    public override var hash: Int { Hasher.hash(maxAttempts, isReadOnly, readTime) }

    /// An independent copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = TransactionOptions()
        copy.maxAttempts = maxAttempts
        copy.isReadOnly = isReadOnly
        copy.readTime = readTime
        return copy
    }

    func mode() throws(FirestoreError) -> TransactionMode {
        let time = try readTime?.asReadTime()
        if isReadOnly { return .readOnly(at: time) }
        if time != nil { throw .invalidArgument("a transaction with a read time must be read-only; set isReadOnly as well") }
        return .readWrite(retrying: nil)
    }
}
