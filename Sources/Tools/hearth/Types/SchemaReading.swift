// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSchema
import FirestoreTransfer

/// Reads documents into a tree. Holds one page of them in memory.
final class SchemaReading: Sendable {
    /// The result of reading.
    struct Found {
        var tree: SchemaTree
        /// The number of documents that were read, counted before or not.
        var read: Int
        var collection: String
        var isGroup: Bool
        /// `all`, or `the first 10,000 by name`.
        var extent: String
        /// Collections below the documents, with `*` instead of ids, sorted.
        var below: [String]
    }

    private struct State {
        var tree: SchemaTree
        var read = 0
        var last: Document?
        var below: Set<String> = []
        /// Documents below which collections are looked for.
        var parents: [DocumentKey] = []
        var extent = "all"
    }

    /// Servers are read up to here unless the options say otherwise.
    private static let usualLimit = 10_000
    private static let retries = 6
    /// Collections below more documents than these are looked for on request only.
    private static let usualParents = 1_000
    private static let mostParents = 100_000
    private static let mostBelow = 1_000

    private let request: SchemaRequest
    private let pattern: CollectionPattern
    private let state: Mutex<State>
    private let bar: ProgressBar

    init(_ request: SchemaRequest, database: DatabaseID?) throws(FirestoreError) {
        self.request = request
        pattern = try CollectionPattern(request.collection, isGroup: request.isGroup)
        let tree = SchemaTree(database: database)
        tree.counted = request.counted
        state = Mutex(State(tree: tree))
        bar = ProgressBar(isQuiet: request.isQuiet)
    }

    func finish(_ body: (Found) throws -> Void) throws {
        let (collection, isGroup) = (request.collection, request.isGroup)
        try state.withLock { state in
            try body(
                Found(
                    tree: state.tree, read: state.read, collection: collection, isGroup: isGroup, extent: state.extent,
                    below: state.below.sorted { compareUTF8($0, $1) < 0 }))
        }
    }

    private var documents: Int { state.withLock { $0.read } }

    // MARK: Files

    func readFile(_ path: String, command: String) throws {
        defer { bar.finish(nil) }
        var form = DocumentForm.documents
        if let idField = request.idField {
            form = .fields(of: try PathCheck.collectionPath(request.collection), idField: idField)
        }
        let database = DatabaseID(projectID: DatabaseID.fallbackProject)
        var input: any DocumentInput
        var size: Int64?
        do throws(FirestoreError) {
            input = try ImportRequest(path, form: form).open(in: database)
            size = input.size
            var count = 0
            let limit = request.limit ?? .max
            try state.withLock { (state) throws(FirestoreError) in
                while count < limit, let item = try input.next() {
                    let document = try item.content.get()
                    switch pattern.match(document.key) {
                    case .document(let id):
                        try state.tree.add(id, document.fields)
                        count += 1
                        state.read = count
                    case .below(let collection): if state.below.count < Self.mostBelow { state.below.insert(collection) }
                    case .other: break
                    }
                    if count & 0x3FF == 0 {
                        bar.show(TransferProgress(documents: count, bytes: input.bytesRead, totalBytes: size))
                        if Task.isCancelled { throw FirestoreError(.cancelled, "reading was interrupted") }
                    }
                }
                if count == limit { state.extent = "the first \(Figures.grouped(limit)) of the file" }
            }
        } catch {
            throw error.aboutTypes
        }
        say("read \(ProgressLine.summary(TransferProgress(documents: documents, bytes: input.bytesRead), after: bar.elapsed))", command)
    }

    private func say(_ text: String, _ command: String) {
        if !request.isQuiet { bar.say("\(command): \(text)") }
    }

    // MARK: Databases

