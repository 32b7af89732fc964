// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Documents whose ids come from a field. A duplicate id is an error, because the second document would replace the
/// first.
///
/// A 64-bit hash of each id is stored, in at most 64 MiB; ids after about six million are no longer compared.
struct DistinctInput: DocumentInput {
    private var input: any DocumentInput
    private let idField: String
    private let onNote: @Sendable (ImportNote) -> Void
    private var seen: HashedSet
    private var isFull = false

    /// `limit` is for tests.
    init(
        _ input: any DocumentInput, idField: String, limit: Int = 6_000_000, onNote: @escaping @Sendable (ImportNote) -> Void = { _ in }
    ) {
        self.input = input
        self.idField = idField
        self.onNote = onNote
        seen = HashedSet(limit: limit)
    }

    var bytesRead: Int64 { input.bytesRead }
    var size: Int64? { input.size }

    mutating func next() throws(FirestoreError) -> ImportItem? {
        guard var item = try input.next() else { return nil }
        guard case .success(let document) = item.content else { return item }
        switch seen.insert(document.key.id) {
        case .inserted: break
        case .full:
            if !isFull { onNote(.uncomparedIDs(count: seen.count)) }
            isFull = true
        case .known:
            item.content = .failure(
                .invalidArgument(
                    "an earlier document of the file has the id \"\(document.key.id)\" already; the ids of an import must differ",
                    at: "\(item.place), field \(FieldPathSegments(idField).canonical)"))
        }
        return item
    }
}

/// A set of strings that stores their hashes.
struct HashedSet {
    enum Outcome {
        case inserted, known, full
    }

    /// The slots; 0 is an empty one.
    private var places = [UInt64](repeating: 0, count: 1 << 10)
    private(set) var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func insert(_ string: String) -> Outcome {
        var hasher = Hasher()
        hashUTF8(string, into: &hasher)
        let hash = max(1, UInt64(bitPattern: Int64(hasher.finalize())))
        if let place = place(of: hash) {
            guard count < limit else { return .full }
            places[place] = hash
            count += 1
            if count * 4 > places.count * 3 { grow() }
            return .inserted
        }
        return .known
    }

    /// The slot for a hash; nil if the set contains it.
    private func place(of hash: UInt64) -> Int? {
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while places[place] != 0 {
            if places[place] == hash { return nil }
            place = (place + 1) & (places.count - 1)
        }
        return place
    }

    private mutating func grow() {
        let old = places
        places = [UInt64](repeating: 0, count: old.count * 2)
        for hash in old where hash != 0 {
            if let place = place(of: hash) { places[place] = hash }
        }
    }
}
