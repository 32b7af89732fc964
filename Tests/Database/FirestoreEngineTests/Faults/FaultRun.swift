// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

/// One scenario with one fault: plays it, and afterwards looks whether the database is what it must be.
final class FaultRun {
    private let scenario: FaultScenario
    private let fault: Fault?
    private let durability: Durability
    private let log: LogLimits
    private let disk: FaultyDisk
    private let file: String
    private let clock = ManualClock(microseconds: 1_700_000_000_000_000)
    private var engine: Engine?
    private var model = FaultModel()
    /// The state if a transaction whose commit failed is on the disk all the same. That shows if the process dies, or
    /// closes the database while the disk still fails.
    private var other: FaultModel?
    /// What was acknowledged, after every step: without full durability a loss of power may lead back to any of it.
    private var history = [FaultModel()]
    private(set) var hasLostAcknowledged = false
    /// How many steps a permanent fault stays injected.
    private var patience = 2
    private(set) var problems: [String] = []

    init(
        _ scenario: FaultScenario, _ fault: Fault?, durability: Durability = .full, log: LogLimits = LogLimits(), in directory: ScratchFolder
    ) {
        self.log = log
        self.scenario = scenario
        self.fault = fault
        self.durability = durability
        file = directory.file(AutoID.make())
        disk = FaultyDisk(under: file)
        disk.arm(fault)
    }

    /// Calls of the disk.
    var calls: [DiskCall: Int] { disk.calls }
    /// Whether the fault came before the scenario was over.
    private(set) var hasStruck = false

    func play() async {
        await open()
        for step in scenario.steps where !disk.isDead {
            await perform(step)
            if !disk.isDead { await verifyReads() }
            liftIfDue()
        }
        disk.lift()
        hasStruck = disk.hasStruck
        if disk.isDead {
            await comeBack()
        } else {
            await goOn()
            await verifyReopened()
        }
        disk.remove()
    }

    // MARK: Steps

    /// Whether anything may fail just now.
    private var mayFail: Bool { disk.hasStruck }

    private func problem(_ text: String) { problems.append(text) }

    private func liftIfDue() {
        guard fault?.kind.isLasting == true, disk.hasStruck else { return }
        patience -= 1
        if patience == 0 { disk.lift() }
    }

    private func openEngine() throws(FirestoreError) -> Engine {
        var configuration = EngineConfiguration(
            location: .file(path: file), durability: durability, databaseID: testDatabase, clock: clock,
            // Only what the scenario asks for, in steps of two documents.
            indexPolicy: .manual, indexLimits: IndexLimits(documentsPerStep: 2, entriesPerStep: 2))
        configuration.log = log
        return try Engine.open(configuration)
    }

    private func open() async {
        do {
            engine = try openEngine()
        } catch {
            if !mayFail { problem("a sound database cannot be opened: \(error)") }
            if disk.openFiles != 0 { problem("\(disk.openFiles) files stay open after a failed opening") }
            guard !disk.isDead else { return }
            disk.lift()
            do { engine = try openEngine() } catch {
                problem("the database cannot be opened after a fault while opening: \(error)")
            }
        }
    }

    /// A connection closes with its last reference, which another thread may hold for a moment.
    private func expectNoFiles(_ text: String) async {
        for _ in 0..<500 where disk.openFiles != 0 { try? await Task.sleep(for: .milliseconds(10)) }
        if disk.openFiles != 0 { problem("\(disk.openFiles) \(text)") }
    }

    private func close() async {
        await engine?.shutdown()
        engine = nil
        await expectNoFiles("files stay open")
    }

    private func perform(_ step: FaultScenario.Step) async {
        switch step {
        case .commit(let commits): await commit(commits)
        case .checkpoint: try? engine?.core.file("a checkpoint").checkpoint()
        case .index(let definitions): await index(definitions)
        case .later: clock.advance(microseconds: 7_200_000_000)
        case .reopen:
            let isFailing = fault?.kind.isLasting == true && disk.hasStruck && patience > 0
            await close()
            guard !disk.isDead else { return }
            await open()
            if isFailing { await adoptOther() }
        }
    }

    private func index(_ definitions: [IndexDefinition]) async {
        guard let engine else { return }
        let hadStruck = disk.hasStruck
        do {
            try await engine.configureIndexes(definitions)
            try await engine.indexesSettled()
        } catch {
            if !mayFail { problem("indexes failed on a sound disk: \(error)") }
            if hadStruck, fault?.kind.isLasting != true, !disk.isDead { problem("indexes failed after the fault was over: \(error)") }
        }
    }

