// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// Random patches and transforms against a model on nested dictionaries, written without `FieldMerge`.
@Suite struct WriteModelTests {
    indirect enum Node {
        case leaf(Value)
        case branch([String: Node])

        init(_ value: Value) {
            // Vectors are values, not maps.
            if case .map(let map) = value, map["__type__"] == nil {
                self = .branch(Dictionary(uniqueKeysWithValues: map.entries.map { ($0.name, Node($0.value)) }))
            } else {
                self = .leaf(value)
            }
        }

        var value: Value {
            switch self {
            case .leaf(let value): value
            case .branch(let children): .map(FieldMap(children.map { ($0.key, $0.value.value) }))
            }
        }

        func get(_ path: [String]) -> Node? {
            guard let first = path.first else { return self }
            guard case .branch(let children) = self else { return nil }
            return children[first]?.get(Array(path.dropFirst()))
        }

        mutating func set(_ path: [String], _ node: Node) {
            guard let first = path.first else {
                self = node
                return
            }
            var children: [String: Node] = [:]
            if case .branch(let own) = self { children = own }
            var child = children[first] ?? .branch([:])
            child.set(Array(path.dropFirst()), node)
            children[first] = child
            self = .branch(children)
        }

        mutating func remove(_ path: [String]) {
            guard case .branch(var children) = self, let first = path.first else { return }
            if path.count == 1 {
                children[first] = nil
            } else if var child = children[first] {
                child.remove(Array(path.dropFirst()))
                children[first] = child
            }
            self = .branch(children)
        }
    }

    private static let paths = ["a", "b", "a.x", "a.y", "a.x.z", "b.x", "c.d.e", "c.d", "c"]

    @Test(arguments: 0..<10)
    func `a thousand random writes leave the state of the model`(seed: Int) throws {
        var random = RandomData(seed: UInt64(seed) + 500)
        let key = DocumentKey(trusted: "c/1")
        var stored: Document?
        var model = Node.branch([:])
        for step in 0..<1_000 {
            if stored == nil || random.chance(5) {
                model = .branch([:])
                stored = nil
            }
            var mask: [FieldPathSegments] = []
            // Fields twice and fields inside others included: the outer one wins. (WR-9)
            for candidate in Self.paths where random.chance(25) {
                mask.append(path(candidate))
                if random.chance(10) { mask.append(path(candidate)) }
            }
            var data = FieldMap()
            let outermost = mask.filter { path in !mask.contains { $0 != path && $0.isPrefix(of: path) } }
            for path in outermost where random.chance(60) { data[path] = random.value() }
            for path in mask where random.chance(30) && !mask.contains(where: { $0.isPrefix(of: path) && data[$0] != nil }) {
                data[path] = random.value()
            }
            for path in outermost where data[path] == nil { model.remove(path.segments) }
            for path in outermost { if let value = data[path] { model.set(path.segments, Node(value)) } }
            var transforms: [FieldTransform] = []
            for _ in 0..<random.number(0...3) {
                let (kind, change) = transform(&random)
                let path = path(random.pick(Self.paths))
                // Rejected: a field and one inside it.
                if transforms.contains(where: { $0.path != path && ($0.path.isPrefix(of: path) || path.isPrefix(of: $0.path)) }) { continue }
                transforms.append(FieldTransform(path: path, kind: kind))
                model.set(path.segments, Node(change(model.get(path.segments)?.value)))
            }
            let write = Write(key: key, operation: .patch(FieldBytes(data), mask: mask), transforms: transforms)
            try WriteCheck.check([write])
            let before = stored
            let times = CommitTimes(commitTime: DocumentVersion(microseconds: Int64(step + 1)))
            let applied = try WriteApplication.apply(write, to: stored, at: times, in: database)
            stored = applied.document
            guard case .map(let expected) = model.value else { return }
            #expect(stored?.fields == FieldBytes(expected), "seed \(seed), step \(step)")
            #expect((stored?.updateTime == times.commitTime) == (before?.fields != stored?.fields))
            #expect(applied.result.transformResults.count == transforms.count)
        }
    }

    private func transform(_ random: inout RandomData) -> (FieldTransform.Kind, (Value?) -> Value) {
        let operand = random.pick([Value.integer(2), .double(0.5), .integer(.max)])
        let element = random.pick([Value.integer(1), .string("a"), .double(1), .null])
        func elements(_ value: Value?) -> [Value] { if case .array(let elements)? = value { elements } else { [] } }
        func same(_ value: Value) -> Bool { NaiveValues.compare(value, element) == 0 }
        switch random.number(0...4) {
        case 0:
            return (
                .increment(operand),
                { value in
                    switch (value, operand) {
                    case (.integer(let stored)?, .integer(let operand)):
                        let exact = Double(stored) + Double(operand)
                        return abs(exact) < 1e18 ? .integer(stored + operand) : saturated(stored, operand)
                    case (.integer(let stored)?, .double(let operand)): return .double(Double(stored) + operand)
                    case (.double(let stored)?, .integer(let operand)): return .double(stored + Double(operand))
                    case (.double(let stored)?, .double(let operand)): return .double(stored + operand)
                    default: return operand
                    }
                }
            )
        case 1, 2:
            let wantsMore = random.chance(50)
            return (
                wantsMore ? .maximum(operand) : .minimum(operand),
                { value in
                    guard let value, NaiveValues.rank(value) == 2 else { return operand }
                    if NaiveValues.isNaN(value) { return value }
                    let order = NaiveValues.compare(operand, value)
                    return (wantsMore ? order > 0 : order < 0) ? operand : value
                }
            )
        case 3:
            return (
                .appendMissingElements([element, element]),
                { value in .array(elements(value) + (elements(value).contains(where: same) ? [] : [element])) }
            )
        default:
            return (.removeAllFromArray([element]), { value in .array(elements(value).filter { !same($0) }) })
        }
        func saturated(_ left: Int64, _ right: Int64) -> Value {
            let wide = (left >> 1) + (right >> 1)
            if wide >= .max >> 1, left > 0, right > 0 { return .integer(.max) }
            return .integer(left &+ right)
        }
    }
}
