import FirestoreCore

/// Numbers of collections, remembered across transactions.
///
/// A number once committed never changes, so an entry is right for every snapshot: in an older one the collection
/// is merely empty. Numbers given out by a transaction come in only after it has committed.
final class CollectionDirectory: Sendable {
    private let numbers = Mutex<[CollectionPath: Int64]>([:])
    private static let capacity = 10_000

    subscript(path: CollectionPath) -> Int64? { numbers.withLock { $0[path] } }

    func remember(_ path: CollectionPath, number: Int64) {
        numbers.withLock {
            if $0.count >= Self.capacity { $0.removeAll(keepingCapacity: true) }
            $0[path] = number
        }
    }
}