    func read(_ open: OpenPlace, command: String) async throws {
        defer { bar.finish(nil) }
        let isRemote = open.isRemote
        let limit = request.limit ?? (request.readsAll || !isRemote ? nil : Self.usualLimit)
        let parents = request.looksBelow ? Self.mostParents : isRemote ? 0 : Self.usualParents
        try await readPages(of: open, limit: limit, parents: parents)
        if let limit, documents >= limit {
            state.withLock { $0.extent = "the first \(Figures.grouped(limit)) by name" }
        }
        if !request.conditions.isEmpty {
            let conditions = request.conditions.joined(separator: " and ")
            state.withLock { $0.extent = ($0.extent == "all" ? "all" : $0.extent) + " where \(StoredText.plain(conditions))" }
        }
        try await findCollections(in: open)
        let count = documents
        var text = "read \(ProgressLine.count(count))"
        if let limit, count >= limit, request.limit == nil { text += ", the first ones by name; --all reads all" }
        if open.isCloud { text += "; Cloud Firestore bills a read for each" }
        say(text, command)
    }

    private func query(in database: DatabaseID, limit: Int?) throws(FirestoreError) -> StructuredQuery {
        let scope = try QueryOptions.scope(request.collection, group: request.isGroup)
        let filter = try QueryOptions.filter(request.conditions, NameOperand(scope: scope, database: database))
        var structured = StructuredQuery(scope: scope, filter: filter)
        structured.limit = limit
        // The order that is implied anyway: with it the last document shows where to continue.
        if structured.orders.isEmpty, request.conditions.isEmpty { structured.orders = [SortOrder(path: .documentID)] }
        return structured
    }

    /// A lost connection is made again, and reading continues after the last document.
    private func readPages(of open: OpenPlace, limit: Int?, parents: Int) async throws {
        let isGroup = request.isGroup
        var failures = 0
        while true {
            let before = documents
            var query = try query(in: open.database, limit: limit.map { max(0, $0 - before) })
            if let last = state.withLock({ $0.last }) {
                query.start = QueryBound(values: [ValueBytes(.reference(open.database.name(of: last.key)))], before: false)
            }
            do throws(FirestoreError) {
                return try await open.service.run(query, options: .latest, context: open.stream) { (page) throws(FirestoreError) in
                    if Task.isCancelled { throw FirestoreError(.cancelled, "reading was interrupted") }
                    let count = try self.take(page.documents, isGroup: isGroup, parents: parents)
                    self.bar.show(TransferProgress(documents: count, bytes: 0))
                    return .next
                }
            } catch {
                if documents > before { failures = 0 }
                let canGoOn = request.conditions.isEmpty && open.isRemote && failures < Self.retries
                guard error.code == .unavailable, canGoOn else { throw error }
                failures += 1
                try await Task.sleep(for: Backoff.transfer.delay(afterFailures: failures))
            }
        }
    }

    private func take(_ documents: [Document], isGroup: Bool, parents: Int) throws(FirestoreError) -> Int {
        try state.withLock { (state) throws(FirestoreError) in
            for document in documents {
                let times = SchemaTree.Times(create: document.createTime.timestamp, update: document.updateTime.timestamp)
                try state.tree.add(isGroup ? document.key.path : document.key.id, document.fields, times: times)
                state.read += 1
                if state.parents.count < parents { state.parents.append(document.key) }
            }
            if let last = documents.last { state.last = last }
            return state.read
        }
    }

    /// Collections below the documents: a request per document.
    private func findCollections(in open: OpenPlace) async throws {
        let prefix = request.isGroup ? "**/\(pattern.text)/*/" : "\(pattern.text)/*/"
        for parent in state.withLock({ $0.parents }) {
            try Task.checkCancellation()
            let ids = try await open.service.collectionIDs(under: parent, after: nil, limit: 100, options: .latest, context: open.call).ids
            state.withLock { state in
                for id in ids where state.below.count < Self.mostBelow { state.below.insert(prefix + id) }
            }
        }
    }
}

extension FirestoreError {
    /// With the options of this command.
    fileprivate var aboutTypes: FirestoreError {
        switch cause as? TransferReason {
        case .unknownFormat:
            FirestoreError(code, "the file is neither JSON nor named .csv; give a file of CSV a name that ends in .csv", at: location)
        case .unknownCollection:
            FirestoreError(
                code,
                "the file contains the fields of documents without their paths; name the field with the document's id with "
                    + "--id-field NAME", at: location)
        case .collectionOfSeed:
            FirestoreError(code, "\(message); import them with `hearth import --collection PATH`, and read the database", at: location)
        default: self
        }
    }
}
