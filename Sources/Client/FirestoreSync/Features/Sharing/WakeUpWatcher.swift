// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A thread that waits at the wake-up pipe of this process, and for the end of the leader.
final class WakeUpWatcher: Sendable {
    private struct State {
        var isClosed = false
        var watchesLeader = false
        var hasOthers = false
    }

    private let wakeUp: WakeUpPipe
    private let leaderPipe: String
    private let state = Mutex(State())
    private let onEvent: @Sendable (SharingMachine.Event) -> Void

    init(_ wakeUp: WakeUpPipe, leaderPipe: String, onEvent: @escaping @Sendable (SharingMachine.Event) -> Void) {
        self.wakeUp = wakeUp
        self.leaderPipe = leaderPipe
        self.onEvent = onEvent
    }

    func start() {
        let thread = Thread { [self] in watch() }
        thread.name = "hearth.cache"
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    /// `watchesLeader`: another process leads. `hasOthers`: other processes use the cache, whose bytes could get lost.
    func set(watchesLeader: Bool, hasOthers: Bool) {
        let hasChanged = state.withLock { state in
            defer { (state.watchesLeader, state.hasOthers) = (watchesLeader, hasOthers) }
            return state.watchesLeader != watchesLeader || state.hasOthers != hasOthers
        }
        if hasChanged { wakeUp.pipe.write() }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wakeUp.pipe.write()
    }

    private func watch() {
        var leader: Int32 = -1
        // A process that is killed may close its pipe a moment before its lock.
        var attempts = 0
        defer { if leader >= 0 { Foundation.close(leader) } }
        while true {
            let now = state.withLock { $0 }
            if now.isClosed { return }
            if now.watchesLeader, leader < 0 { leader = open(leaderPipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
            if !now.watchesLeader, leader >= 0 {
                Foundation.close(leader)
                leader = -1
            }
            // Nothing is read from the leader's pipe: it has no writer any more when the leader has ended.
            var files = [
                pollfd(fd: wakeUp.pipe.reader, events: Int16(POLLIN), revents: 0), pollfd(fd: leader, events: 0, revents: 0),
            ]
            if !now.watchesLeader { attempts = 0 }
            let count = poll(&files, 2, attempts > 0 ? 10 : now.hasOthers || now.watchesLeader ? 1_000 : -1)
            if count == 0 {
                onEvent(attempts > 0 ? .leaderEnded : .ticked)
                attempts = max(0, attempts - 1)
            }
            guard count > 0 else { continue }
            if files[0].revents != 0 {
                wakeUp.pipe.drain()
                onEvent(.woken)
            }
            if files[1].revents != 0 {
                Foundation.close(leader)
                leader = -1
                onEvent(.leaderEnded)
                attempts = 20
                // Until the next leader has its pipe open, nothing can be learned from it.
                usleep(2_000)
            }
        }
    }
}
