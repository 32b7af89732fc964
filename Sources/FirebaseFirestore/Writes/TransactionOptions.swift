public import FirebaseCore
import FirestoreCore
public import Foundation

/// How a transaction is run.
public final class TransactionOptions: NSObject, NSCopying {
    /// How often the block is run at most, 5 by default; a value below 1 means 1.
    public var maxAttempts: Int = 5

    /// Whether the transaction only reads. (Hearth's.)
    ///
    /// All it reads is from one moment, nothing it does can conflict with anybody, and its block runs once. A write makes it
    /// fail with `invalidArgument`.
    public var isReadOnly = false

    /// The moment a transaction that only reads is to see; nil for that of its first read. (Hearth's.)
    ///
    /// Whole microseconds, within the last hour. In the future, or without `isReadOnly`, the transaction fails with
    /// `invalidArgument`; too long ago, with `failedPrecondition`.
    public var readTime: Timestamp?

    /// The defaults.
    public override init() { super.init() }

    /// Equal when all options are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? TransactionOptions else { return false }
        return other.maxAttempts == maxAttempts && other.isReadOnly == isReadOnly && other.readTime == readTime
    }

    /// Combines all options.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(maxAttempts)
        hasher.combine(isReadOnly)
        hasher.combine(readTime)
        return hasher.finalize()
    }

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
        if time != nil { throw .invalidArgument("a transaction with a read time only reads; set isReadOnly as well") }
        return .readWrite(retrying: nil)
    }
}
