// SPDX-License-Identifier: Apache-2.0

/// The style of generated Swift.
package struct PrintOptions: Sendable {
    package enum Fields: Sendable {
        case none
        /// A table of typed fields in each structure.
        case table
        /// The macro that writes it.
        case macro
    }

    /// The protocols to which the printed types conform, beside `Codable`.
    package enum Conformance: String, CaseIterable, Sendable {
        /// All types.
        case hashable
        /// The type of the documents, by their id.
        case identifiable
    }

    package var fields = Fields.none
    package var conformances: Set<Conformance> = []
    package var isPublic = false

    package init() {}
}
