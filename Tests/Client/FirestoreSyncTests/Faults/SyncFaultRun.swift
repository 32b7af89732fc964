// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// One client over a disk with one fault, in front of a server without faults. It writes, loses connections, is refused, changes its user;
/// afterwards every saved write must be on the server, once.
final class SyncFaultRun {
    private static let users = [SyncUser(uid: "alice"), SyncUser(uid: "bob")]

    private let fault: Fault?
    private let folder: ScratchFolder
    private let file: String
    private let disk: FaultyDisk
    private let clock = ManualClock(microseconds: 1_000_000_000_000_000)
    private let server = FaultServer()
    private let queue = FaultQueue()
    private var timers = FaultTimers()
    private var engine: SyncEngine?
    private var listener: SyncListener?
    private var shown: SyncSnapshot?
    private var isDisabled = false
    private var user = users[0]

    /// By the number of the write: stored, or refused by the store. What was refused can be on the disk if the process died.
    private var saved: Set<Int> = []
    private var unsaved: Set<Int> = []
    private var lastWrite = 0
    private var acknowledgements: [Int: Int] = [:]
    private var refused: Int?
    private var patience = 2
    private(set) var hasStruck = false
    private(set) var problems: [String] = []

    var calls: [DiskCall: Int] { disk.calls }

    init(_ fault: Fault?) throws {
        self.fault = fault
        folder = try ScratchFolder()
        file = folder.file(AutoID.make())
        disk = FaultyDisk(under: file)
        disk.arm(fault)
    }

    private typealias Step = @Sendable (SyncFaultRun) -> Void

    private static let steps: [Step] = [
        { $0.write(); $0.write() },
        { $0.settle() },
        // Offline, in one transaction and in several.
        { $0.setEnabled(false); $0.write(count: 3); $0.write() },
        { $0.server.write(.set("c/theirs", ("n", .integer(1)))); $0.setEnabled(true) },
        // Answers are lost.
        { $0.deliver(rounds: 2); $0.server.breakConnections(); $0.settle() },
        { $0.write(count: 2); $0.deliver(rounds: 1); $0.server.breakConnections(); $0.settle() },
        { $0.writeRefused(); $0.write(); $0.settle() },
        { $0.server.write(.set("c/late", ("n", .integer(0)))); $0.settle(); $0.retryRefused() },
        { $0.settle() },
        { $0.changeUser(to: users[1]); $0.write(); $0.setEnabled(false); $0.write() },
        { $0.changeUser(to: users[0]); $0.write(); $0.collect() },
        { $0.setEnabled(true); $0.settle(); $0.server.write(.delete("c/theirs")) },
        { $0.settle(); $0.cancelOne() },
        // The process ends with a queue, and another one continues.
        { $0.setEnabled(false); $0.write(count: 2); $0.end(); $0.open() },
    ]

    func play() throws {
        open()
        for step in Self.steps {
            if engine != nil { step(self) }
            reopenIfLost()
            if disk.isDead { try restart() }
            if fault?.kind.isLasting == true, disk.hasStruck {
                patience -= 1
                if patience == 0 { disk.lift() }
            }
            if engine == nil { open() }
        }
        hasStruck = hasStruck || disk.hasStruck
        disk.lift()
        try finish()
        disk.remove()
    }

    /// As the client's runner does.
    private func reopenIfLost() {
        guard engine?.store.hasLostLog == true else { return }
        end()
        open()
    }

    private func problem(_ text: String) { problems.append(text) }

    // MARK: The client

    private func open() {
        do {
            let store = try LocalStore.open(
                LocalStore.Configuration(
                    location: .file(path: file), databaseID: FaultServer.database, server: "test.invalid", user: user,
                    indexPolicy: .manual, clock: clock))
            timers = FaultTimers()
            var settings = SyncEngine.Settings()
            settings.backoff = Backoff(random: { 0.5 })
            settings.collectionThreshold = 0
            settings.now = { .zero }
            let engine = SyncEngine(
                store: store, transport: server, timers: timers, settings: settings
            ) { [queue] in queue.post($0) }
            self.engine = engine
            engine.start()
            isDisabled = false
            listen()
        } catch {
            if !disk.hasStruck { problem("a sound cache cannot be opened: \(error)") }
            if disk.openFiles != 0 { problem("\(disk.openFiles) files stay open after a failed opening") }
        }
    }

