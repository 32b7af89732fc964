// SPDX-License-Identifier: Apache-2.0

/// The checks of an audit, the extent of its reading and the size of its report.
///
/// Beyond the Apple SDK.
public struct AuditOptions: Sendable {
    /// The checks that an audit makes.
    public struct Checks: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Fields because of which a document does not decode. Costs as much as decoding the documents.
        public static let decoding = Checks(rawValue: 1)
        /// Fields that the type never asks for.
        public static let unknownFields = Checks(rawValue: 2)
        /// Optional properties that no document has, or every document.
        public static let optionals = Checks(rawValue: 4)
        /// Values that come back different when the decoded value is written again.
        public static let precision = Checks(rawValue: 8)
        /// Fields that `setData(from:)` would delete, or store with another type.
        public static let roundTrip = Checks(rawValue: 16)
        /// Deviations that the type tolerated: defaults that were used, elements that were lost, unknown cases.
        public static let tolerance = Checks(rawValue: 32)
        /// Everything.
        public static let all: Checks = [.decoding, .unknownFields, .optionals, .precision, .roundTrip, .tolerance]
    }

    /// How many documents are read; nil for all that the query finds.
    public var limit: Int?
    /// How many ids of documents are listed per finding.
    public var exampleCount: Int
    /// The checks to make.
    public var checks: Checks
    /// Whether the report shows values of fields. Off by default, because logs are often public.
    public var showsValues: Bool
    /// How many documents are read at a time.
    package var pageSize = 500

    /// Creates options; by default everything is looked for in all documents, and no values are shown.
    public init(limit: Int? = nil, exampleCount: Int = 3, checks: Checks = .all, showsValues: Bool = false) {
        self.limit = limit
        self.exampleCount = exampleCount
        self.checks = checks
        self.showsValues = showsValues
    }

    /// Whether documents that decode are looked at again.
    var looksAtDecoded: Bool { !checks.subtracting(.decoding).isEmpty }
}
