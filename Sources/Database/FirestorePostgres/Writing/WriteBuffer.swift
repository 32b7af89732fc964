// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreStorage

    /// The changes of a transaction, which go to the server in one message at its end (DN-7.1).
    ///
    /// A savepoint is a position in the list of what to undo.
    struct WriteBuffer {
        struct Change {
            let time: Int64
            let order: Int32
            let row: RowKey
            let key: DocumentKey
            let previous: Document?
        }

        struct EntryKey: Hashable {
            let index: Int64
            let collection: Int64
            let key: [UInt8]
        }

        struct Entry {
            let home: Int64
            let id: [UInt8]
            let kinds: Int64
        }

        /// A row of the table of indexes; nil for one that is removed.
        struct IndexRow {
            var definition: IndexDefinition?
            var state: IndexCatalog.RowState
            var isConfigured: Bool
            var isForExpiry: Bool
            var built: IndexPosition?
            /// Set for a new row only.
            var createdAt: Int64?
        }

        private(set) var collections: [CollectionPath: Int64] = [:]
        private(set) var nextCollection: Int64
        private(set) var documents: [DocumentKey: Document?] = [:]
        private(set) var rows: [DocumentKey: RowKey] = [:]
        private(set) var changes: [Change] = []
        private(set) var entries: [EntryKey: Entry?] = [:]
        private(set) var facts: [[UInt8]: ByteSlice?] = [:]
        private(set) var removedFacts: [FactRange] = []
        private(set) var indexes: [Int64: IndexRow?] = [:]
        private(set) var catalog: IndexCatalog?
        private(set) var lastUses: [Int64: Int64] = [:]
        private(set) var commitTime: Int64?
        private var undo: [(inout WriteBuffer) -> Void] = []

        init(nextCollection: Int64) { self.nextCollection = nextCollection }

        var isEmpty: Bool {
            collections.isEmpty && documents.isEmpty && changes.isEmpty && entries.isEmpty && facts.isEmpty && removedFacts.isEmpty
                && indexes.isEmpty && lastUses.isEmpty && commitTime == nil
        }

        // MARK: Savepoints

        var position: Int { undo.count }

        mutating func goBack(to position: Int) {
            while undo.count > position { undo.removeLast()(&self) }
        }

        /// Nothing before this has to be undone any more: the outermost savepoint has succeeded.
        mutating func forgetUndo() { undo.removeAll(keepingCapacity: true) }

        // MARK: Changes

        mutating func add(_ path: CollectionPath) -> Int64 {
            let number = nextCollection
            nextCollection += 1
            collections[path] = number
            undo.append {
                $0.collections[path] = nil
                $0.nextCollection = number
            }
            return number
        }

        mutating func set(_ document: Document?, at key: DocumentKey, _ row: RowKey) {
            let (before, rowBefore) = (documents[key], rows[key])
            documents[key] = .some(document)
            rows[key] = row
            undo.append {
                $0.documents[key] = before
                $0.rows[key] = rowBefore
            }
        }

        mutating func log(_ previous: Document?, of key: DocumentKey, _ row: RowKey, at time: Int64) {
            let order = changes.last.map { $0.time == time ? $0.order + 1 : 0 } ?? 0
            changes.append(Change(time: time, order: order, row: row, key: key, previous: previous))
            undo.append { $0.changes.removeLast() }
        }

        mutating func set(_ entry: Entry?, at key: EntryKey) {
            let before = entries[key]
            entries[key] = .some(entry)
            undo.append { $0.entries[key] = before }
        }

        mutating func setFact(_ key: [UInt8], _ value: ByteSlice?) {
            let before = facts[key]
            facts[key] = .some(value)
            undo.append { $0.facts[key] = before }
        }

        mutating func removeFacts(in range: FactRange) {
            for key in facts.keys where range.contains(key) {
                let before = facts.removeValue(forKey: key)
                undo.append { $0.facts[key] = before }
            }
            removedFacts.append(range)
            undo.append { $0.removedFacts.removeLast() }
        }

        mutating func set(_ row: IndexRow?, at number: Int64, _ newCatalog: IndexCatalog) {
            let (before, catalogBefore) = (indexes[number], catalog)
            indexes[number] = .some(row)
            catalog = newCatalog
            undo.append {
                $0.indexes[number] = before
                $0.catalog = catalogBefore
            }
        }

        /// Entries of an index that is being removed.
        mutating func dropEntries(of index: Int64) {
            for key in entries.keys where key.index == index {
                let before = entries.removeValue(forKey: key)
                undo.append { $0.entries[key] = before }
            }
        }

        mutating func setLastUse(_ time: Int64, of index: Int64) {
            let before = lastUses[index]
            lastUses[index] = max(before ?? time, time)
            undo.append { $0.lastUses[index] = before }
        }

        mutating func setCommitTime(_ time: Int64) {
            let before = commitTime
            commitTime = time
            undo.append { $0.commitTime = before }
        }
    }

    /// Keys of facts from `lower` up to, but excluding, `upper`.
    struct FactRange {
        let lower: [UInt8]
        let upper: [UInt8]

        init(_ keys: Range<String>) { (lower, upper) = ([UInt8](keys.lowerBound.utf8), [UInt8](keys.upperBound.utf8)) }

        func contains(_ key: [UInt8]) -> Bool { !key.lexicographicallyPrecedes(lower) && key.lexicographicallyPrecedes(upper) }

        func contains(_ other: FactRange) -> Bool {
            !other.lower.lexicographicallyPrecedes(lower) && !upper.lexicographicallyPrecedes(other.upper)
        }
    }
#endif