    private func listen() {
        shown = nil
        let listener = SyncListener(
            to: .query(ClientQuery(StructuredQuery.collection("c"))), options: SyncListener.Options(includeMetadataChanges: true)
        ) { [weak self] result in
            switch result {
            case .success(let snapshot): self?.shown = snapshot
            case .failure(let error):
                if self?.disk.hasStruck == false { self?.problem("the listener failed on a sound disk: \(error)") }
                self?.listener = nil
            }
        }
        self.listener = listener
        engine?.listen(listener)
    }

    private func end() {
        server.forgetClient()
        queue.removeAll()
        engine?.shutdown()
        try? engine?.store.close()
        engine = nil
        listener = nil
        if disk.openFiles != 0 { problem("\(disk.openFiles) files stay open") }
    }

    private func restart() throws {
        hasStruck = true
        end()
        try disk.restart()
        open()
    }

    private func setEnabled(_ isEnabled: Bool) {
        isDisabled = !isEnabled
        engine?.setNetworkEnabled(isEnabled)
    }

    private func changeUser(to user: SyncUser) {
        self.user = user
        engine?.changeUser(to: user)
        // A change that waits for the store would be overtaken by the writes behind it.
        var attempts = 0
        while engine?.store.user != user, attempts < 3, !disk.isDead {
            timers.take().forEach { engine?.fire($0) }
            attempts += 1
        }
    }

    private func collect() { engine?.fire(.garbageCollection) }

    // MARK: Writing

    private func call(_ writes: [Write], _ number: Int) -> SyncEngine.WriteCall {
        var isSaved = false
        return SyncEngine.WriteCall(
            writes: writes,
            saved: { [self] _ in
                isSaved = true
                saved.insert(number)
            },
            completion: { [self] result in
                switch result {
                case .success: acknowledgements[number, default: 0] += 1
                case .failure(let error):
                    if isSaved { return }
                    unsaved.insert(number)
                    if !disk.hasStruck { problem("write \(number) failed on a sound disk: \(error)") }
                    if disk.hasStruck, fault?.kind.isLasting != true, wasStruckBefore, !disk.isDead, engine?.store.hasLostLog != true {
                        problem("write \(number) failed after the fault was over: \(error)")
                    }
                }
            })
    }

    private var wasStruckBefore = false

    private func write(count: Int = 1) {
        wasStruckBefore = disk.hasStruck
        var calls: [SyncEngine.WriteCall] = []
        for _ in 0..<count {
            lastWrite += 1
            calls.append(call([.increment("c/count"), .set("c/w\(lastWrite)", ("n", .integer(Int64(lastWrite))))], lastWrite))
        }
        engine?.write(calls)
    }

    /// The server refuses it until it has `c/late`.
    private func writeRefused() {
        lastWrite += 1
        refused = lastWrite
        wasStruckBefore = disk.hasStruck
        engine?.write([
            call(
                [
                    .patch("c/late", "m", .integer(1), precondition: .exists(true)), .increment("c/count"),
                    .set("c/w\(lastWrite)", ("n", .integer(Int64(lastWrite)))),
                ], lastWrite)
        ])
    }

    private func retryRefused() {
        guard let failed = try? engine?.store.failedBatches().first else { return }
        _ = try? engine?.retryFailed(failed.id)
    }

    /// Takes back what was not sent: it must never arrive.
    private func cancelOne() {
        guard let engine else { return }
        setEnabled(false)
        lastWrite += 1
        let number = lastWrite
        var id: BatchID?
        engine.write([.set("c/w\(number)"), .increment("c/count")], saved: { id = $0 }, completion: { _ in })
        guard let id else {
            unsaved.insert(number)
            return setEnabled(true)
        }
        saved.insert(number)
        do throws(FirestoreError) {
            try engine.cancel(id)
            saved.remove(number)
            canceled.insert(number)
        } catch {
            if !disk.hasStruck { problem("a write could not be canceled: \(error)") }
            // It stays in the queue and is sent. If the process has died, or the disk fails until it ends, it can be canceled on the disk.
            if disk.isDead || fault?.kind.isLasting == true {
                saved.remove(number)
                unsaved.insert(number)
            }
        }
        setEnabled(true)
    }

    private var canceled: Set<Int> = []

    // MARK: Driving

    private func deliver(rounds: Int) {
        guard let engine else { return }
        for _ in 0..<rounds {
            while let job = queue.removeFirst() { job(engine) }
            _ = server.deliver()
        }
        while let job = queue.removeFirst() { job(engine) }
    }

