// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncEngine {
    var pinned: [String: PinState] { feature(PinFeature.self)?.pinned ?? [:] }

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
        feature(PinFeature.self)?.add(pin)
    }

    package func unpin(_ name: String) throws(FirestoreError) {
        guard try store.unpin(name) else { throw .noPin(name) }
        feature(PinFeature.self)?.remove(name)
    }

    package func refreshPinNow(_ name: String) throws(FirestoreError) {
        guard let feature: PinFeature = feature() else { return }
        try feature.reload()
        guard feature.pinned[name] != nil else { throw .noPin(name) }
        feature.refresh(name)
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
}

extension FirestoreError {
    fileprivate static func noPin(_ name: String) -> FirestoreError {
        FirestoreError(.notFound, "no pin has the name \"\(name)\"; firestore.pins lists the pins")
    }
}
