// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// The connections that are open.
final class ConnectionRegistry: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let limit: Int
    private let observer: (any RPCObserver)?
    private let state = Mutex(State())

    init(limit: Int, observer: (any RPCObserver)?) {
        self.limit = limit
        self.observer = observer
    }

    /// Returns false if the maximum is reached, or the server is stopping.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            guard !state.isClosed, state.channels.count < limit else { return false }
            state.channels[id] = channel
            return true
        }
        guard isAdmitted else {
            observer?.connectionRefused()
            return false
        }
        observer?.connectionOpened()
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.channels[id] = nil }
            self.observer?.connectionClosed()
        }
        return true
    }

    /// Accepts no more connections; returns the open ones.
    func close() -> [any Channel] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
    }
}
