// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// What has expired at a moment, or when something will. One seek for each policy.
struct ExpiryLook {
    struct Expired {
        let key: DocumentKey
        let updateTime: DocumentVersion
        /// The number of the index by which it has expired.
        let index: Int64
    }

    private let now: Int64
    private let limit: Int
    /// The expired documents, at most `limit`.
    private(set) var due: [Expired] = []
    /// When the first document expires or has expired, in microseconds since 1970.
    private(set) var first: Int64?
    /// When the next document expires that has not yet.
    private(set) var next: Int64?
    /// Whether the index of a policy is being built.
    private(set) var isBuilding = false

    init(at now: Int64, limit: Int) {
        self.now = now
        self.limit = limit
    }

    /// - Parameter turn: Which policy is looked at first: one with very many expired documents leaves something to the others.
    mutating func look(
        for policies: [ExpiryPolicy], turn: Int = 0, in snapshot: some StoreSnapshot
    ) throws(FirestoreError) {
        let catalog = try snapshot.catalog()
        for place in policies.indices {
            let policy = policies[(place + turn) % policies.count]
            guard let index = catalog.indexes.first(where: { $0.isForExpiry && $0.definition == policy.index }), index.isReady else {
                isBuilding = true
                continue
            }
            try look(by: ReadyIndex(number: index.number, definition: index.definition), offset: policy.offset, in: snapshot)
        }
    }

    private mutating func look(by index: ReadyIndex, offset: Int64, in snapshot: some StoreSnapshot) throws(FirestoreError) {
        let cursor = try snapshot.entries(of: index, in: nil, range: TimestampKeys.range, descending: false)
        while try cursor.next() {
            guard let value = TimestampKeys.timestamp(of: cursor.key) else { continue }
            let expiry = Self.expiry(of: value, offset: offset)
            first = min(first ?? .max, expiry)
            guard expiry <= now else {
                next = min(next ?? .max, expiry)
                return
            }
            guard due.count < limit else { return }
            do throws(FirestoreError) {
                due.append(
                    try snapshot.withDocument(cursor.document) { document in
                        Expired(key: document.key, updateTime: document.updateTime, index: index.number)
                    })
            } catch {
                // A damaged document remains, and does not stop the others.
                guard error.code == .dataLoss else { throw error }
            }
        }
    }

    /// In microseconds since 1970, rounded up: no document expires before its time.
    static func expiry(of value: TimestampValue, offset: Int64) -> Int64 {
        let seconds = value.seconds.addingReportingOverflow(offset)
        let whole = seconds.partialValue.multipliedReportingOverflow(by: 1_000_000)
        let time = whole.partialValue.addingReportingOverflow((Int64(value.nanoseconds) + 999) / 1_000)
        return seconds.overflow || whole.overflow || time.overflow ? .max : time.partialValue
    }
}
