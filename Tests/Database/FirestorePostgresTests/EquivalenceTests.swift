// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestorePostgres
    import FirestoreSQLite
    import FirestoreStorage
    import PostgresServer
    import TestSupport
    import Testing

    /// Equal random transactions on both stores: every read gives the same bytes in the same order (DN-9.2).
    @Suite(.needsPostgres)
    struct EquivalenceTests {
        @Test(arguments: 1...TestScale.pick(quick: 2 as UInt64, full: 40)) func `both stores answer alike`(seed: UInt64) async throws {
            let test = try TestCluster()
            try test.node().openStore(testDatabase, creating: true)?.close()
            // A new file begins at the time 0.
            try test.run("UPDATE SCHEMA.meta SET last_commit = 0, log_floor = 0")
            let remote = try test.store(testDatabase) { $0.firstChunk = seed % 2 == 0 ? 2 : 32 }
            let local = try SQLiteStore.openInMemory(databaseID: testDatabase)
            var script = RandomScript(seed: seed, start: 1_700_000_000_000_000)
            for round in 0..<10 {
                let steps = script.transaction()
                let logs = try [local, remote].map { (store: any DocumentStore) in
                    try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in try script.apply(steps, to: transaction)
                    }
                }
                #expect(logs[0] == logs[1], "transaction \(round)")
                script.finish()
                let reads = try [local, remote].map { (store: any DocumentStore) in
                    try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try Transcript(script, snapshot).lines }
                }
                if let difference = zip(reads[0], reads[1]).first(where: { $0.0 != $0.1 }) {
                    Issue.record("round \(round): \(difference.0.prefix(600)) / \(difference.1.prefix(600))")
                    return
                }
                #expect(reads[0].count == reads[1].count)
                let lookups = [try await local.lookup(script.keys), try await remote.lookup(script.keys)]
                #expect(lookups[0].documents == lookups[1].documents && lookups[0].readTime == lookups[1].readTime)
            }
        }
    }

    /// Random steps over a small set of names, some of them long.
    private struct RandomScript {
        enum Step {
            case put(DocumentKey, FieldMap)
            case delete(DocumentKey)
            case fact(String, [UInt8]?)
            case removeFacts(Range<String>)
            case addEntry([UInt8], DocumentKey, Int)
            case removeEntry([UInt8], DocumentKey, Int)
            case addIndex(IndexDefinition)
            case advance(Int)
            case failing([Step])
            case prune
            case walk(String)
            case use(Int)
        }

        private var random: SeededGenerator
        private(set) var times: [Int64]
        let keys: [DocumentKey]
        let entryKeys: [[UInt8]]
        let scopes: [QueryScope]
        let definitions: [IndexDefinition]
        private var next: Int64

        init(seed: UInt64, start: Int64) {
            random = SeededGenerator(seed: seed)
            (times, next) = ([], start + 1_000)
            let long = String(repeating: "x", count: 1_400)
            let deep = "g/\(long)/g/\(long)/\(long)/\(long)/g"
            let collections = ["a", "g", "a/1/g", "a/__id7__/g", "a/1/g/2/b", "a-b", "a/2/" + long, deep, deep + "/1/g", deep + "/2/b"]
            let ids = ["1", "2", "__id7__", "__id-3__", "é", "z"]
            keys = collections.flatMap { path in ids.map { DocumentKey(trusted: path + "/" + $0) } }
            let base = [UInt8](repeating: 5, count: 2_399)
            let tails: [[UInt8]] = [
                [], [1], [1, 2], [1, 1], [9], [1, 2, 3], Array(repeating: 7, count: 3_000), [1, 2, 0], [1, 2, 0xFE],
            ]
            entryKeys = [[1], [1, 0], [4], [6, 1], [0xFE]] + tails.map { base + $0 } + tails.map { base + [2] + $0.reversed() }
            scopes =
                [.kindless(under: nil, allDescendants: true), .kindless(under: nil, allDescendants: false)]
                + ["a", "g", "none", deep].map { .collection(CollectionPath(trusted: $0)) }
                + ["g", "b", "a"].map { .collectionGroup(id: $0, under: nil) }
                + ["a/1", "g/\(long)"].flatMap { path -> [QueryScope] in
                    let under = DocumentKey(trusted: path)
                    return [
                        .collectionGroup(id: "g", under: under), .kindless(under: under, allDescendants: true),
                        .kindless(under: under, allDescendants: false),
                    ]
                }
            definitions = [("g", IndexDefinition.Scope.collectionGroup), ("g", .collection), ("a", .collection)].enumerated().map {
                IndexDefinition(
                    collectionID: $1.0, scope: $1.1, fields: [.init(FieldPathSegments(["f\($0)"]), .ascending)], nameDirection: .ascending)
            }
        }

        // MARK: Steps

        mutating func transaction() -> [Step] {
            if times.isEmpty {
                let named = keys.filter(hasEntries)
                let puts = (named + keys.shuffled(using: &random).prefix(20)).map { Step.put($0, FieldMap([])) }
                // Every key is in every index, at some document.
                let entries = entryKeys.flatMap { key in
                    (0..<3).map { Step.addEntry(key, named.randomElement(using: &random) ?? keys[0], $0) }
                }
                return definitions.map { .addIndex($0) } + puts + entries
            }
            return (0..<Int.random(in: 1...40, using: &random)).map { _ in step(true) }
        }

        private mutating func step(_ mayFail: Bool) -> Step {
            let key = keys.randomElement(using: &random) ?? keys[0]
            let entry = entryKeys.randomElement(using: &random) ?? []
            let index = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<26, using: &random) {
            case 0..<7: return .put(key, FieldMap([("n", .integer(Int64.random(in: 0...9, using: &random)))]))
            // Documents with entries stay: an entry of a store in files refers to a row, and that row to no later document.
            case 7..<9 where !hasEntries(key): return .delete(key)
            case 9: return .fact("f/\(Int.random(in: 0...5, using: &random))", Bool.random(using: &random) ? [1, 2] : nil)
            case 22: return .removeFacts("f/\(Int.random(in: 0...3, using: &random))"..<"f/4")
            case 10..<16 where hasEntries(key): return .addEntry(entry, key, index)
            case 16 where hasEntries(key): return .removeEntry(entry, key, index)
            // A store in files counts a catalog that was taken back.
            case 17 where mayFail && Int.random(in: 0..<6, using: &random) == 0: return .addIndex(definitions[index])
            case 18: return .advance(Int.random(in: 1...50, using: &random))
            case 19 where mayFail: return .failing((0..<4).map { _ in step(false) })
            case 20 where mayFail: return .prune
            case 21: return .walk("g")
            case 23: return .use(index)
            default: return .put(key, FieldMap([("t", .string("\(entry.count)"))]))
            }
        }

        private func hasEntries(_ key: DocumentKey) -> Bool { ["1", "é"].contains(key.id) }

        mutating func finish() {
            times.append(next + 500_000)
            next += 1_000_000
        }

        /// Returns what the transaction has seen of itself.
        func apply(_ steps: [Step], to transaction: any StoreTransaction) throws(FirestoreError) -> [String] {
            var (log, time): ([String], Int64) = ([], next)
            for step in steps { try apply(step, to: transaction, &log, &time) }
            for scope in scopes {
                try transaction.states(at: .init(microseconds: times.last ?? 0), in: scope) { state in
                    log.append("state \(state.key.path.hashValue) \(state.document.text) \(state.current != nil)")
                    return .next
                }
            }
            try transaction.facts(in: "f/"..<"f0") { log.append("\($0) \([UInt8]($1))") }
            log.append(
                "\(try transaction.catalog().indexes.map { "\($0.number) \($0.state)" }) "
                    + "\(try transaction.lastUses().sorted { $0.key < $1.key })"
            )
            log.append("\(try transaction.logFloor())")
            try transaction.setLastCommitTime(DocumentVersion(microseconds: next + 500_000))
            return log
        }

        private func apply(
            _ step: Step, to transaction: any StoreTransaction, _ log: inout [String], _ time: inout Int64
        ) throws(FirestoreError) {
            switch step {
            case .put(let key, let map): try store(map, key, transaction, &log, &time)
            case .delete(let key): try store(nil, key, transaction, &log, &time)
            case .fact(let key, let value):
                try transaction.setFact(key, value.map { ByteSlice($0) })
                log.append("\(key) \(try transaction.fact(key)?.array ?? [])")
            case .removeFacts(let range): try transaction.removeFacts(in: range)
            case .addEntry(let entry, let key, let number):
                guard let (index, place) = try target(key, number, transaction) else { return }
                try transaction.addEntry(entry, of: index, at: place, kinds: Int64(entry.count))
            case .removeEntry(let entry, let key, let number):
                guard let (index, place) = try target(key, number, transaction) else { return }
                try transaction.removeEntry(entry, of: index, at: place)
            case .addIndex(let definition):
                let catalog = try transaction.catalog()
                if let known = catalog.index(serving: definition) {
                    known.isReady ? try transaction.drop(known) : try transaction.setReady(known)
                } else if let dropped = catalog.dropped.first {
                    log.append("removed \(try transaction.removeEntries(ofDropped: dropped, limit: 10_000))")
                } else {
                    try transaction.addIndex(definition, isConfigured: true)
                }
            case .advance(let count): time += Int64(count)
            case .failing(let steps):
                var copy = time
                let caught = Result { () throws(FirestoreError) in
                    try transaction.savepoint { () throws(FirestoreError) in
                        for step in steps { try apply(step, to: transaction, &log, &copy) }
                        throw FirestoreError(.aborted, "on purpose")
                    }
                }
                if case .failure(let error) = caught, error.message != "on purpose" { throw error }
            case .prune:
                guard times.count > 3 else { return }
                log.append("pruned \(try transaction.pruneLog(before: .init(microseconds: times[times.count - 3]), limit: 20))")
            case .walk(let id):
                var position: IndexPosition?
                while true {
                    var count = 0
                    let stretch = try transaction.walk(collectionID: id, after: position) { (place, document) throws(FirestoreError) in
                        log.append(
                            "walk \(place.collection) \(place.id.array.count) \(document.key.path.hashValue) \(document.document().text)")
                        count += 1
                        return count < 5 ? .next : .stop
                    }
                    position = stretch.last
                    if stretch.isAtEnd { break }
                }
            case .use(let number):
                if let index = try transaction.catalog().index(serving: definitions[number]) {
                    try transaction.setLastUse(DocumentVersion(microseconds: next), of: index.number)
                }
            }
        }

        private func store(
            _ map: FieldMap?, _ key: DocumentKey, _ transaction: any StoreTransaction, _ log: inout [String], _ time: inout Int64
        ) throws(FirestoreError) {
            // One change of a document in a commit.
            time += 1
            let (old, version) = (try transaction.document(key), DocumentVersion(microseconds: time))
            log.append("before \(old.text)")
            let new = map.map { Document(key: key, createTime: old?.createTime ?? version, updateTime: version, fields: FieldBytes($0)) }
            let place = try transaction.store(CommittedChange(key: key, old: old, new: new), at: version)
            log.append("place \(place.collection) \(place.id.array.count)")
        }

        /// An index, and the place of a document that exists.
        private func target(
            _ key: DocumentKey, _ number: Int, _ transaction: any StoreTransaction
        ) throws(FirestoreError) -> (StoredIndex, DocumentPlace)? {
            guard let old = try transaction.document(key), let index = try transaction.catalog().index(serving: definitions[number]) else {
                return nil
            }
            _ = old
            // A change to nothing names the place.
            return (index, try transaction.store(CommittedChange(key: key, old: nil, new: nil), at: .none))
        }
    }

    extension Optional where Wrapped == Document {
        fileprivate var text: String { map(\.text) ?? "nil" }
    }

    extension Document {
        fileprivate var text: String {
            "\(key.path.utf8.count) \(key.path.prefix(20)) \(key.id.prefix(9)) \(createTime.microseconds) "
                + "\(updateTime.microseconds) \(fields.bytes.array)"
        }
    }

    /// Every read of a snapshot, as text.
    private struct Transcript {
        private(set) var lines: [String] = []
        private let script: RandomScript
        private let snapshot: any StoreSnapshot

        init(_ script: RandomScript, _ snapshot: any StoreSnapshot) throws(FirestoreError) {
            (self.script, self.snapshot) = (script, snapshot)
            add("time \(snapshot.readTime) floor \(try snapshot.logFloor())")
            try documents()
            for scope in script.scopes { try read(scope) }
            try names()
            try entries()
        }

        private mutating func add(_ line: String) { lines.append(line) }

        private mutating func documents() throws(FirestoreError) {
            add("documents \(try snapshot.documents(script.keys).documents.map(\.text))")
            for time in script.times.suffix(4) {
                add("at \(time) \(try snapshot.documents(script.keys, at: .init(microseconds: time)).map(\.text))")
            }
            for number in 0...5 { add("fact \(try snapshot.fact("f/\(number)")?.array ?? [])") }
        }

        private mutating func read(_ scope: QueryScope) throws(FirestoreError) {
            let name = "\(scope)".prefix(60)
            let bounds: [KeyRange] = [
                .all, KeyRange(lower: .init(script.keys[7], inclusive: true), upper: nil),
                KeyRange(lower: .init(script.keys[2], inclusive: false), upper: .init(script.keys[40], inclusive: true)),
            ]
            for (number, range) in bounds.enumerated() {
                for descending in [false, true] {
                    var found: [String] = []
                    try snapshot.scan(scope, range: range, descending: descending) { row in
                        found.append(row.document().text)
                        return .next
                    }
                    add("scan \(name) \(number) \(descending) \(found)")
                }
                let counts = [
                    try snapshot.documentCount(in: scope, range: range, upTo: nil),
                    try snapshot.documentCount(in: scope, range: range, upTo: 3),
                ]
                add("count \(name) \(counts)")
            }
            for time in script.times.suffix(4) {
                var found: [String] = []
                try snapshot.states(at: .init(microseconds: time), in: scope) { state in
                    found.append("\(state.key.path.utf8.count) \(state.document.text) \(state.current != nil)")
                    return .next
                }
                add("states \(name) \(found)")
            }
            for count in [1, 3, 100] { add("cuts \(name) \(try snapshot.cuts(of: scope, count: count))") }
        }

        private mutating func names() throws(FirestoreError) {
            for time in script.times.suffix(3) {
                var found: [String] = []
                try snapshot.changes(after: .init(microseconds: time)) { time, key, previous in
                    found.append("\(time.microseconds) \(key.path.utf8.count) \(previous.text)")
                }
                add("changes \(found)")
            }
            for parent in [nil] + script.keys.map(Optional.init) {
                add("ids below \(try snapshot.collectionIDs(under: parent, after: nil, limit: 10))")
            }
            for collection in Set(script.keys.map(\.collection.path)).sorted() {
                let path = CollectionPath(trusted: collection)
                add(
                    "keys \(try snapshot.documentKeys(in: path, after: nil, limit: 4)) "
                        + "\(try snapshot.boundaries(of: path, parts: 3, smallest: 1))"
                )
                add("keys after \(try snapshot.documentKeys(in: path, after: DocumentKey(collection: path, id: "1"), limit: 100))")
            }
        }

        private mutating func entries() throws(FirestoreError) {
            let catalog = try snapshot.catalog()
            add("catalog \(catalog.version) \(catalog.indexes.map { "\($0.number) \($0.state) \($0.isConfigured)" }) \(catalog.dropped)")
            add("uses \(try snapshot.lastUses().sorted { $0.key < $1.key })")
            for index in catalog.indexes {
                add("extent \(try snapshot.extent(of: index.number)) progress \(try snapshot.progress(of: index))")
                let ready = ReadyIndex(number: index.number, definition: index.definition)
                let collection = index.definition.scope == .collection ? CollectionPath(trusted: index.definition.collectionID) : nil
                for (lower, upper) in [(0, nil), (6, nil), (9, 12), (3, 20), (12, 16)] as [(Int, Int?)] {
                    let range = IndexRange(lower: lower == 0 ? [] : script.entryKeys[lower], upper: upper.map { script.entryKeys[$0] })
                    for descending in [false, true] { try walk(ready, collection, range, descending) }
                    let counts = [
                        try snapshot.entryCount(of: ready, in: collection, range: range, upTo: nil),
                        try snapshot.entryCount(of: ready, in: collection, range: range, upTo: 2),
                    ]
                    add("entries \(index.number) \(lower) \(upper ?? 0) \(counts)")
                }
            }
        }

        private mutating func walk(
            _ index: ReadyIndex, _ collection: CollectionPath?, _ range: IndexRange, _ descending: Bool
        ) throws(FirestoreError) {
            var found: [String] = []
            let cursor = try snapshot.entries(of: index, in: collection, range: range, descending: descending)
            while try cursor.next() {
                let document = try? snapshot.withDocument(cursor.document) { (row: borrowing ScannedDocument) in row.document().text }
                found.append("\(cursor.key.count) \(cursor.key.suffix(3).map { $0 }) \(document ?? "gone")")
            }
            add("walk \(index.number) \(descending) \(found)")
            // Over every second key, forwards.
            let order = script.entryKeys.sorted { $0.lexicographicallyPrecedes($1) != descending && $0 != $1 }
            let seeker = try snapshot.entries(of: index, in: collection, range: range, descending: descending)
            found = []
            var last: [UInt8]?
            for key in order.enumerated().filter({ $0.offset % 2 == 1 }).map(\.element) {
                if let last, last.lexicographicallyPrecedes(key) == descending { continue }
                try seeker.seek(key)
                guard try seeker.next() else { break }
                last = [UInt8](seeker.key)
                found.append("\(seeker.key.count) \(seeker.key.suffix(3).map { $0 })")
            }
            add("seeks \(index.number) \(descending) \(found)")
        }
    }
#endif
