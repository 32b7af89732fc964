// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import FirestoreEvents
import FirestoreStorage
import Foundation
import Logging

/// The handlers of a database that are called for events.
final class EventHandlers: Sendable {
    private struct State {
        var runners: [String: TriggerRunner] = [:]
        /// The ends of handlers that were removed. The next one with the name continues where it has stopped.
        var leaving: [String: Task<Void, Never>] = [:]
        /// The dead events of the database, for all handlers.
        var shelf: DeadLetterStore?
        var isEnded = false
    }

    private let state = Mutex(State())

    func add(
        _ trigger: EventTrigger, of database: any LoggedDatabase, _ databaseID: DatabaseID, firestore: Firestore,
        _ handler: @escaping Firestore.EventHandler
    ) throws(FirestoreError) -> any ListenerRegistration {
        let receiver = HandlerReceiver(firestore: firestore, handler: handler)
        let log = HandlerLog(trigger.name)
        let outcome: Result<(TriggerRunner, Task<Void, Never>?), FirestoreError> = state.withLock { state in
            if state.isEnded { return .failure(Firestore.terminated) }
            guard state.runners[trigger.name] == nil else {
                return .failure(FirestoreError(.alreadyExists, "a handler of events is registered as \"\(trigger.name)\" already"))
            }
            let shelf = state.shelf ?? DeadLetterStore(database, of: databaseID)
            state.shelf = shelf
            let runner = TriggerRunner(
                trigger, of: database, to: receiver, shelf: trigger.isDurable ? shelf : nil, settings: Self.settings(of: database)
            ) { log.note($0) }
            state.runners[trigger.name] = runner
            return .success((runner, state.leaving[trigger.name]))
        }
        let (runner, earlier) = try outcome.get()
        Task {
            await earlier?.value
            await runner.start()
        }
        return HandlerRegistration { [weak self] in self?.remove(trigger.name, runner) }
    }

    /// The clock of the database, of which the times of the events are. In a test, which moves it, pauses are exact.
    private static func settings(of database: any LoggedDatabase) -> RunnerSettings {
        var settings = RunnerSettings(clock: database.clock)
        if !(database.clock is SystemClock) { settings.backoff.jitter = 0 }
        return settings
    }

    /// The clock of the database was moved.
    func timePassed() { for runner in state.withLock({ $0.runners.values }) { runner.wake() } }

    /// Returns when all handlers are done with everything that was committed before, except what they are called for again later. Returns
    /// the time of the last of these commits.
    func rest() async -> DocumentVersion {
        var last = DocumentVersion.none
        for runner in Array(state.withLock { $0.runners }.values) { last = max(last, await runner.rest()) }
        return last
    }

    deinit {
        let runners = Array(state.withLock { $0.runners }.values)
        guard !runners.isEmpty else { return }
        Task.detached { for runner in runners { await runner.stop(within: .zero) } }
    }

    private func remove(_ name: String, _ runner: TriggerRunner) {
        state.withLock { state in
            guard state.runners[name] === runner else { return }
            state.runners[name] = nil
            state.leaving[name] = Task { await runner.stop(within: .zero) }
        }
    }

    /// Lets running handlers finish for a while, and stores what is done.
    func end() async {
        let (runners, leaving) = state.withLock { state in
            state.isEnded = true
            defer { (state.runners, state.leaving) = ([:], [:]) }
            return (Array(state.runners.values), Array(state.leaving.values))
        }
        await withTaskGroup { group in
            for runner in runners { group.addTask { await runner.stop() } }
        }
        for end in leaving { await end.value }
    }
}

/// Calls a handler. Does not keep the database open.
private struct HandlerReceiver: EventReceiver {
    private let firestore: @Sendable () -> Firestore?
    private let handler: Firestore.EventHandler

    init(firestore: Firestore, handler: @escaping Firestore.EventHandler) {
        self.firestore = { [weak firestore] in firestore }
        self.handler = handler
    }

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        guard let firestore = firestore() else { return .failed(DeliveryFailure(answer: "the database is not used any more")) }
        do {
            try await handler(DocumentEvent(delivery, firestore: firestore))
            return .acknowledged
        } catch {
            if Task.isCancelled { return .cancelled }
            return .failed(DeliveryFailure(answer: "the handler threw: \(error)"))
        }
    }
}

/// Logs what developers must know about a handler.
private struct HandlerLog: Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    func note(_ report: EventReport) {
        let log = FirebaseConfiguration.shared.logger(label: "hearth.firestore")
        let metadata: Logger.Metadata = ["handler": "\(name)"]
        switch report {
        case .failed(let event, let attempt, let failure):
            log.debug("event \(event.id), attempt \(attempt): \(failure.answer); the handler is called again", metadata: metadata)
        case .buried(let event, let attempts, let failure):
            log.error(
                "event \(event.id) of \(event.key.path) is given up after \(attempts) attempts: \(failure.answer)", metadata: metadata)
        case .suspectedLoop(let key):
            log.warning(
                "\(key.path) has 100 events in a minute; does the handler write what it is called for?", metadata: metadata)
        case .lost(let time):
            log.error("events after \(time.timestamp.text) are lost: the handler was not registered for too long", metadata: metadata)
        case .trouble(let error): log.error("events cannot be read or noted: \(error)", metadata: metadata)
        case .delivered, .shelfShortened, .switchedOff: break
        }
    }
}

private final class HandlerRegistration: NSObject, ListenerRegistration {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        super.init()
    }

    func remove() { body() }
}
