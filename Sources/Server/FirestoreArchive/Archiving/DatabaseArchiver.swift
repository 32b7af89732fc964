// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
import FirestoreStorage
package import Logging

/// Keeps the archive of one open database up to date: commits about every second, a copy every day, and removes what is too old.
///
/// Commits never wait for it. While the archive cannot be reached, the change log is kept, within bounds; if it was cut, a new copy is
/// made.
package actor DatabaseArchiver {
    nonisolated let engine: Engine
    let store: any ArchiveStore
    let layout: ArchiveLayout
    let policy: ArchivePolicy
    let traffic: ArchiveTraffic
    let clock: any WallClock
    let logger: Logger
    private let makeFile: @Sendable () throws(FirestoreError) -> String
    private let holder: String
    private let backoff: Backoff
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// nil until the lease is taken.
    private(set) var writing: SegmentWriting?
    /// The objects that say how far the archive reaches: one, and those that are to be removed.
    var reaches: [BaseName] = []
    var lastReach: Int64 = 0
    /// What is looked for every minute; nil until there is something.
    var sight: ArchiveSight?
    /// Whether the archive has lost what it had, so that the lease is taken anew.
    var isToBeginAgain = false
    private var bases = BaseSchedule()
    private var isFinishing = false
    private var lastHold: Int64 = 0
    private var keepingOpen: @Sendable () -> (any Sendable)? = { nil }
    private var loop: Task<Void, Never>?
    /// While commits are gathered.
    private var pause: Task<Void, Never>?
    /// The copy that is being made.
    private var upload: Task<Result<BaseManifest, FirestoreError>, Never>?
    private var tidying: Task<Void, Never>?
    private var lastTidy: Int64 = 0
    package internal(set) var status = ArchiveStatus() {
        didSet { if let end = status.end, oldValue.end == nil { whenEnded(end) } }
    }
    private let whenEnded: @Sendable (ArchivingEnd) -> Void

    /// - Parameters:
    ///   - holder: The process, which takes one lease of each database.
    ///   - whenEnded: Called when another server has taken over, or the archive is of another database.
    ///   - file: Makes the path of a temporary file on the disk of the databases.
    package init(
        _ engine: Engine, of database: DatabaseID, in store: any ArchiveStore, policy: ArchivePolicy, traffic: ArchiveTraffic? = nil,
        holder: String = DatabaseArchiver.makeHolder(), clock: any WallClock, backoff: Backoff = DatabaseArchiver.usualBackoff,
        logger: Logger, whenEnded: @escaping @Sendable (ArchivingEnd) -> Void = { _ in },
        file: @escaping @Sendable () throws(FirestoreError) -> String
    ) {
        self.engine = engine
        self.store = store
        layout = ArchiveLayout(database)
        self.policy = policy
        self.traffic = traffic ?? ArchiveTraffic(objectsPerSecond: policy.objectsPerSecond)
        self.holder = holder
        self.clock = clock
        self.backoff = backoff
        var logger = logger
        logger[metadataKey: "project"] = "\(database.projectID)"
        logger[metadataKey: "database"] = "\(database.databaseID)"
        self.logger = logger
        self.whenEnded = whenEnded
        makeFile = file
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Between attempts while the archive cannot be reached.
    package static let usualBackoff = Backoff(first: .seconds(1), factor: 2, longest: .seconds(60), jitter: 0.2)

    /// A name for a process.
    package static func makeHolder() -> String { String(UInt64.random(in: 1 ... .max), radix: 16) }

    // MARK: Life

    /// Begins to archive, in the background.
    ///
    /// - Parameter keepingOpen: Returns what keeps the database open. It is held while a copy is made.
    package func start(keepingOpen: @escaping @Sendable () -> (any Sendable)? = { nil }) {
        guard loop == nil, !isFinishing else { return }
        self.keepingOpen = keepingOpen
        let handle = engine.log.follow({ [wake] in _ = wake.yield() }, ended: { _ in })
        loop = Task { [wakes] in
            await self.run(wakes)
            handle.stop()
        }
        // What was committed before.
        wake.yield()
    }

    /// Takes the lease before archiving begins, or finds that another server has it. An archive that cannot be reached is tried later.
    func takeLease() async {
        guard writing == nil, !status.isEnded else { return }
        do throws(FirestoreError) { try await begin() } catch { note(error, 1) }
    }

    /// Checks whether another server has taken the lease. An idle database would not notice otherwise.
    func checkLease() async {
        guard let writing, !status.isEnded else { return }
        let next = layout.lease(writing.lease + 1)
        do throws(FirestoreError) {
            if let other = try await store.get(next) { try lose(other, name: next) }
        } catch {
            if status.isEnded { note(error, 1) }
        }
    }

    /// Archives everything that is committed, and ends. Gives up after a while: the log is kept for the next time.
    package func finish(within patience: Duration) async {
        isFinishing = true
        guard let loop else { return await noteReach(isLast: true) }
        tidying?.cancel()
        pause?.cancel()
        wake.finish()
        let limit = Task {
            try? await Task.sleep(for: patience)
            loop.cancel()
            self.upload?.cancel()
        }
        await loop.value
        // Commits are safe; a copy of a small database is complete soon.
        await copyFinished()
        await noteReach(isLast: true)
        limit.cancel()
        if status.waitingSince != nil, !status.isEnded {
            logger.warning(
                "the archive lacks the last commits; they are archived when the database is opened again",
                metadata: ["through": "\(status.through.timestamp.text)"])
        }
    }

    private func run(_ wakes: AsyncStream<Void>) async {
        for await _ in wakes {
            await archiveUntilDone()
            if status.isEnded { return }
            if Task.isCancelled { break }
            // Commits are gathered.
            await pauseUnlessFinishing()
        }
        await archiveUntilDone()
        await storeHold(isLast: true)
        if !Task.isCancelled { await noteReach(isLast: true) }
    }

    private func pauseUnlessFinishing() async {
        guard !isFinishing else { return }
        let pause = Task { [interval = policy.interval] in _ = try? await Task.sleep(for: interval) }
        self.pause = pause
        await pause.value
        self.pause = nil
    }

    /// Archives what there is, however often that fails.
    private func archiveUntilDone() async {
        var failures = 0
        while !status.isEnded {
            do throws(FirestoreError) {
                try await archiveCommits()
                status.problem = nil
                return
            } catch {
                if error.code == .failedPrecondition, status.isEnded { return note(error, failures) }
                failures += 1
                status.failures += 1
                note(error, failures)
            }
            if Task.isCancelled { return }
            await backoff.sleep(backoff.delay(afterFailures: failures))
        }
    }

    /// Logs a failure, and while it lasts not with every attempt.
    func note(_ error: FirestoreError, _ failures: Int) {
        status.problem = error.message
        guard failures <= 1 || failures % 10 == 0 else { return }
        logger.log(
            level: status.isEnded ? .error : .warning, status.isEnded ? "archiving ends" : "archiving is delayed",
            metadata: ["error": "\(error)", "lag": "\(status.lag(now: clock.now())) s"])
    }

    // MARK: Commits

    /// Archives the commits that the archive does not have yet. Once without an attempt to recover from a failure.
    package func archiveCommits() async throws(FirestoreError) {
        if isToBeginAgain { (isToBeginAgain, self.writing) = (false, nil) }
        if writing == nil { try await begin() }
        guard var writing else { return }
        while true {
            if Task.isCancelled { throw FirestoreError(.cancelled, "archiving was cancelled") }
            let found = try await stretch(after: writing.position)
            guard !found.commits.isEmpty else { break }
            status.waitingSince = found.commits.first?.time.microseconds
            let size = try await store(found.commits, with: &writing)
            self.writing = writing
            bases.wrote(size)
            status.through = writing.position
            if found.isLast { break }
        }
        status.waitingSince = nil
        status.isCurrent = true
        await storeHold(isLast: false)
        await noteReach()
        startBaseIfDue()
        tidyIfDue()
    }

    func wakeUp() { wake.yield() }

    private func begin() async throws(FirestoreError) {
        let taken = try await taking { (taking: LeaseTaking) throws(FirestoreError) in try await taking.run() }
        logger.info("archiving", metadata: ["lease": "\(taken.lease.number)", "after": "\(taken.position.timestamp.text)"])
        writing = SegmentWriting(
            history: taken.lease.historyNumber ?? 0, lease: taken.lease.number, position: taken.position, hash: taken.hash)
        status.through = taken.position
        reaches = taken.catalog.histories[taken.lease.historyNumber ?? 0]?.reaches ?? []
        let isReached = taken.lastBase.map { taken.catalog.reaches(taken.position, from: $0, of: taken.lease.historyNumber ?? 0) } ?? false
        bases.begin(last: isReached ? taken.lastBase?.time : nil, spread: .random(in: 0..<1))
        status.lastBase = bases.last
        lastReach = 0
        sight = isReached ? taken.catalog.sight(of: taken.lease.historyNumber ?? 0, lease: taken.lease.number) : nil
        sight?.lease = layout.lease(taken.lease.number)
        if isReached { noteRecovery() } else if taken.isLost { noteLoss() }
    }

    private func taking<R>(_ body: (LeaseTaking) async throws(FirestoreError) -> R) async throws(FirestoreError) -> R {
        do throws(FirestoreError) {
            return try await body(
                LeaseTaking(
                    engine: engine, store: store, layout: layout, clock: clock, holder: holder, beginsAnew: policy.beginsAnew))
        } catch {
            if let end = error.archivingEnd { status.end = end }
            throw error
        }
    }

    private func stretch(after position: DocumentVersion) async throws(FirestoreError) -> LogStretch {
        let log = engine.log
        do throws(FirestoreError) {
            return try await Blocking.run { () throws(FirestoreError) in try log.commits(after: position, limit: 20_000) }
        } catch {
            guard error.code == .outOfRange else { throw error }
            // What is missing in between cannot be restored; a new copy begins a new chain.
            logger.error(
                "the archive was too far behind, and misses commits; a new copy is made",
                metadata: ["after": "\(position.timestamp.text)"])
            writing = nil
            throw error
        }
    }

    private func store(_ commits: [CommittedChanges], with writing: inout SegmentWriting) async throws(FirestoreError) -> Int {
        let settings = try await engine.settings().bytes
        let segment = writing.segment(commits, settings: settings)
        let bytes = try await Blocking.run { () throws(FirestoreError) in try segment.encoded() }
        await traffic.turn()
        let next = layout.lease(writing.lease + 1)
        if let other = try await store.get(next) { try lose(other, name: next) }
        let name = layout.segment(segment.name, writing.history)
        if try await store.put(name, bytes) {
            writing.stored(segment, hash: ArchiveSegment.hash(of: bytes), settings: settings)
        } else {
            // Stored before, as it seems, and the answer was lost. The changes of a commit may be in another order, from memory or from the
            // log.
            writing.stored(segment, hash: try await hash(ofStored: segment, name: name), settings: settings)
        }
        sight?.piece = name
        return bytes.count
    }

    private func hash(ofStored segment: ArchiveSegment, name: String) async throws(FirestoreError) -> [UInt8] {
        let bytes = try await store.existing(name)
        var isSame = false
        try ArchiveSegment.read(bytes, name: name) { (stored, _) in
            isSame = stored.name == segment.name && stored.history == segment.history && stored.previous == segment.previous
        }
        guard isSame else {
            status.end = .leaseShared
            throw FirestoreError(
                .failedPrecondition, "another server writes into the archive under the lease of this one", at: name,
                cause: ArchivingEnd.leaseShared)
        }
        return ArchiveSegment.hash(of: bytes)
    }

    private func lose(_ bytes: [UInt8], name: String) throws(FirestoreError) {
        status.end = .leaseLost
        throw .leaseLost(try ArchiveLease(bytes, name: name), layout)
    }

    /// Notes now and then how far the archive is: the log is kept behind that.
    private func storeHold(isLast: Bool) async {
        guard let writing, !status.isEnded else { return }
        let now = clock.now()
        guard isLast || now - lastHold >= 30_000_000 else { return }
        lastHold = now
        try? await engine.setHold(ArchiveRecord.hold, at: writing.position)
    }

    // MARK: Copies

    private func startBaseIfDue() {
        guard upload == nil, !isFinishing || bases.last == nil, let writing, bases.isDue(now: clock.now(), policy) else { return }
        _ = startBase(writing)
    }

    private func startBase(_ writing: SegmentWriting) -> Task<Result<BaseManifest, FirestoreError>, Never> {
        let task = Task {
            let result = await self.makeBase(writing)
            self.upload = nil
            // The next one may be due, and nothing else wakes an idle database.
            self.wake.yield()
            return result
        }
        upload = task
        return task
    }

    /// The archive was read as a whole, and is sound.
    func verified(_ outcome: ScheduledVerification.Outcome) {
        switch outcome {
        case .sound(let time):
            status.lastVerified = time
            status.damage = []
        case .damaged(let findings):
            if findings != status.damage {
                bases.demand()
                wake.yield()
            }
            status.damage = findings
        }
    }

    /// Makes a copy, even if none is due. Returns when it is complete, or has failed.
    @discardableResult
    package func copy() async -> Result<BaseManifest, FirestoreError>? {
        while upload != nil || tidying != nil { await copyFinished() }
        guard let writing else { return nil }
        return await startBase(writing).value
    }

    private func makeBase(_ writing: SegmentWriting) async -> Result<BaseManifest, FirestoreError> {
        bases.tried(now: clock.now())
        let open = keepingOpen()
        defer { withExtendedLifetime(open) {} }
        do throws(FirestoreError) {
            let manifest = try await BaseUpload(
                engine: engine, store: store, layout: layout, history: writing.history, lease: writing.lease, position: writing.position,
                policy: policy, traffic: traffic,
                file: makeFile()
            ).run()
            bases.made(manifest, now: clock.now())
            status.lastBase = manifest.lastCommit
            noteCopy(manifest, writing)
            logger.info(
                "the archive has a new copy",
                metadata: ["documents": "\(manifest.documents)", "bytes": "\(manifest.storedBytes)", "time": "\(manifest.time)"])
            return .success(manifest)
        } catch {
            if isFinishing || error.code == .cancelled { return .failure(error) }
            status.failures += 1
            logger.warning("a copy for the archive failed; it is made again in a minute", metadata: ["error": "\(error)"])
            await backoff.sleep(BaseSchedule.pauseAfterFailure)
            return .failure(error)
        }
    }

    private func noteCopy(_ manifest: BaseManifest, _ made: SegmentWriting) {
        guard let writing, !isToBeginAgain, writing.lease == made.lease, writing.history == made.history else { return }
        let piece = sight?.piece
        sight = ArchiveSight(lease: layout.lease(writing.lease), copy: layout.manifest(of: manifest.name, writing.history), piece: piece)
        noteRecovery()
    }

    /// Removes what is too old, and gathers pieces of the journal, about every hour.
    private func tidyIfDue() {
        let now = clock.now()
        guard tidying == nil, upload == nil, !isFinishing, let writing, now - lastTidy >= ArchiveTidying.interval else { return }
        lastTidy = now
        self.tidying = Task {
            do throws(FirestoreError) {
                let tidying = ArchiveTidying(
                    store: self.store, layout: self.layout, policy: try await self.keptPolicy(), traffic: self.traffic, now: now)
                // Commits that are missing cannot be restored; a new copy begins behind them.
                if try await tidying.run(writing.history) != nil { self.noteGap() }
            } catch {
                self.logger.warning("the archive could not be tidied; it is tried again in an hour", metadata: ["error": "\(error)"])
            }
            self.tidying = nil
        }
    }

    private func noteGap() {
        noteLoss()
        bases.demand()
        wake.yield()
    }

    /// Returns when the copy that is being made, if any, is complete. For tests.
    package func copyFinished() async {
        _ = await upload?.value
        await tidying?.value
    }
}

extension ArchiveCatalog {
    /// Whether the commits after a copy are in the archive up to a moment, so that it can be continued there.
    func reaches(_ time: DocumentVersion, from base: BaseName, of history: UInt64) -> Bool {
        (chain(from: base, of: history).last?.through ?? base.time) >= time
    }
}
