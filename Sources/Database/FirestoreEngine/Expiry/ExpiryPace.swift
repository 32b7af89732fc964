// SPDX-License-Identifier: Apache-2.0

/// How many documents are deleted in one group, and how long the committer is left alone afterwards. Decides only.
///
/// A group holds the writer for milliseconds. While nothing else is committed, large groups follow each other; beside other commits they
/// become small, and take at most a fifth of the time.
struct ExpiryPace: Equatable {
    static let largest = 500
    static let smallest = 50
    /// The committer is left alone for this many times as long as a group has taken.
    static let rest: UInt64 = 4

    private(set) var size = 100

    /// Call it after a group. Returns how long to wait before the next one, in nanoseconds.
    ///
    /// - Parameter isQuiet: Whether nothing else was committed since the group before.
    mutating func pause(afterNanoseconds time: UInt64, isQuiet: Bool) -> UInt64 {
        guard !isQuiet else {
            size = min(Self.largest, size * 2)
            return 0
        }
        size = max(Self.smallest, size / 2)
        return Self.rest * time
    }
}
