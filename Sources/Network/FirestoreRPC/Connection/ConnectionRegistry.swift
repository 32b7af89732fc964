// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import struct Synchronization.Atomic

/// Since when a connection is idle. The loop of the connection writes it, the registry reads it.
final class ConnectionActivity: Sendable {
    private static let busy = UInt64.max
    private let idleSince: Atomic<UInt64>

    init(now: NIODeadline) { idleSince = Atomic(now.uptimeNanoseconds) }

    /// A turn of the loop has ended, with so many open calls.
    func note(openCalls: Int, at now: NIODeadline) {
        idleSince.store(openCalls > 0 ? Self.busy : now.uptimeNanoseconds, ordering: .relaxed)
    }

    /// nil while calls are open.
    var idle: UInt64? {
        let time = idleSince.load(ordering: .relaxed)
        return time == Self.busy ? nil : time
    }
}

/// The connections that are open.
final class ConnectionRegistry: Sendable {
    private struct Entry {
        let channel: any Channel
        let activity: ConnectionActivity
        /// The address that it counts for.
        let address: String?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Connections that were idle for longest when all were looked at last, the longest last.
        var candidates: [ObjectIdentifier] = []
        var isClosed = false
    }

    private let limit: Int
    private let bound: AddressBound?
    private let addresses: AddressTable?
    private let observer: (any RPCObserver)?
    private let state = Mutex(State())

    /// So many connections are found with one look at all.
    private static let candidates = 64

    init(limit: Int, bound: AddressBound? = nil, observer: (any RPCObserver)?) {
        self.limit = limit
        self.bound = bound
        addresses = bound.map { AddressTable(limit: $0.limit) }
        self.observer = observer
    }

    /// nil if the connection is refused: its address has the maximum, or the server has and none is idle, or is stopping.
    func admit(_ channel: any Channel, peer: String) -> ConnectionActivity? {
        var address: String?
        if let bound, let addresses, case .address(let client) = bound.client(peer, nil) {
            guard addresses.enter(client) else { return refuse(.address) }
            address = client
        }
        let id = ObjectIdentifier(channel)
        let activity = ConnectionActivity(now: channel.eventLoop.now)
        let (isAdmitted, victim, isClosed) = state.withLock { state -> (Bool, (any Channel)?, Bool) in
            guard !state.isClosed else { return (false, nil, true) }
            var victim: (any Channel)?
            if state.entries.count >= limit {
                guard let idle = Self.longestIdle(&state) else { return (false, nil, false) }
                victim = state.entries.removeValue(forKey: idle)?.channel
            }
            state.entries[id] = Entry(channel: channel, activity: activity, address: address)
            return (true, victim, false)
        }
        guard isAdmitted else {
            if let address { addresses?.leave(address) }
            return refuse(isClosed ? nil : .connections)
        }
        if let victim {
            observer?.shed(.idle)
            victim.close(promise: nil)
        }
        observer?.connectionOpened()
        channel.closeFuture.whenComplete { [address] _ in
            self.state.withLock { $0.entries[id] = nil }
            if let address { self.addresses?.leave(address) }
            self.observer?.connectionClosed()
        }
        return activity
    }

    private func refuse(_ reason: ShedReason?) -> ConnectionActivity? {
        if let reason { observer?.shed(reason) }
        observer?.connectionRefused()
        return nil
    }

    private static func longestIdle(_ state: inout State) -> ObjectIdentifier? {
        while let candidate = state.candidates.popLast() {
            if state.entries[candidate]?.activity.idle != nil { return candidate }
        }
        let idle = state.entries.compactMap { id, entry in entry.activity.idle.map { (id: id, since: $0) } }
        state.candidates = idle.sorted { $0.since < $1.since }.prefix(candidates).reversed().map(\.id)
        return state.candidates.popLast()
    }

    /// The clients behind a proxy that a connection comes from; nil if it is no proxy's.
    func clients(behind peer: String) -> ProxiedClients? {
        guard let bound, let addresses, bound.client(peer, nil) == .proxy else { return nil }
        return ProxiedClients(table: addresses) { [client = bound.client] in client(peer, $0) }
    }

    /// Accepts no more connections; returns the open ones.
    func close() -> [any Channel] {
        state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.channel)
        }
    }
}
