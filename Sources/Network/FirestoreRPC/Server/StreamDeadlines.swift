// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The deadlines of a connection's calls, and the timer for the next one.
struct StreamDeadlines {
    private var heap = DeadlineHeap()
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?

    mutating func add(_ deadline: NIODeadline, of id: StreamID, among streams: StreamTable) {
        heap.compact(living: streams.count) { streams.isAnswering($0) }
        heap.insert(deadline, id)
    }

    /// Makes sure that `expire` runs at the next deadline. It removes what has expired, and calls this again.
    mutating func schedule(on eventLoop: any EventLoop, _ expire: @escaping @Sendable () -> Void) {
        guard let next = heap.next else { return }
        if let timer {
            guard next < timer.deadline else { return }
            timer.task.cancel()
        }
        timer = (next, eventLoop.scheduleTask(deadline: next, expire))
    }

    /// The timer has fired. Returns the streams whose deadlines have passed.
    mutating func fire(at now: NIODeadline) -> [StreamID] {
        timer = nil
        var expired: [StreamID] = []
        while let id = heap.popExpired(at: now) { expired.append(id) }
        return expired
    }

    mutating func cancel() {
        timer?.task.cancel()
        timer = nil
    }
}