    private func commit(_ commits: [[Write]]) async {
        guard let engine else { return }
        let hadStruck = disk.hasStruck
        let results = await results(of: commits, on: engine)
        var whole = model
        for (commit, result) in zip(commits, results) {
            let isValid = whole.apply(commit)
            switch result {
            case .success:
                if !isValid || !model.apply(commit) { problem("a commit was acknowledged that had to be refused") }
            case .failure(let error):
                if isValid, !mayFail { problem("a commit failed on a sound disk: \(error)") }
                if isValid, hadStruck, fault?.kind.isLasting != true, !disk.isDead {
                    problem("a commit failed after the fault was over: \(error)")
                }
                if isValid, error.code == .internal { problem("a fault shows as an internal error: \(error)") }
            }
        }
        // The commits of a group share a transaction, which is there or not; the next one replaces it in the log.
        if model == whole { other = nil } else if other == nil { other = whole }
        history.append(model)
    }

    private func results(
        of commits: [[Write]], on engine: Engine
    ) async -> [Result<CommitResponse, FirestoreError>] {
        let hold = CommitterHold(engine)
        let (stream, continuation) = AsyncStream<(Int, Result<CommitResponse, FirestoreError>)>.makeStream()
        for (index, commit) in commits.enumerated() {
            engine.submit(commit, context: .embedded) { continuation.yield((index, $0)) }
        }
        hold.release()
        var results: [Int: Result<CommitResponse, FirestoreError>] = [:]
        for await (index, result) in stream {
            results[index] = result
            if results.count == commits.count { break }
        }
        return commits.indices.compactMap { results[$0] }
    }

    // MARK: What must be true

    /// While a fault is injected a read may fail, but it never returns anything false.
    private func verifyReads() async {
        guard let engine else { return }
        let hadStruck = disk.hasStruck && fault?.kind.isLasting != true
        do {
            let keys = scenario.keys
            for (key, found) in zip(keys, try await engine.documents(keys, context: .embedded).documents) {
                if found?.fields != model.documents[key]?.fields { problem("\(key.path) reads wrong while the disk fails") }
            }
            for key in keys.prefix(2) {
                let found = try await engine.get(key.path)
                if found?.fields != model.documents[key]?.fields {
                    problem("\(key.path) reads wrong alone: \(found?.fields.bytes.count ?? -1) bytes")
                }
            }
            for (query, holds) in FaultScenario.queries {
                let found = try await engine.run(query, context: .embedded).documents
                if Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.fields) }) != model.answer(holds) {
                    problem("\(query) is answered wrong")
                }
            }
        } catch {
            if !mayFail { problem("a read failed on a sound disk: \(error)") }
            if hadStruck, !disk.isDead { problem("a read failed after the fault was over: \(error)") }
        }
    }

    private func contents(of engine: Engine) async throws -> [DocumentKey: FieldBytes] {
        var contents: [DocumentKey: FieldBytes] = [:]
        for key in scenario.keys { contents[key] = try await engine.get(key.path)?.fields }
        return contents
    }

    /// The process died: what is there when the next one starts?
    private func comeBack() async {
        await close()
        do {
            try disk.restart()
            engine = try openEngine()
        } catch {
            problem("the database cannot be opened after the death of the process: \(error)")
        }
        await adoptOther()
        await goOn()
    }

    /// Looks which of the two possible states came to be.
    private func adoptOther() async {
        guard let engine else { return }
        do {
            let found = try await contents(of: engine)
            if let other, found == other.contents { model = other }
            if durability != .full, found != model.contents, let earlier = history.last(where: { $0.contents == found }) {
                model = earlier
                hasLostAcknowledged = true
            }
            if found != model.contents { problem("after a restart documents are wrong") }
        } catch {
            problem("the database cannot be read after a restart: \(error)")
        }
    }

    /// The disk works again, so must the engine, the same one.
    private func goOn() async {
        guard let engine else { return }
        do {
            _ = try await engine.commit(FaultScenario.last, context: .embedded)
            if !model.apply(FaultScenario.last) { problem("the model refuses the last commit") }
            if try await contents(of: engine) != model.contents {
                problem("documents are wrong after the fault")
            }
            if let indexes = scenario.lastIndexes {
                try await engine.configureIndexes(indexes)
                try await engine.indexesSettled()
                let states = try await engine.indexes()
                if Set(states.map(\.definition)) != Set(indexes) || states.contains(where: { $0.state != .ready }) {
                    problem("the indexes are not those that were asked for: \(states)")
                }
            }
            problems += try engine.check().map { "check: \($0)" }
        } catch {
            problem("the engine does not work after the fault: \(error)")
        }
        await close()
    }

    private func verifyReopened() async {
        do {
            let engine = try openEngine()
            if try await contents(of: engine) != model.contents {
                problem("documents are wrong after reopening")
            }
            problems += try engine.check().map { "check after reopening: \($0)" }
            await engine.shutdown()
            await expectNoFiles("files stay open at the end")
        } catch {
            problem("the database cannot be opened in the end: \(error)")
        }
    }
}
