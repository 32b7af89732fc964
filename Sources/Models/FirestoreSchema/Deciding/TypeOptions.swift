// SPDX-License-Identifier: Apache-2.0

/// A user's decisions about types, where data alone does not decide.
package struct TypeOptions: Sendable {
    package enum Enums: String, CaseIterable, Sendable {
        /// With a case for values that are not known yet.
        case open
        /// A raw enumeration, which rejects other values.
        case closed
        /// Strings.
        case off
    }

    /// Paths are written as in reports: `address.city`, `stops[].kind`, `prices{}`.
    package var enums = Enums.open
    package var enumPaths: Set<String> = []
    package var stringPaths: Set<String> = []
    package var mapPaths: Set<String> = []
    package var structPaths: Set<String> = []
    /// `Timestamp` in place of `Date`.
    package var keepsTimestamps = false
    /// Whether features that the Apple SDK does not have may be used.
    package var usesExtras = false

    package init() {}
}
