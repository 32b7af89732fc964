// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Rewrites the documents of a collection, each on the condition that it has not changed since it was read (MP-69).
///
/// Passes follow one another until one finds nothing to do: documents that older programs wrote in the meantime are found by
/// the next. A pass reads pages by name; a few pages are in flight, and the checkpoint contains the last document up to which all are done.
/// Whatever happens in between, each document is unchanged or migrated, and it is safe to run again.
package struct MigrationRun: Sendable {
    package struct Options: Sendable {
        /// Writes nothing, and looks at what would be written.
        package var isDryRun = false
        package var rate = MigrationRate.unlimited
        package var checkpoint: (any MigrationCheckpointStore)?
        /// Continues where the checkpoint says; from the start without one.
        package var resumes = false
        /// How often a commit that failed with a transient error is sent again. Conditions make that safe.
        package var retries = 6
        /// Called after each page.
        package var onProgress: @Sendable (_ read: Int, _ migrated: Int, _ pass: Int) -> Void = { _, _, _ in }
        package var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

        package init() {}
    }

    /// Passes that still found something: others keep writing old documents.
    package static let mostPasses = 10
    private static let pagesInFlight = 8
    private static let bytesPerPage = 2 << 20
    private static let documentsPerPage = 500

    private let source: MigrationSource
    private let plan: MigrationPlan
    private let options: Options
    private let fingerprint: String

    package init(_ source: MigrationSource, _ plan: MigrationPlan, _ options: Options = Options()) {
        self.source = source
        self.plan = plan
        self.options = options
        fingerprint = "\(source.query.scope.place): \(plan.fingerprint)"
    }

    /// Throws if the run has to stop before its end; changes committed by then stay, and the checkpoint says where to continue.
    package func perform() async throws -> MigrationOutcome { try await perform(from: try await start()) }

    /// Checks the conditions for the first write: the checkpoint can be stored, and belongs to this migration.
    package func start() async throws -> MigrationCheckpoint? {
        guard let store = options.checkpoint else { return nil }
        if let document = store.document, source.query.scope.mayContain(document) {
            throw FirestoreError.invalidArgument(
                "the checkpoint would be migrated itself; choose a document outside of \(source.query.scope.place)", at: document.path)
        }
        guard !options.isDryRun else { return nil }
        let checkpoint = try await startingPoint(in: store)
        try await store.check()
        return checkpoint
    }

    /// From where `start` says.
    package func perform(from checkpoint: MigrationCheckpoint?) async throws -> MigrationOutcome {
        let running = RunningPages()
        return try await withTaskCancellationHandler {
            try await perform(from: checkpoint, running)
        } onCancel: {
            running.cancel()
        }
    }

    private func perform(from checkpoint: MigrationCheckpoint?, _ running: RunningPages) async throws -> MigrationOutcome {
        var outcome = MigrationOutcome(steps: plan.steps.count)
        outcome.read = checkpoint?.read ?? 0
        outcome.migrated = checkpoint?.migrated ?? 0
        if let steps = checkpoint?.steps, steps.count == outcome.steps.count { outcome.steps = steps }
        var state = PassState(
            pass: checkpoint?.pass ?? 1, last: checkpoint?.last.map { DocumentKey(trusted: $0) },
            migratedInPass: checkpoint?.migratedInPass ?? 0)
        while true {
            try await pass(&state, &outcome, running)
            outcome.passes += 1
            if options.isDryRun || state.migratedInPass == 0 { break }
            guard outcome.passes < Self.mostPasses else {
                throw FirestoreError(
                    .aborted,
                    "after \(outcome.passes) passes there still were documents to migrate; older programs keep writing them: update those",
                    at: source.query.scope.place)
            }
            state = PassState(pass: state.pass + 1, last: nil, migratedInPass: 0)
        }
        if !options.isDryRun { try await options.checkpoint?.remove() }
        return outcome
    }

    private struct PassState {
        var pass: Int
        var last: DocumentKey?
        var migratedInPass: Int
    }

    private func startingPoint(in store: any MigrationCheckpointStore) async throws -> MigrationCheckpoint? {
        guard let checkpoint = try await store.load() else { return nil }
        guard options.resumes else {
            throw FirestoreError(
                .failedPrecondition, "an earlier migration has not ended; resume it, or remove the checkpoint to start again",
                at: store.name)
        }
        guard checkpoint.fingerprint == fingerprint else {
            throw FirestoreError(
                .failedPrecondition, "the checkpoint belongs to another migration; remove it to start this one", at: store.name)
        }
        return checkpoint
    }

    // MARK: A pass

    private struct Page {
        let last: DocumentKey
        let task: Task<MigrationOutcome, any Error>
    }

    private func pass(_ state: inout PassState, _ outcome: inout MigrationOutcome, _ running: RunningPages) async throws {
        // Documents that failed in an earlier pass are tried again.
        outcome.failures = []
        outcome.failureCount = 0
        let pace = MigrationPace(options.rate, sleep: options.sleep)
        var pages: [Page] = []
        var next = state.last
        var limit = 50
        do {
            while true {
                try Task.checkCancellation()
                let documents = try await retrying { () throws(FirestoreError) in try await source.page(after: next, limit: limit) }
                guard let last = documents.last else { break }
                next = last.key
                limit = Self.limit(after: documents)
                let task = Task { try await migrate(documents, pace) }
                running.add(task)
                pages.append(Page(last: last.key, task: task))
                if pages.count >= Self.pagesInFlight { try await finish(pages.removeFirst(), &state, &outcome, running) }
            }
            while !pages.isEmpty { try await finish(pages.removeFirst(), &state, &outcome, running) }
        } catch {
            // The pages behind it may be done, but nothing records it; their changes are found as done when the pass is resumed.
            for page in pages { _ = await page.task.result }
            throw error
        }
    }

    /// Pages of documents of any size take about the same memory.
    private static func limit(after documents: [Document]) -> Int {
        let bytes = documents.reduce(0) { $0 + $1.fields.bytes.count }
        return min(documentsPerPage, max(1, bytesPerPage * documents.count / max(bytes, 1)))
    }

    private func finish(
        _ page: Page, _ state: inout PassState, _ outcome: inout MigrationOutcome, _ running: RunningPages
    ) async throws {
        var done = try await page.task.value
        running.removeFirst()
        if state.pass > 1 { done.read = 0 }
        outcome.add(done)
        state.last = page.last
        state.migratedInPass += done.migrated
        options.onProgress(outcome.read, outcome.migrated, state.pass)
        guard !options.isDryRun, let store = options.checkpoint else { return }
        try await store.save(
            MigrationCheckpoint(
                fingerprint: fingerprint, pass: state.pass, last: page.last.path, read: outcome.read, migrated: outcome.migrated,
                migratedInPass: state.migratedInPass, steps: outcome.steps))
    }

    // MARK: A page

    /// A document and its write.
    private struct Change {
        let document: Document
        let result: MigrationPlan.Result
        let write: Write
    }

    private func migrate(_ documents: [Document], _ pace: MigrationPace) async throws -> MigrationOutcome {
        var outcome = MigrationOutcome(steps: plan.steps.count)
        outcome.read = documents.count
        let changes = changes(of: documents, &outcome)
        if options.isDryRun {
            for change in changes { rehearse(change, &outcome) }
            return outcome
        }
        var batch: [Change] = []
        var bytes = 0
        for change in changes {
            let size = change.write.size
            if batch.count >= options.rate.writesPerCommit || (!batch.isEmpty && bytes + size > Self.bytesPerPage) {
                try await commit(batch, pace, &outcome)
                (batch, bytes) = ([], 0)
            }
            batch.append(change)
            bytes += size
        }
        if !batch.isEmpty { try await commit(batch, pace, &outcome) }
        return outcome
    }

    private func changes(of documents: [Document], _ outcome: inout MigrationOutcome) -> [Change] {
        var changes: [Change] = []
        for document in documents {
            do {
                guard let result = try plan.migrate(document) else { continue }
                let difference = FieldDifference(from: document.fields, to: result.fields)
                if difference.isEmpty { continue }
                // Only the changes, and only if the document has not changed in the meantime (MP-75).
                let write = Write(
                    key: document.key, operation: .patch(difference.fields, mask: difference.mask),
                    precondition: .updateTime(document.updateTime))
                changes.append(Change(document: document, result: result, write: write))
            } catch {
                outcome.fail(document.key, error)
            }
        }
        return changes
    }

    private func rehearse(_ change: Change, _ outcome: inout MigrationOutcome) {
        outcome.count(change.result)
        if outcome.samples.count < MigrationOutcome.samplesKept {
            outcome.samples.append(
                MigrationOutcome.Sample(key: change.document.key, before: change.document.fields, after: change.result.fields))
        }
        do {
            try plan.check(change.document.key, change.result.fields)
        } catch {
            outcome.reject(change.document.key, error)
        }
    }

    /// Commits writes together; documents that have changed meanwhile are read again.
    private func commit(_ batch: [Change], _ pace: MigrationPace, _ outcome: inout MigrationOutcome) async throws {
        var batch = batch
        for _ in 0..<3 {
            guard let error = try await send(batch, pace, &outcome) else { return }
            guard error.isConflict else {
                if batch.count > 1 { break }
                return outcome.fail(batch[0].document.key, error)
            }
            batch = try await again(batch, &outcome)
            if batch.isEmpty { return }
        }
        // One of them does not let the others through.
        for change in batch { try await commitAlone(change, pace, &outcome) }
    }

    private static let attemptsAlone = 10

    private func commitAlone(_ change: Change, _ pace: MigrationPace, _ outcome: inout MigrationOutcome) async throws {
        var change = change
        for _ in 0..<Self.attemptsAlone {
            guard let error = try await send([change], pace, &outcome) else { return }
            guard error.isConflict else { return outcome.fail(change.document.key, error) }
            guard let next = try await again([change], &outcome).first else { return }
            change = next
        }
        outcome.fail(
            change.document.key,
            FirestoreError(
                .aborted, "others keep changing the document: it was read \(Self.attemptsAlone) times, and had changed each time"))
    }

    /// Reads documents again after a conflict. Those that were deleted, or are as they should be, are done.
    private func again(_ batch: [Change], _ outcome: inout MigrationOutcome) async throws -> [Change] {
        let documents = try await retrying { () throws(FirestoreError) in try await source.documents(batch.map(\.document.key)) }
        let times = Dictionary(batch.map { ($0.document.key, $0.document.updateTime) }) { first, _ in first }
        outcome.conflicts += documents.count { times[$0.key] != $0.updateTime }
        return changes(of: documents, &outcome)
    }

    /// nil if the writes were made; the error that concerns one of them. Throws an error that ends the run.
    private func send(_ batch: [Change], _ pace: MigrationPace, _ outcome: inout MigrationOutcome) async throws -> FirestoreError? {
        await pace.wait(for: batch.count)
        try Task.checkCancellation()
        do throws(FirestoreError) {
            try await retrying { () throws(FirestoreError) in try await source.commit(batch.map(\.write)) }
        } catch {
            if error.isTransient || error.code == .cancelled || error.code == .unauthenticated { throw error }
            return error
        }
        for change in batch { outcome.count(change.result) }
        return nil
    }

    /// Conditions make it safe to send a commit again whose answer was lost: if it was made, the documents have changed.
    private func retrying<R>(_ body: () async throws(FirestoreError) -> R) async throws(FirestoreError) -> R {
        let backoff = Backoff(first: .milliseconds(250), factor: 2, longest: .seconds(16), jitter: 0.25)
        var failures = 0
        while true {
            do throws(FirestoreError) {
                return try await body()
            } catch {
                failures += 1
                guard error.isTransient, failures <= options.retries else { throw error }
                await options.sleep(backoff.delay(afterFailures: failures))
                if Task.isCancelled { throw FirestoreError(.cancelled, "the migration was interrupted") }
            }
        }
    }
}

