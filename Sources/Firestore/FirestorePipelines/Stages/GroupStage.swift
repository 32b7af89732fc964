// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Makes one row of every group of rows with equal keys, in the order of the keys.
final class GroupStage: RowReceiver {
    private final class Group {
        var keys: [EvaluatedValue]
        var accumulators: [Accumulator]

        init(_ keys: [EvaluatedValue], _ accumulators: [Accumulator]) { (self.keys, self.accumulators) = (keys, accumulators) }
    }

    private let grouping: Grouping
    private let execution: Execution
    private let next: any RowReceiver
    private var groups: [HashKey: Group] = [:]
    private var held = 0
    /// How many rows it has taken.
    private(set) var rowCount = 0

    init(_ grouping: Grouping, _ execution: Execution, _ next: any RowReceiver) {
        (self.grouping, self.execution, self.next) = (grouping, execution, next)
    }

    private var newAccumulators: [Accumulator] { grouping.accumulators.map { Accumulator($0.function) } }

    /// Takes so many rows of a grouping that does nothing but count them.
    func take(count: Int) throws(FirestoreError) {
        let group = try group([], HashKey())
        for index in group.accumulators.indices { group.accumulators[index].add(count: count) }
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        rowCount += 1
        var keys: [EvaluatedValue] = []
        var hash = HashKey()
        var hold = ValueHold(execution)
        for key in grouping.keys {
            let value = try key.value.value(row, execution)
            try hold.add(value)
            keys.append(value)
            hash.append(value)
        }
        let group = try group(keys, hash)
        for (index, accumulator) in grouping.accumulators.enumerated() {
            let value = try accumulator.argument?.value(row, execution)
            try held(more: try group.accumulators[index].add(value))
        }
        return .next
    }

    /// The group of a row.
    private func group(_ keys: [EvaluatedValue], _ hash: HashKey) throws(FirestoreError) -> Group {
        if let group = groups[hash] {
            for (index, key) in keys.enumerated() where key.preferred(to: group.keys[index]) { group.keys[index] = key.owned() }
            return group
        }
        let group = Group(keys.map { $0.isAbsent ? .null : $0.owned() }, newAccumulators)
        groups[hash] = group
        try held(more: hash.bytes.count + 128 + group.keys.reduce(0) { $0 + $1.weight })
        return group
    }

    private func held(more bytes: Int) throws(FirestoreError) {
        guard bytes != 0 else { return }
        held += bytes
        try execution.budget.hold(bytes)
    }

    func end() throws(FirestoreError) {
        if groups.isEmpty, grouping.isTotal { groups[HashKey()] = Group([], newAccumulators) }
        var sorted = Array(groups.values)
        groups = [:]
        try execution.sort(&sorted, by: precedes)
        for group in sorted {
            try execution.step()
            var flight = RowFlight(Row(.empty), execution.budget)
            try flight.replace(by: row(of: group))
            if try next.take(flight.row) == .stop { break }
        }
        execution.budget.release(held)
        held = 0
    }

    private func precedes(_ left: Group, _ right: Group) -> Bool {
        for (left, right) in zip(left.keys, right.keys) {
            let order = ComparisonFunctions.compare(left, right)
            if order != 0 { return order < 0 }
        }
        return false
    }

    private func row(of group: Group) throws(FirestoreError) -> Row {
        var map = MapBuilder()
        for (key, value) in zip(grouping.keys, group.keys) { map.set(key.name.buffer, value) }
        for (accumulator, state) in zip(grouping.accumulators, group.accumulators) {
            let result = state.result
            if let failure = result.failure { throw .invalidArgument(failure.reason) }
            map.set(accumulator.name.buffer, result)
        }
        try execution.budget.admit(2 * map.byteCount)
        return try Row(.empty).applying(map)
    }
}
