// SPDX-License-Identifier: Apache-2.0

/// Identifies a document inside a source without its name: the content of an index entry.
///
/// Opaque: equal handles of one source identify the same document; their numbers mean nothing else. A store assigns numbers
/// that are not negative (SQLite: rows); negative ones belong to a source layered over another, such as a snapshot of the
/// past.
package struct DocumentHandle: Sendable, Hashable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    /// The handle of the document at an index of a layer over the store.
    package init(overlaid index: Int) { number = -Int64(index) - 1 }

    /// The index given to `init(overlaid:)`; nil for a document of the store.
    package var overlaidIndex: Int? { number < 0 ? Int(-number - 1) : nil }
}
