// SPDX-License-Identifier: Apache-2.0

/// Where a source finds a document again without its name: what an index entry holds.
///
/// Opaque: equal handles of one source are the same document, and nothing else follows from their numbers. A store gives out
/// numbers of its choice that are not negative (SQLite: rows); negative ones belong to a source laid over another, such as a
/// snapshot of the past.
package struct DocumentHandle: Sendable, Hashable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    /// The handle of the document at an index of what is laid over the store.
    package init(overlaid index: Int) { number = -Int64(index) - 1 }

    /// The index given to `init(overlaid:)`; nil for a document of the store.
    package var overlaidIndex: Int? { number < 0 ? Int(-number - 1) : nil }
}
