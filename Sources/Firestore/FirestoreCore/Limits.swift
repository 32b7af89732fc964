// SPDX-License-Identifier: Apache-2.0

/// The documented limits (docs/semantics). The checks are in the folder `Limits`.
package enum Limits {
    /// Whole document, by the size rules of DM-23; inclusive.
    package static let documentBytes = 1_048_576
    /// One string or bytes value (DM-26).
    package static let valueBytes = 1_048_487
    /// Collection id, document id, field name, field path (DM-5, DM-15, DM-19).
    package static let nameBytes = 1_500
    /// Whole document name (DM-10).
    package static let documentNameBytes = 6 * 1_024
    package static let subcollectionDepth = 100
    /// Maps and arrays together (DM-27).
    package static let nestingLevels = 20
    package static let vectorDimensions = 2_048
    /// Field transforms per document and commit (WR-31).
    package static let transformsPerDocument = 500
    /// One commit request (WR-23).
    package static let requestBytes = 10 * 1_024 * 1_024

    // Queries (QR-21 … QR-26)
    package static let inValues = 30
    package static let notInValues = 10
    package static let disjunctions = 30
    package static let inequalityFields = 10
    package static let queryComponents = 100

    /// Of a composite index (QR-54).
    package static let indexFields = 100
    /// Aggregations over one result (QR-62).
    package static let aggregations = 5
    /// The maximum number of results of a vector search (QR-56).
    package static let nearestDocuments = 1_000
}
