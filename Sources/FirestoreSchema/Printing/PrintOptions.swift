// SPDX-License-Identifier: Apache-2.0

/// What generated Swift looks like.
package struct PrintOptions: Sendable {
    package enum Fields: Sendable {
        case none
        /// A table of typed fields in each structure.
        case table
        /// The macro that writes it.
        case macro
    }

    package var fields = Fields.none
    package var isPublic = false

    package init() {}
}
