// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Numbers and paths of collections, remembered across transactions.
///
/// A committed number never changes, so an entry is valid for every snapshot: in an older one the collection is empty. Numbers
/// assigned by a transaction are added only after it has committed.
package final class CollectionDirectory: Sendable {
    private struct Known {
        var numbers: [CollectionPath: Int64] = [:]
        var paths: [Int64: CollectionPath] = [:]
    }

    private let known = Mutex(Known())
    private static let capacity = 10_000

    package init() {}

    package subscript(path: CollectionPath) -> Int64? { known.withLock { $0.numbers[path] } }

    package subscript(number: Int64) -> CollectionPath? { known.withLock { $0.paths[number] } }

    package func remember(_ path: CollectionPath, number: Int64) {
        known.withLock { known in
            if known.numbers.count >= Self.capacity { known = Known() }
            known.numbers[path] = number
            known.paths[number] = path
        }
    }
}
