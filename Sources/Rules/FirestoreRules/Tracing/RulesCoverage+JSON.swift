// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

extension RulesCoverage {
    /// The report of the official emulator (SR-142): a tree per function and condition, with the values of every expression.
    package var json: JSON {
        let counts = current
        let program = ruleSet.rules.program
        var roots = program.functions.flatMap { $0.variables + [$0.result] }
        roots += ruleSet.rules.statements.joined().compactMap(\.condition)
        roots.sort { program.ranges[$0].start < program.ranges[$1].start }
        let file: JSON = .object([
            ("name", .string(ruleSet.source.name)),
            ("content", .string(String(decoding: ruleSet.source.text, as: UTF8.self))),
        ])
        return .object([
            ("rules", .object([("files", .array([file]))])),
            ("report", .array(roots.compactMap { report($0, counts) })),
        ])
    }

    /// Literals have no entry.
    private func report(_ node: NodeID, _ counts: Counts) -> JSON? {
        let program = ruleSet.rules.program
        switch program.nodes[node] {
        case .constant, .boolean, .integer, .null: return nil
        default: break
        }
        var members = ownMembers(node, counts)
        let children = program.children(of: node).compactMap { report($0, counts) }
        if !children.isEmpty { members.append(("children", .array(children))) }
        return .object(members)
    }

    /// The report of a node itself; separate, so that the frame of `report`, which is called for each level, stays small.
    @inline(never)
    private func ownMembers(_ node: NodeID, _ counts: Counts) -> [(name: String, value: JSON)] {
        var members: [(name: String, value: JSON)] = [("sourcePosition", ruleSet.source.json(ruleSet.rules.program.ranges[node]))]
        if let count = counts.nodes[node] {
            var values = count.values.map { entry -> JSON in .object([("value", entry.value), ("count", .number(entry.count))]) }
            if count.otherValues > 0 {
                let others: JSON = .object([("stringValue", .string("other values"))])
                values.append(.object([("value", others), ("count", .number(count.otherValues))]))
            }
            members.append(("values", .array(values)))
        }
        return members
    }
}

extension RulesSource {
    /// A place as the emulator writes it: line and column from 1, the offsets of the first and of the last character.
    package func json(_ range: SourceRange) -> JSON {
        let position = position(of: range)
        let start = scalarOffset(of: range.start)
        let end = max(start, scalarOffset(of: range.end) - 1)
        return .object([
            ("line", .number(position.line)), ("column", .number(position.column)), ("currentOffset", .number(start)),
            ("endOffset", .number(end)),
        ])
    }
}

extension RulesIssue {
    /// An issue as the emulator answers it (SR-138).
    package func json(in source: RulesSource) -> JSON {
        var members: [(name: String, value: JSON)] = []
        if let range, case .object(let place) = source.json(range) {
            members.append(("sourcePosition", .object([("fileName", .string(source.name))] + place)))
        }
        return .object(members + [("description", .string(message)), ("severity", .string(severity.rawValue))])
    }
}

extension TraceRecorder.Result {
    func coverageJSON(_ position: SourcePosition) -> JSON {
        let cause: String
        switch self {
        case .value(let value): return value.coverageJSON(depth: 0)
        case .failure(let failure): cause = failure.message
        case .interrupted: cause = StatementOutcome.exhausted.message
        }
        return .object([
            (
                "undefined",
                .object([
                    ("sourcePosition", .object([("line", .number(position.line)), ("column", .number(position.column))])),
                    ("causeMessage", .string(cause)),
                ])
            )
        ])
    }
}

extension RulesValue {
    /// The value with its type, as the emulator writes it: as proto3 does, without empty and zero members. Long and deep values are cut.
    fileprivate func coverageJSON(depth: Int) -> JSON {
        func one(_ name: String, _ value: JSON) -> JSON { .object([(name, value)]) }
        func many(_ name: String, _ values: [RulesValue]) -> JSON {
            one(name, values.isEmpty ? .object([]) : one("values", .array(values.prefix(20).map { $0.coverageJSON(depth: depth + 1) })))
        }
        guard depth < 4 else { return one("stringValue", .string("…")) }
        switch self {
        case .null: return one("nullValue", .null)
        case .bool(let value): return one("boolValue", .boolean(value))
        case .int(let value): return one("intValue", .string(String(value)))
        case .float(let value): return one("floatValue", Self.number(value))
        case .string(let value): return one("stringValue", .string(value.utf8.count > 200 ? value.prefix(200) + "…" : value))
        case .timestamp(let value): return one("timestampValue", .string(value.text))
        case .duration(let value): return one("durationValue", .string(value.text))
        case .bytes(let value): return one("bytesValue", .string(Base64.encode(Array(value.array.prefix(200)))))
        case .latlng(let point):
            let parts = [("latitude", point.latitude), ("longitude", point.longitude)].filter { $0.1 != 0 }
            return one("latlngValue", .object(parts.map { ($0.0, Self.number($0.1)) }))
        case .path(let path):
            return one("pathValue", one("segments", .array(path.segments.map { one("simple", .string($0.text)) })))
        case .list(let list): return many("listValue", list.elements)
        case .set(let set): return many("setValue", set.elements)
        case .vector(let vector): return many("vectorValue", vector.map { .float($0) })
        case .map(let map):
            let fields = map.entries.prefix(20).map { ($0.name, $0.value.coverageJSON(depth: depth + 1)) }
            return one("mapValue", fields.isEmpty ? .object([]) : one("fields", .object(fields)))
        case .mapDiff(let diff):
            var statuses: [(name: String, value: JSON)] = []
            let groups = [(diff.added, "ADDED"), (diff.removed, "REMOVED"), (diff.changed, "CHANGED"), (diff.unchanged, "UNCHANGED")]
            for (names, status) in groups { statuses += names.map { ($0, .string(status)) } }
            return one("mapDiffValue", statuses.isEmpty ? .object([]) : one("keyStatuses", .object(statuses)))
        case .constraint(let constraint):
            return constraint.equalNumber?.coverageJSON(depth: depth) ?? one("constraintValue", .object([]))
        }
    }

    private static func number(_ value: Double) -> JSON {
        value.isFinite ? .number(ValueText.text(value)) : .string(ValueText.text(value))
    }
}

extension DurationValue {
    /// As proto3 writes it: `-1.500s`, with 0, 3, 6 or 9 digits behind the point.
    var text: String {
        let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
        var fraction = String(nanoseconds.magnitude)
        fraction = String(repeating: "0", count: 9 - fraction.utf8.count) + fraction
        while fraction.hasSuffix("000") { fraction.removeLast(3) }
        return "\(sign)\(seconds.magnitude)\(fraction.isEmpty ? "" : ".")\(fraction)s"
    }
}