    /// Until nothing happens any more.
    private func settle() {
        guard let engine else { return }
        var (rounds, idle) = (0, 0)
        while idle < 4, !disk.isDead {
            rounds += 1
            guard rounds < 400 else {
                // While the store fails it is tried again and again.
                if !(fault?.kind.isLasting == true && disk.hasStruck && patience > 0) { problem("the client does not come to rest") }
                return
            }
            var isBusy = false
            while let job = queue.removeFirst() {
                job(engine)
                isBusy = true
            }
            if server.deliver() { isBusy = true }
            if isBusy {
                idle = 0
                continue
            }
            idle += 1
            for timer in timers.take() { engine.fire(timer) }
        }
    }

    // MARK: What must be true

    /// The disk works again, and so must the client: everything is sent, and all agree.
    private func finish() throws {
        if disk.isDead { try restart() }
        reopenIfLost()
        if engine == nil { open() }
        guard engine != nil else { return problem("the cache cannot be opened after the fault") }
        for user in [Self.users[1], Self.users[0]] {
            setEnabled(true)
            changeUser(to: user)
            if listener == nil { listen() }
            settle()
            reopenIfLost()
            retryRefused()
            settle()
        }
        try verify()
        end()
        open()
        settle()
        try verify()
        end()
    }

    private func verify() throws {
        guard let engine else { return problem("the cache cannot be opened again") }
        let store = engine.store
        problems += server.violations
        problems += try store.check().map { "check: \($0)" }
        if try store.nextBatch(after: nil) != nil { problem("the queue is not empty in the end") }
        if try !store.failedBatches().isEmpty { problem("a failed write is left: \(try store.failedBatches())") }
        let arrived = Set((1...lastWrite).filter { server.documents[DocumentKey(trusted: "c/w\($0)")] != nil })
        if !saved.isSubset(of: arrived) { problem("saved writes are lost: \(saved.subtracting(arrived).sorted())") }
        if !canceled.isDisjoint(with: arrived) { problem("a canceled write has arrived") }
        let strangers = arrived.subtracting(saved)
        if !strangers.isSubset(of: unsaved) { problem("writes have arrived that nobody made: \(strangers.sorted())") }
        if !strangers.isEmpty, !(fault?.kind.isDeath ?? false), fault?.kind.isLasting != true {
            problem("writes have arrived that the store had refused: \(strangers.sorted())")
        }
        guard case .integer(let count)? = try server.documents[DocumentKey(trusted: "c/count")]?.fields.map["n"] else {
            return problem("nothing was counted")
        }
        if count != arrived.count { problem("\(count) increments of \(arrived.count) writes were applied") }
        for (number, times) in acknowledgements where times > 1 { problem("write \(number) was acknowledged \(times) times") }
        let local = try store.run(.collection("c")).compactMap(\.document)
        let remote = server.documents.values.sorted { $0.key < $1.key }
        if local.map(\.key) != remote.map(\.key) || local.map(\.fields) != remote.map(\.fields) {
            problem("the cache has \(local.map(\.key.path)), the server \(remote.map(\.key.path))")
        }
        guard let shown, !shown.isFromCache, !shown.hasPendingWrites else { return problem("the listener is not up to date") }
        if Array(shown.documents).map(\.fields) != remote.map(\.fields) { problem("the listener shows something else than the server has") }
    }
}

/// The queue of an engine.
///
/// `@unchecked Sendable`: used on the thread of its test only.
final class FaultQueue: @unchecked Sendable {
    private var jobs: [@Sendable (SyncEngine) -> Void] = []

    func post(_ job: @escaping @Sendable (SyncEngine) -> Void) { jobs.append(job) }

    func removeFirst() -> (@Sendable (SyncEngine) -> Void)? { jobs.isEmpty ? nil : jobs.removeFirst() }

    func removeAll() { jobs = [] }
}

/// Timers that run when nothing else is to be done.
final class FaultTimers: SyncTimers {
    private var waiting: Set<SyncTimer> = []

    func start(_ timer: SyncTimer, after delay: Duration) { waiting.insert(timer) }

    func cancel(_ timer: SyncTimer) { waiting.remove(timer) }

    func cancelAll() { waiting = [] }

    /// Those that something waits for.
    func take() -> [SyncTimer] {
        let due = [SyncTimer.storeRetry, .listenBackoff, .writeBackoff].filter(waiting.contains)
        waiting.subtract(due)
        return due
    }
}
