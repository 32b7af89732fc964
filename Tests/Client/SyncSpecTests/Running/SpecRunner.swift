// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire

/// Runs a case: the steps one by one, each followed by all checks (SY-220, SY-240).
final class SpecRunner {
    private struct Listening {
        let query: ClientTarget
        let listener: SyncListener
    }

    private let specCase: SpecCase
    private let client: SpecClient
    private var checker = SpecChecker()
    private var listeners: [Listening] = []
    private var inSyncListeners: [Int] = []
    /// What was written and not answered yet. Survives restarts, as the engine's queue has to (SY-226).
    private var outstanding: [SyncUser: [Write]] = [:]
    /// What an action found wrong, beside the checks.
    private var findings: [String] = []

    /// Runs a case; throws a `SpecFailure` that says where and how the client differed.
    static func run(_ source: SpecSource, on persistence: SpecPersistence) throws {
        let specCase: SpecCase
        do {
            specCase = try SpecCase(source)
        } catch {
            throw SpecFailure("the case cannot be read: \(error)")
        }
        let runner = SpecRunner(specCase, try SpecClient(specCase.configuration, persistence))
        try runner.run()
    }

    private init(_ specCase: SpecCase, _ client: SpecClient) {
        self.specCase = specCase
        self.client = client
    }

    private func run() throws {
        guard specCase.configuration.clientCount <= 1 else { throw SpecFailure("a case of several clients lacks the tag multi-client") }
        defer { try? client.shutdown() }
        try client.drain()
        for (index, step) in specCase.steps.enumerated() {
            var lines: [String]
            do {
                findings = []
                try perform(step)
                lines = findings + checker.check(step, client)
            } catch {
                lines = findings + ["\(error)"]
            }
            guard lines.isEmpty else {
                lines.insert("step \(index + 1) of \(specCase.steps.count): \(step.json.text(.spaced))", at: 0)
                throw SpecFailure(lines)
            }
        }
        try end()
    }

    /// SY-243
    private func end() throws {
        try client.drain()
        let lines = checker.leftovers(client)
        guard lines.isEmpty else { throw SpecFailure(["after the last step"] + lines) }
        try client.shutdown()
    }

    private func perform(_ step: SpecStep) throws {
        guard step.clientIndex == 0 else { throw SpecFailure("a case of several clients lacks the tag multi-client") }
        switch step.action {
        case .listen(let id, let query, let options): try listen(to: query, options, expecting: id)
        case .unlisten(let query): try unlisten(query)
        case .write(let write): try self.write(write)
        case .watch, .closeWatchStream, .acknowledgeWrite, .failWrite: try performOfServer(step.action)
        case .addSnapshotsInSyncListener, .removeSnapshotsInSyncListener, .loadBundle, .waitForPendingWrites:
            try performOfUser(step.action)
        case .runTimer, .drainQueue, .setNetworkEnabled, .changeUser, .restart, .shutdown, .clearPersistence, .collectGarbage,
            .failStore:
            try performOfClient(step.action)
        case .ofSeveralClients(let name): throw SpecFailure("\(name) belongs in a case with the tag multi-client")
        }
    }

    // MARK: Users

    private func listen(to query: ClientTarget, _ options: SyncListener.Options, expecting id: TargetID) throws {
        let (engine, _) = try client.running()
        let life = client.life
        var hasFailed = false
        let listener = SyncListener(to: query, options: options) { [unowned self] result in
            guard client.life == life else { return }
            client.observed.events.append((query, result))
            guard case .failure = result else { return }
            hasFailed = true
            // The one that failed is the oldest of its query: all of them get the error, one after the other.
            if let index = listeners.firstIndex(where: { $0.query == query }) { listeners.remove(at: index) }
        }
        listeners.append(Listening(query: query, listener: listener))
        engine.listen(listener)
        try client.drain()
        // A listener that could not be started has no target; its error has to be expected.
        guard !hasFailed else { return }
        let chosen = engine.targetID(of: listener)
        if chosen != id { findings.append("the listener has target \(chosen.map { "\($0)" } ?? "none"), but \(id) is expected") }
    }

    private func unlisten(_ query: ClientTarget) throws {
        guard let index = listeners.lastIndex(where: { $0.query == query }) else {
            throw SpecFailure("no listener listens to \(SpecText.of(query))")
        }
        try client.running().engine.unlisten(listeners.remove(at: index).listener)
        try client.drain()
    }