/// The pages in flight, in order: an interruption drops the requests that they have not sent yet.
private final class RunningPages: Sendable {
    private struct State {
        var isCancelled = false
        var tasks: [Task<MigrationOutcome, any Error>] = []
    }

    private let state = Mutex(State())

    func add(_ task: Task<MigrationOutcome, any Error>) {
        let isCancelled = state.withLock { state in
            state.tasks.append(task)
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func removeFirst() { state.withLock { _ = $0.tasks.removeFirst() } }

    func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }
}

extension QueryScope {
    /// Whether a query of this scope can find the document.
    fileprivate func mayContain(_ key: DocumentKey) -> Bool {
        if let parent, !key.path.utf8.starts(with: (parent.path + "/").utf8) { return false }
        return switch self {
        case .collection(let path): key.collection.path.utf8.elementsEqual(path.path.utf8)
        case .collectionGroup(let id, _): key.collection.id.utf8.elementsEqual(id.utf8)
        case .kindless: true
        }
    }
}

extension FirestoreError {
    /// Whether the document has changed since it was read.
    fileprivate var isConflict: Bool {
        switch code {
        case .failedPrecondition, .notFound, .aborted, .alreadyExists: true
        default: false
        }
    }

    fileprivate var isTransient: Bool {
        switch code {
        case .unavailable, .deadlineExceeded, .resourceExhausted, .internal: true
        default: false
        }
    }
}

extension Write {
    fileprivate var size: Int {
        guard case .patch(let fields, _) = operation else { return 0 }
        return fields.bytes.count + key.path.utf8.count + 96
    }
}
