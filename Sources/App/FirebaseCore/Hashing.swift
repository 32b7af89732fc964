// SPDX-License-Identifier: Apache-2.0

extension Hasher {
    /// The hash of several values together, for classes that override `hash`.
    package static func hash<each Value: Hashable>(_ value: repeat each Value) -> Int {
        var hasher = Hasher()
        repeat hasher.combine(each value)
        return hasher.finalize()
    }
}
