// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A pin of the cache and its refreshes.
struct PinState {
    let pin: StoredPin
    /// Listens while the authority's result is fetched.
    var listener: SyncListener?
    /// When it is fetched again; nil while it is being fetched.
    var due: Duration?
    /// Why the authority rejected the last fetch.
    var lastError: FirestoreError?
    var isCurrent = false
}

/// Pins (SY-D25): targets that are never collected, and that are listened to from time to time, until they are synced.
final class PinFeature: SyncFeature {
    static let tables = """
        CREATE TABLE pins(
            name BLOB PRIMARY KEY NOT NULL,
            query BLOB NOT NULL,
            to_last INTEGER NOT NULL,
            refresh INTEGER NOT NULL,
            target INTEGER NOT NULL) WITHOUT ROWID;

        """

    private weak var engine: SyncEngine?
    private(set) var pinned: [String: PinState] = [:]

    var collectable: String? { "pin = 0" }

    func completedTargets(in store: LocalStore) throws(FirestoreError) -> [ClientTarget] { try store.storedPins().map(\.target) }

    func attach(to engine: SyncEngine) {
        self.engine = engine
        pinned = [:]
    }

    func handle(_ event: SyncEvent) {
        switch event {
        case .started: start()
        case .stopped: pinned = [:]
        case .userChanged: refreshAll()
        case .fired(.pinRefresh): refreshDue()
        default: break
        }
    }

    func reload() throws(FirestoreError) { if let engine { try takePins(of: engine) } }

    /// Fetches the changes of all pins.
    private func start() {
        do throws(FirestoreError) { try reload() } catch { engine?.settings.log("the pins could not be read: \(error)") }
    }

    /// Takes over what the cache has: at the start, and when another process may have made, replaced or ended pins.
    private func takePins(of engine: SyncEngine) throws(FirestoreError) {
        let stored = try engine.store.storedPins()
        let ended = Set(pinned.keys).subtracting(stored.map(\.name))
        for name in ended {
            endRefresh(of: name)
            pinned[name] = nil
        }
        if !ended.isEmpty {
            startTimer()
            engine.observers.changed(.pins)
        }
        for pin in stored where pinned[pin.name].map({ !$0.pin.isRefreshed(as: pin) }) ?? true {
            endRefresh(of: pin.name)
            pinned[pin.name] = PinState(pin: pin)
            refresh(pin.name)
        }
    }

    func add(_ pin: StoredPin) {
        endRefresh(of: pin.name)
        pinned[pin.name] = PinState(pin: pin)
        refresh(pin.name)
        engine?.observers.changed(.pins)
    }

    func remove(_ name: String) {
        endRefresh(of: name)
        pinned[name] = nil
        startTimer()
        engine?.observers.changed(.pins)
    }

    // MARK: Refreshing

    /// Listens until the authority has confirmed the result.
    func refresh(_ name: String) {
        guard let engine, let state = pinned[name], state.listener == nil else { return }
        let listener = SyncListener(to: state.pin.target, options: SyncListener.Options(includeMetadataChanges: true)) {
            [weak self] result in self?.received(result.map { $0.isFromCache }, of: name)
        }
        pinned[name]?.listener = listener
        pinned[name]?.due = nil
        pinned[name]?.isCurrent = false
        engine.listen(listener)
        engine.observers.changed(.pins)
    }

    private func received(_ result: Result<Bool, FirestoreError>, of name: String) {
        guard let state = pinned[name], state.listener != nil, !state.isCurrent else { return }
        switch result {
        case .success(true): engine?.observers.changed(.pins)
        case .success(false):
            pinned[name]?.lastError = nil
            pinned[name]?.isCurrent = true
            // The views are not changed while their listeners are called.
            engine?.post { $0.feature(PinFeature.self)?.refreshed(name) }
        case .failure(let error):
            pinned[name]?.lastError = error
            pinned[name]?.listener = nil
            setDue(name)
        }
    }

    private func refreshed(_ name: String) {
        guard let state = pinned[name], state.isCurrent, state.listener != nil else { return }
        endRefresh(of: name)
        setDue(name)
    }

    private func setDue(_ name: String) {
        guard let engine, let state = pinned[name] else { return }
        pinned[name]?.due = engine.settings.now() + state.pin.refreshInterval
        startTimer()
        engine.observers.changed(.pins)
    }

    private func endRefresh(of name: String) {
        guard let listener = pinned[name]?.listener else { return }
        pinned[name]?.listener = nil
        engine?.unlisten(listener)
    }

    /// The credentials are others: what one user may not read, another may.
    private func refreshAll() { for name in pinned.keys.sorted() { refresh(name) } }

    private func refreshDue() {
        guard let now = engine?.settings.now() else { return }
        for name in pinned.keys.sorted() { if let due = pinned[name]?.due, due <= now { refresh(name) } }
        startTimer()
    }

    private func startTimer() {
        guard let engine else { return }
        guard let next = pinned.values.compactMap(\.due).min() else { return engine.timers.cancel(.pinRefresh) }
        // A timer is not for years.
        engine.timers.start(.pinRefresh, after: min(max(.zero, next - engine.settings.now()), .seconds(86_400)))
    }
}

extension SyncTimer {
    /// A pin is fetched again.
    package static let pinRefresh = SyncTimer("pinRefresh")
}

extension SyncSubject {
    static let pins = SyncSubject("pins")
}
