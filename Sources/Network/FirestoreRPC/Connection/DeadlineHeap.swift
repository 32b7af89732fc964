// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The deadlines of a connection's calls, the next one first. Ended calls are left in and skipped; when they are the majority,
/// `compact` removes them.
struct DeadlineHeap {
    private(set) var entries: [(deadline: NIODeadline, stream: StreamID)] = []

    var next: NIODeadline? { entries.first?.deadline }

    mutating func insert(_ deadline: NIODeadline, _ stream: StreamID) {
        entries.append((deadline, stream))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].deadline < entries[parent].deadline else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// The stream of the earliest deadline, if that has passed.
    mutating func popExpired(at now: NIODeadline) -> StreamID? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            siftDown(from: 0)
        }
        return first.stream
    }

    /// Removes the streams that are not alive, if they are more than `living` and worth the walk.
    mutating func compact(living: Int, isAlive: (StreamID) -> Bool) {
        guard entries.count > 2 * living + 64 else { return }
        entries.removeAll { !isAlive($0.stream) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].deadline < entries[least].deadline { least = child }
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
