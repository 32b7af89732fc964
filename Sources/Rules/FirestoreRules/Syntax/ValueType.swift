// SPDX-License-Identifier: Apache-2.0

/// The types that `is` names (SR-56), and those that only values have.
enum ValueType: String, Sendable, CaseIterable {
    case null, bool, bytes, constraint, duration, float, int, latlng, list, vector, set, number, map, string, timestamp, path
    case mapDiff = "map_diff"

    /// Whether a condition may name it: `null` cannot be tested by `is`.
    var isName: Bool { self != .null }
}
