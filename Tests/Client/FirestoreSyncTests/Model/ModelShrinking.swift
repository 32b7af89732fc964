// SPDX-License-Identifier: Apache-2.0

extension ModelHistory {
    /// The smallest history found that still fails, and how.
    func shrunk(_ failure: ModelWorld.Failure, tries most: Int = 4_000) throws -> (history: ModelHistory, failure: ModelWorld.Failure) {
        var smallest = self
        var found = failure
        smallest.actions = Array(actions.prefix(failure.action + 1))
        var tries = 0
        func fails(_ candidate: ModelHistory) throws -> Bool {
            tries += 1
            guard let other = try ModelWorld.run(candidate), other.kind == failure.kind else { return false }
            (smallest, found) = (candidate, other)
            return true
        }
        if try !fails(smallest) { smallest = self }
        var step = max(1, smallest.actions.count / 2)
        while tries < most {
            var hasShrunk = false
            var start = 0
            while start < smallest.actions.count, tries < most {
                var fewer = smallest
                fewer.actions.removeSubrange(start..<min(start + step, fewer.actions.count))
                if try fails(fewer) { hasShrunk = true } else { start += step }
            }
            if step == 1, !hasShrunk { break }
            step = max(1, step / 2)
        }
        for index in smallest.actions.indices {
            for simpler in smallest.actions[index].simpler {
                var candidate = smallest
                candidate.actions[index] = simpler
                if try fails(candidate) { break }
            }
        }
        return (smallest, found)
    }
}

extension ModelAction {
    /// The action with fewer parts.
    fileprivate var simpler: [ModelAction] {
        switch self {
        case .write(let client, let writes) where writes.count > 1: writes.map { .write(client: client, [$0]) }
        case .otherWrite(let writes) where writes.count > 1: writes.map { .otherWrite([$0]) }
        case .serve(let client, let stream, let count, let salt) where count > 1:
            [.serve(client: client, stream, count: 1, salt: salt)]
        case .deliver(let client, let stream, let count) where count > 1: [.deliver(client: client, stream, count: 1)]
        default: []
        }
    }
}
