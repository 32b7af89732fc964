// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Notifies awaited writes that the client is offline, so that they need not wait for the authority.
///
/// It observes the queue from the first such write on, and holds a receipt only while it is awaited.
final class OfflineObservation: Sendable {
    private struct State {
        var isObserving = false
        var isOffline = false
        var handle: (any ListenHandle)?
        var receipts: [ObjectIdentifier: WriteReceipt] = [:]
    }

    private let state = Mutex(State())

    func add(_ receipt: WriteReceipt, in queue: any WriteQueueAdministration) {
        let (isFirst, isOffline) = state.withLock { state in
            state.receipts[ObjectIdentifier(receipt)] = receipt
            defer { state.isObserving = true }
            return (!state.isObserving, state.isOffline)
        }
        // Only that: a change to online may be in progress on another thread.
        if isOffline { receipt.setOffline(true) }
        guard isFirst else { return }
        let handle = queue.observeOffline { [weak self] in self?.changed($0) }
        state.withLock { $0.handle = handle }
    }

    func remove(_ receipt: WriteReceipt) {
        state.withLock { $0.receipts[ObjectIdentifier(receipt)] = nil }
    }

    private func changed(_ isOffline: Bool) {
        let receipts = state.withLock { state in
            state.isOffline = isOffline
            return Array(state.receipts.values)
        }
        for receipt in receipts { receipt.setOffline(isOffline) }
    }

    func end() {
        let handle = state.withLock { $0.handle.take() }
        handle?.remove()
    }
}