    private func write(_ write: Write) throws {
        let user = client.user
        let life = client.life
        var isSaved = false
        var isCompleted = false
        try client.running().engine.write(
            [write],
            saved: { [unowned self] _ in
                isSaved = true
                outstanding[user, default: []].append(write)
            },
            completion: { [unowned self] result in
                guard client.life == life else { return }
                if isCompleted { findings.append("the write of \(write.key) was completed twice") }
                isCompleted = true
                switch result {
                case .success: client.observed.acknowledged.append(write.key)
                case .failure: client.observed.rejected.append(write.key)
                }
            })
        try client.drain()
        if !isSaved, !isCompleted { findings.append("the write of \(write.key) was neither saved nor refused") }
    }

    private func performOfUser(_ action: SpecAction) throws {
        let (engine, _) = try client.running()
        let life = client.life
        switch action {
        case .addSnapshotsInSyncListener:
            inSyncListeners.append(
                engine.addSnapshotsInSyncObserver { [unowned self] in
                    if client.life == life { client.observed.snapshotsInSyncCount += 1 }
                })
        case .removeSnapshotsInSyncListener:
            guard let newest = inSyncListeners.popLast() else { throw SpecFailure("there is no listener for snapshots in sync") }
            engine.removeSnapshotsInSyncObserver(newest)
        case .waitForPendingWrites:
            engine.waitForPendingWrites { [unowned self] result in
                if case .success = result, client.life == life { client.observed.pendingWritesCount += 1 }
            }
        case .loadBundle(let text):
            // Whether it succeeds is no matter of these tests: its documents are.
            try? engine.loadBundle([UInt8](text.utf8))
        default: break
        }
        try client.drain()
    }

    // MARK: The server

    private func performOfServer(_ action: SpecAction) throws {
        _ = try client.running()
        switch action {
        case .watch(let frames, let forgotten):
            let unknown = client.server.forget(forgotten)
            if !unknown.isEmpty { findings.append("the fake server removes targets \(unknown), which are not active") }
            for frame in frames {
                guard client.server.send(frame) else { throw SpecFailure("the Listen stream is not open") }
                try client.drain()
            }
        case .closeWatchStream(let error, let runsBackoffTimer):
            guard client.server.endWatchStream(error) else { throw SpecFailure("the Listen stream is not open") }
            try client.drain(holdingListenBackoff: !runsBackoffTimer)
        case .acknowledgeWrite(let version, let keepsInQueue):
            try matchOldestWrite(keepsInQueue: keepsInQueue)
            guard client.server.acknowledge(at: version) else { throw SpecFailure("the Write stream is not open") }
            try client.drain()
        case .failWrite(let error, let keepsInQueue):
            try matchOldestWrite(keepsInQueue: keepsInQueue)
            guard client.server.endWriteStream(error) else { throw SpecFailure("the Write stream is not open") }
            try client.drain()
        default: break
        }
    }

    /// The oldest write that was sent has to be the oldest one that the user made.
    private func matchOldestWrite(keepsInQueue: Bool) throws {
        guard let written = outstanding[client.user]?.first else { throw SpecFailure("the user has no outstanding write") }
        guard let sent = client.server.sentBatches.first else { throw SpecFailure("the client has not sent \(SpecText.of(written))") }
        guard sent.count == 1, SpecText.of(sent[0]) == SpecText.of(written) else {
            throw SpecFailure([
                "the client sent another write", "  expected: \(SpecText.of(written))",
                "  actual:   \(sent.map(SpecText.of).joined(separator: ", "))",
            ])
        }
        if !keepsInQueue { outstanding[client.user]?.removeFirst() }
    }

    // MARK: The client

    private func performOfClient(_ action: SpecAction) throws {
        switch action {
        case .runTimer(let timers):
            _ = try client.running()
            try client.run(timers)
        case .setNetworkEnabled(let isEnabled):
            client.isNetworkEnabled = isEnabled
            try client.running().engine.setNetworkEnabled(isEnabled)
        case .changeUser(let user):
            client.user = user
            try client.running().engine.changeUser(to: user)
        case .restart:
            forgetListeners()
            try client.restart()
        case .shutdown:
            forgetListeners()
            try client.shutdown()
        case .clearPersistence: try client.clearPersistence()
        case .collectGarbage(let threshold):
            _ = try client.running().store.collectGarbage(threshold: threshold, percentile: 100, maximum: 1_000)
        case .failStore(let operations): try client.fail(operations)
        default: break
        }
        try client.drain()
    }

    private func forgetListeners() {
        listeners = []
        inSyncListeners = []
    }
}
