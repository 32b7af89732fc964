// SPDX-License-Identifier: Apache-2.0

/// The policy of `update(as:)` for a document that was changed between its read and its write.
///
/// Beyond the Apple SDK.
public struct UpdateConflict: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case retry(Int)
        case fail
        case lastWriterWins
    }

    let kind: Kind

    /// Reads again, runs the closure on the new value, and tries again, up to so many times, with growing pauses. Then the call
    /// fails with `aborted`.
    ///
    /// The closure may therefore run several times; it should only change the value.
    public static func retry(_ count: Int) -> UpdateConflict { UpdateConflict(kind: .retry(count)) }

    /// The call fails with `failedPrecondition`, and nothing is written.
    public static let fail = UpdateConflict(kind: .fail)

    /// Writes the changed fields in any case, as long as the document exists.
    ///
    /// Fields that the closure did not change keep what others wrote. With a cache the call also works offline: it reads from the
    /// cache, and the write is queued.
    public static let lastWriterWins = UpdateConflict(kind: .lastWriterWins)
}
