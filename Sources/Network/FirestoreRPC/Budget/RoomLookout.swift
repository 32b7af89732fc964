// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Lets go on what waits for room on a connection: when the connection has sent something, and now and then, because what other
/// connections hold decides, too. On the connection's loop.
struct RoomLookout {
    private let account: ConnectionAccount
    private let eventLoop: any EventLoop
    private var next: Scheduled<Void>?

    private static let interval = TimeAmount.milliseconds(100)

    init(_ account: ConnectionAccount, on eventLoop: any EventLoop) {
        self.account = account
        self.eventLoop = eventLoop
    }

    /// Something waits. `look` is to call `look(_:)`.
    mutating func begin(_ look: @escaping @Sendable () -> Void) {
        if next == nil { next = eventLoop.scheduleTask(in: Self.interval, look) }
    }

    mutating func look(_ look: @escaping @Sendable () -> Void) {
        next = nil
        if account.admit() { begin(look) }
    }

    /// The connection holds less.
    mutating func makeRoom() {
        guard next != nil, !account.admit() else { return }
        end()
    }

    mutating func end() {
        next?.cancel()
        next = nil
    }
}
