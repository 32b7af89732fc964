// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
package import FirestoreSemantics
package import FirestoreStorage

/// Manages the indexes of a database: builds and drops them step by step, on a separate thread, while commits continue.
package final class IndexManager: Sendable {
    private let store: any DocumentStore
    private let limits: IndexLimits
    private let thread = DispatchQueue(label: "hearth.index", qos: .utility)
    private let state: Mutex<State>
    package let sketches: VectorSketches

    private struct State {
        var policy: IndexPolicy
        var demand: IndexDemand
        /// As of the last transaction of this manager, or newer.
        var catalog: IndexCatalog?
        /// Whether a step is running on the thread, or scheduled.
        var isWorking = false
        var isClosed = false
        /// Indexes with damaged documents, and the errors; not tried again until an index is requested.
        var stuck: [Int64: FirestoreError] = [:]
        /// Of the wall clock.
        var nextNote: Int64 = 0
        var waiting: [@Sendable (Result<Void, FirestoreError>) -> Void] = []
        var exemptions = IndexExemptions()
        /// How many indexes were built by this manager.
        var built = 0

        /// Whether the index should be created, as far as known here.
        mutating func wish(_ definition: IndexDefinition) -> Bool {
            switch policy {
            case .automatic: break
            case .manual: return false
            // The service maintains single-field indexes automatically (DM-31).
            case .required: guard definition.isSingleField, definition.scope == .collection else { return false }
            }
            guard !exemptions.concern(definition) else { return false }
            return catalog?.index(serving: definition) == nil && demand.wish(definition)
        }
    }

    package init(store: any DocumentStore, policy: IndexPolicy, limits: IndexLimits) {
        self.store = store
        self.limits = limits
        sketches = VectorSketches(most: limits.sketchBytes)
        state = Mutex(State(policy: policy, demand: IndexDemand(limits: limits)))
    }

    /// Reads the configured indexes, and continues unfinished work.
    package func start() throws(FirestoreError) {
        let (catalog, exemptions) = try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            (try snapshot.catalog(), try snapshot.fact(IndexExemptions.fact))
        }
        remember(catalog)
        if let exemptions = exemptions.flatMap({ IndexExemptions(stored: $0) }) { state.withLock { $0.exemptions = exemptions } }
        if !catalog.dropped.isEmpty || catalog.indexes.contains(where: { !$0.isReady }) { work() }
    }

    package var policy: IndexPolicy { state.withLock { $0.policy } }

    package func setPolicy(_ policy: IndexPolicy) {
        state.withLock { state in
            state.policy = policy
            if policy == .manual { state.demand.forgetWishes() }
        }
    }

    // MARK: From queries

    /// Throws the service's error for a query whose index is not configured (QR-52), and records the index it needs.
    package func admit(_ query: StructuredQuery) throws(FirestoreError) {
        let shape = QueryShape.number(of: query)
        let isKnown = state.withLock { state in !state.demand.isNew(shape: shape) && state.policy != .required }
        if isKnown { return }
        let needed = self.needed(for: query)
        if needed.isEmpty { return }
        state.withLock { state in for definition in needed { state.demand.need(definition) } }
        guard isRejected(query) else { return }
        // Another process may have configured the index since.
        if store.commitLog != nil {
            remember(try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try snapshot.catalog() })
            guard isRejected(query) else { return }
        }
        throw .missingIndex(needed)
    }

    /// The indexes that have to be configured for a query: what the service requires, and those of exempt fields.
    private func needed(for query: StructuredQuery) -> [IndexDefinition] {
        let required = IdealIndex.required(for: query)
        let exemptions = state.withLock { $0.exemptions }
        guard !exemptions.isEmpty else { return required }
        return required + IdealIndex.all(for: query).filter { exemptions.concern($0) && !required.contains($0) }
    }

    private func isRejected(_ query: StructuredQuery) -> Bool {
        state.withLock { state in
            guard state.policy == .required else { return false }
            let configured = state.catalog?.indexes.filter(\.isConfigured).map(\.definition) ?? []
            return !IdealIndex.isServed(query, by: configured) || !state.exemptions.areServed(query, by: configured)
        }
    }

    /// Records the indexes and the cost of a query, and the moment of its result.
    package func observe(
        _ query: StructuredQuery, _ counters: QueryCounters, results: Int, at time: DocumentVersion
    ) {
        let isCostly = IndexNeed.isWorthwhile(
            documentsRead: counters.documentsRead, entriesRead: counters.entriesRead, results: results)
        guard isCostly || !counters.indexes.isEmpty else { return }
        let ideal = isCostly ? IdealIndex.all(for: query) : []
        let hasNew = state.withLock { state in
            for index in counters.indexes { state.demand.use(index, at: time) }
            return ideal.reduce(false) { state.wish($1) || $0 }
        }
        if hasNew { work() }
    }

    package func neededIndexes() -> [IndexDefinition] { state.withLock { $0.demand.allNeeded } }

    // MARK: Administration

    package func configure(_ definitions: [IndexDefinition]) async throws(FirestoreError) {
        try await change { (transaction: any StoreTransaction) throws(FirestoreError) in
            var wanted: Set<Int64> = []
            for definition in definitions {
                if try transaction.catalog().index(serving: definition) == nil {
                    try transaction.addIndex(definition, isConfigured: true)
                }
                guard let index = try transaction.catalog().index(serving: definition) else { continue }
                wanted.insert(index.number)
                if !index.isConfigured { try transaction.setConfigured(true, index) }
            }
            for index in try transaction.catalog().indexes where index.isConfigured && !wanted.contains(index.number) {
                try ExpiryIndexes.drop(index, in: transaction)
            }
        }
    }

    /// Adds a configured index and returns its number; an automatic one with the same definition becomes configured.
    package func add(_ definition: IndexDefinition) async throws(FirestoreError) -> Int64 {
        try await change { (transaction: any StoreTransaction) throws(FirestoreError) in
            let known = try transaction.catalog().indexes.first { $0.definition == definition }
            if let known {
                guard !known.isConfigured else { throw FirestoreError(.alreadyExists, "the index \(definition) exists already") }
                try transaction.setConfigured(true, known)
                return known.number
            }
            try transaction.addIndex(definition, isConfigured: true)
            guard let added = try transaction.catalog().indexes.first(where: { $0.definition == definition }) else {
                throw FirestoreError(.internal, "the index \(definition) was not added")
            }
            return added.number
        }
    }

    /// Stores the fields without an index of their own, and drops the automatic indexes that have one.
    package func setExemptions(_ exemptions: IndexExemptions) async throws(FirestoreError) {
        try await change { (transaction: any StoreTransaction) throws(FirestoreError) in
            try transaction.setFact(IndexExemptions.fact, exemptions.isEmpty ? nil : exemptions.stored)
            for index in try transaction.catalog().indexes where index.isAutomatic && exemptions.concern(index.definition) {
                try transaction.drop(index)
            }
        }
        state.withLock { $0.exemptions = exemptions }
    }

    /// Drops the indexes that `condition` selects, given when each was last used; returns the dropped ones.
    package func drop(
        where condition: @escaping @Sendable (StoredIndex, DocumentVersion) -> Bool
    ) async throws(FirestoreError) -> [IndexDefinition] {
        try await change { [self] (transaction: any StoreTransaction) throws(FirestoreError) in
            try flushUses(in: transaction)
            let uses = try transaction.lastUses()
            let gone = try transaction.catalog().indexes.filter { $0.isListed && condition($0, uses[$0.number] ?? .none) }
            for index in gone { try ExpiryIndexes.drop(index, in: transaction) }
            return gone.map(\.definition)
        }
    }

    package func statuses() async throws(FirestoreError) -> [IndexStatus] {
        let stored = try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            let uses = try snapshot.lastUses()
            var result: [IndexStatus] = []
            for index in try snapshot.catalog().indexes where index.isListed {
                let (entries, bytes) = try snapshot.extent(of: index.number)
                result.append(
                    IndexStatus(
                        number: index.number, definition: index.definition, state: index.isReady ? .ready : .building,
                        isConfigured: index.isConfigured, entries: entries, bytes: bytes, progress: try snapshot.progress(of: index),
                        lastUsed: uses[index.number] ?? .none))
            }
            return result
        }
        return state.withLock { state in
            stored.map { status in
                var status = status
                status.lastUsed = max(status.lastUsed, state.demand.lastUse(status.definition))
                return status
            }
        }
    }

    /// Returns when nothing is being built or deleted, or throws the error that stopped it.
    package func settled() async throws(FirestoreError) {
        let result = await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                state.stuck = [:]
                if !state.isClosed { state.waiting.append { continuation.resume(returning: $0) } }
                return state.isClosed
            }
            if isClosed { continuation.resume(returning: Result<Void, FirestoreError>.failure(.isShutDown)) } else { work() }
        }
        try result.get()
    }

    /// Calls back when nothing is being built or deleted, also after an error that stopped it.
    package func whenSettled(_ body: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waiting.append { _ in body() } }
            return state.isClosed
        }
        if isClosed { body() } else { work() }
    }

    /// Whether a damaged document stopped the build of an index.
    package func isStuck(_ index: Int64) -> Bool { state.withLock { $0.stuck[index] != nil } }

    /// Runs a transaction on the manager's thread, between two steps.
    func change<R: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            thread.async { [self] in
                do throws(FirestoreError) {
                    let (result, catalog) = try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                        (try body(transaction), try transaction.catalog())
                    }
                    remember(catalog)
                    state.withLock { $0.stuck = [:] }
                    work()
                    continuation.resume(returning: .success(result))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private func remember(_ catalog: IndexCatalog) {
        state.withLock { state in
            let building = Set(state.catalog?.indexes.filter { !$0.isReady }.map(\.number) ?? [])
            if !building.isEmpty { state.built += catalog.indexes.count { $0.isReady && building.contains($0.number) } }
            state.catalog = catalog
        }
    }

    /// The number of indexes that were built since the database was opened, and of those that are being built.
    package var buildCounts: (built: Int, building: Int) {
        state.withLock { ($0.built, $0.catalog?.indexes.count { !$0.isReady } ?? 0) }
    }

    // MARK: Work

    /// Starts the thread's work if there is any.
    private func work() {
        let isIdle = state.withLock { state in
            defer { state.isWorking = true }
            return !state.isWorking && !state.isClosed
        }
        if isIdle { thread.async { self.step() } }
    }

    /// Runs one transaction, then schedules the next behind everything else on the thread, so that administration can run in between.
    private func step() {
        if state.withLock({ $0.isClosed }) { return rest(.failure(.isShutDown)) }
        let (wish, stuck) = state.withLock { ($0.demand.takeWish(), $0.stuck) }
        do throws(FirestoreError) {
            let (hasMore, catalog) = try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                var hasMore = true
                if let wish {
                    try fulfil(wish, in: transaction)
                } else {
                    hasMore = try IndexBuilding(limits: limits, skipped: Set(stuck.keys)).step(in: transaction)
                }
                return (hasMore, try transaction.catalog())
            }
            remember(catalog)
            if hasMore { thread.async { self.step() } } else { rest(stuck.values.first.map { .failure($0) } ?? .success(())) }
        } catch {
            if wish == nil, isStuck(on: error) { return thread.async { self.step() } }
            // Tried again when the database is opened, or when an index is requested or waited for.
            rest(.failure(error))
        }
    }

    /// A damaged document affects only its own indexes: work on the others continues.
    private func isStuck(on error: FirestoreError) -> Bool {
        guard error.code == .dataLoss else { return false }
        return state.withLock { state in
            guard let index = state.catalog?.indexes.first(where: { !$0.isReady && state.stuck[$0.number] == nil }) else {
                return false
            }
            state.stuck[index.number] = error
            return true
        }
    }

    private func rest(_ result: Result<Void, FirestoreError>) {
        let (waiting, hasMore) = state.withLock { state in
            state.isWorking = false
            let hasMore = state.demand.hasWishes && (try? result.get()) != nil
            defer { if !hasMore { state.waiting = [] } }
            return (hasMore ? [] : state.waiting, hasMore)
        }
        for wake in waiting { wake(result) }
        if hasMore { work() }
    }

    /// Adds an index that queries want to the catalog, if no other serves as well. If there are too many automatic ones, the least
    /// recently used one is dropped.
    private func fulfil(_ wish: IndexDefinition, in transaction: any StoreTransaction) throws(FirestoreError) {
        let catalog = try transaction.catalog()
        guard catalog.index(serving: wish) == nil else { return }
        // Another process may have exempted a field.
        if store.commitLog != nil, let stored = try transaction.fact(IndexExemptions.fact),
            let exemptions = IndexExemptions(stored: stored), exemptions.concern(wish)
        {
            return
        }
        let rivals = catalog.kept(on: wish.collectionID).filter(\.isAutomatic)
        if rivals.count >= limits.automaticIndexes {
            try flushUses(in: transaction)
            let uses = try transaction.lastUses()
            let oldest = rivals.min { uses[$0.number] ?? .none < uses[$1.number] ?? .none }
            if let oldest { try transaction.drop(oldest) }
        }
        try transaction.addIndex(wish, isConfigured: false)
    }

    // MARK: Uses

    /// Stores recorded uses with a commit, if that was last done long ago.
    package func noteUses(in transaction: any StoreTransaction, now: Int64) throws(FirestoreError) {
        let isDue = state.withLock { state in
            guard state.demand.hasUses, now >= state.nextNote else { return false }
            state.nextNote = now + Self.pause
            return true
        }
        if isDue { try flushUses(in: transaction) }
    }

    /// Ten minutes, in microseconds.
    private static let pause: Int64 = 600_000_000

    /// Stores when indexes were last used. Done rarely: it only guides clean-up.
    private func flushUses(in transaction: any StoreTransaction) throws(FirestoreError) {
        let uses = state.withLock { $0.demand.takeUses() }
        if uses.isEmpty { return }
        for index in try transaction.catalog().indexes {
            if let time = uses[index.definition] { try transaction.setLastUse(time, of: index.number) }
        }
    }

    /// Finishes the running step, stores data that is only in memory, and stops.
    package func close() {
        let hasUses = state.withLock { state in
            state.isClosed = true
            return state.demand.hasUses
        }
        thread.sync {
            guard hasUses else { return }
            // If this fails, an index looks unused for slightly longer than it was.
            try? store.write { (transaction: any StoreTransaction) throws(FirestoreError) in try flushUses(in: transaction) }
        }
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for wake in waiting { wake(.failure(.isShutDown)) }
    }
}

extension FirestoreError {
    /// The error of a query that needs indexes that are not configured (QR-52).
    fileprivate static func missingIndex(_ needed: [IndexDefinition]) -> FirestoreError {
        let entries = IndexConfigurationEntry.all(for: needed).map { "to \"\($0.section)\": \($0.json.text(.spaced))" }
        return FirestoreError(
            .failedPrecondition,
            "the query needs an index that is not configured; add this to firestore.indexes.json, "
                + entries.joined(separator: "; "), at: needed.first?.collectionID)
    }
}

extension IndexExemptions {
    /// Whether configured indexes answer the parts of a query that ask for exempt fields.
    fileprivate func areServed(_ query: StructuredQuery, by configured: [IndexDefinition]) -> Bool {
        guard !isEmpty else { return true }
        return IdealIndex.all(for: query).filter(concern).allSatisfy { ideal in
            let wanted = Set(ideal.fields.map(\.path))
            let exempt = wanted.filter { contains($0, of: ideal.collectionID) }
            return configured.contains { index in
                let own = Set(index.fields.map(\.path))
                return equalUTF8(index.collectionID, ideal.collectionID) && index.scope == ideal.scope && own.isSubset(of: wanted)
                    && exempt.isSubset(of: own)
            }
        }
    }
}
