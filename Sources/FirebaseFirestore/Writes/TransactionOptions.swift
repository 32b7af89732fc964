public import Foundation

/// How a transaction is run.
public final class TransactionOptions: NSObject, NSCopying {
    /// How often the block is run at most, 5 by default; a value below 1 means 1.
    public var maxAttempts: Int = 5

    /// The defaults.
    public override init() { super.init() }

    /// Equal when the limits are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? TransactionOptions)?.maxAttempts == maxAttempts
    }

    /// The limit.
    public override var hash: Int { maxAttempts }

    /// An independent copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = TransactionOptions()
        copy.maxAttempts = maxAttempts
        return copy
    }
}
