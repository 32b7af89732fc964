// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A pin of the cache and its refreshes.
struct PinState {
    let pin: StoredPin
    /// Listens while the authority's result is fetched.
    var listener: SyncListener?
    /// When it is fetched again; nil while it is being fetched.
    var due: Duration?
    /// Why the authority refused the last fetch.
    var lastError: FirestoreError?
    var isCurrent = false
}

/// Pins (SY-D25): a target that is never collected, and that is listened to from time to time, until it is synced.
extension SyncEngine {
    /// Fetches the changes of all pins.
    func startPins() {
        do throws(FirestoreError) { try takePins() } catch { settings.log("the pins could not be read: \(error)") }
    }

    /// Takes over what the cache has: at the start, and when another process may have made, replaced or ended pins.
    func takePins() throws(FirestoreError) {
        let stored = try store.storedPins()
        let ended = Set(pinned.keys).subtracting(stored.map(\.name))
        for name in ended {
            endRefresh(of: name)
            pinned[name] = nil
        }
        if !ended.isEmpty {
            startPinTimer()
            onPinChange?()
        }
        for pin in stored where pinned[pin.name].map({ !$0.pin.isRefreshed(as: pin) }) ?? true {
            endRefresh(of: pin.name)
            pinned[pin.name] = PinState(pin: pin)
            refreshPin(pin.name)
        }
    }

    package func pin(_ target: ClientTarget, named name: String, refreshEvery interval: Duration) throws(FirestoreError) {
        guard !name.isEmpty else { throw .invalidArgument("a pin needs a name") }
        guard interval > .zero else { throw .invalidArgument("the time between two refreshes of the pin \"\(name)\" must be positive") }
        if case .query(let query) = target {
            guard query.query.nearest == nil, query.query.projection == nil, query.query.offset == 0 else {
                throw .invalidArgument(
                    "only a query that can be listened to can be kept offline: no selection, no offset, no vector search")
            }
        }
        let pin = try store.pin(target, named: name, refreshEvery: interval)
        endRefresh(of: name)
        pinned[name] = PinState(pin: pin)
        refreshPin(name)
        onPinChange?()
    }

    package func unpin(_ name: String) throws(FirestoreError) {
        guard try store.unpin(name) else { throw .noPin(name) }
        endRefresh(of: name)
        pinned[name] = nil
        startPinTimer()
        onPinChange?()
    }

    package func refreshPinNow(_ name: String) throws(FirestoreError) {
        try takePins()
        guard pinned[name] != nil else { throw .noPin(name) }
        refreshPin(name)
    }

    package func pinnedTargets() throws(FirestoreError) -> [PinnedTarget] {
        var result: [PinnedTarget] = []
        for pin in try store.storedPins() {
            let usage = try store.usage(of: pin.targetID)
            let state = pinned[pin.name]
            result.append(
                PinnedTarget(
                    name: pin.name, target: pin.target, refreshInterval: pin.refreshInterval, documentCount: usage.documents,
                    byteCount: usage.bytes, asOf: usage.version, isCurrent: state?.isCurrent ?? false, lastError: state?.lastError))
        }
        return result
    }

    // MARK: Refreshing

    /// Listens until the authority has confirmed the result.
    private func refreshPin(_ name: String) {
        guard let state = pinned[name], state.listener == nil else { return }
        let listener = SyncListener(to: state.pin.target, options: SyncListener.Options(includeMetadataChanges: true)) {
            [weak self] result in self?.heard(result.map { $0.isFromCache }, of: name)
        }
        pinned[name]?.listener = listener
        pinned[name]?.due = nil
        pinned[name]?.isCurrent = false
        listen(listener)
        onPinChange?()
    }

    private func heard(_ result: Result<Bool, FirestoreError>, of name: String) {
        guard let state = pinned[name], state.listener != nil, !state.isCurrent else { return }
        switch result {
        case .success(true): onPinChange?()
        case .success(false):
            pinned[name]?.lastError = nil
            pinned[name]?.isCurrent = true
            // The views are not changed while their listeners are told.
            streams.post { $0.refreshed(name) }
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
        guard let state = pinned[name] else { return }
        pinned[name]?.due = settings.now() + state.pin.refreshInterval
        startPinTimer()
        onPinChange?()
    }

    private func endRefresh(of name: String) {
        guard let listener = pinned[name]?.listener else { return }
        pinned[name]?.listener = nil
        unlisten(listener)
    }

    /// The credentials are others: what one user may not read, another may.
    func refreshAllPins() { for name in pinned.keys.sorted() { refreshPin(name) } }

    func refreshDuePins() {
        let now = settings.now()
        for name in pinned.keys.sorted() { if let due = pinned[name]?.due, due <= now { refreshPin(name) } }
        startPinTimer()
    }

    private func startPinTimer() {
        guard let next = pinned.values.compactMap(\.due).min() else { return timers.cancel(.pinRefresh) }
        // A timer is not for years.
        timers.start(.pinRefresh, after: min(max(.zero, next - settings.now()), .seconds(86_400)))
    }
}

extension FirestoreError {
    fileprivate static func noPin(_ name: String) -> FirestoreError {
        FirestoreError(.notFound, "no pin has the name \"\(name)\"; firestore.pins lists the pins")
    }
}
