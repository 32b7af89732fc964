// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

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
        var members: [(name: String, value: JSON)] = [("sourcePosition", ruleSet.source.json(program.ranges[node]))]
        if let count = counts.nodes[node] {
            var values = count.values.map { entry -> JSON in .object([("value", entry.value), ("count", .number(entry.count))]) }
            if count.otherValues > 0 {
                values.append(.object([("value", .object([("stringValue", .string("other values"))])), ("count", .number(count.otherValues))]))
            }
            members.append(("values", .array(values)))
        }
        let children = program.children(of: node).compactMap { report($0, counts) }
        if !children.isEmpty { members.append(("children", .array(children))) }
        return .object(members)
    }
}

extension RulesSource {
    /// A place as the emulator writes it: line and column from 1, the offsets of the first and of the last character.
    package func json(_ range: SourceRange) -> JSON {
        let position = position(of: range)
        let start = scalarOffset(of: range.start)
        let end = max(start, scalarOffset(of: range.end) - 1)
        return .object([
            ("line", .number(position.line)), ("column", .number(position.column)), ("currentOffset", .number(start)), ("endOffset", .number(end)),
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
    /// The value with its type, as the emulator writes it. Long and deep values are cut.
    fileprivate func coverageJSON(depth: Int) -> JSON {
        func one(_ name: String, _ value: JSON) -> JSON { .object([(name, value)]) }
        guard depth < 4 else { return one("stringValue", .string("…")) }
        switch self {
        case .null: return one("nullValue", .null)
        case .bool(let value): return one("boolValue", .boolean(value))
        case .int(let value): return one("intValue", .string(String(value)))
        case .float(let value): return one("floatValue", value.isFinite ? .number(ValueText.text(value)) : .string(ValueText.text(value)))
        case .timestamp(let value): return one("timestampValue", .string(value.text))
        case .bytes(let value): return one("bytesValue", .string(Base64.encode(Array(value.array.prefix(200)))))
        case .path(let path):
            return one("pathValue", one("segments", .array(path.segments.map { one("simple", .string($0.text)) })))
        case .list(let list):
            return one("listValue", one("values", .array(list.elements.prefix(20).map { $0.coverageJSON(depth: depth + 1) })))
        case .map(let map):
            return one("mapValue", one("fields", .object(map.entries.prefix(20).map { ($0.name, $0.value.coverageJSON(depth: depth + 1)) })))
        case .constraint(let constraint):
            return constraint.equalNumber?.coverageJSON(depth: depth) ?? one("constraintValue", .object([]))
        case .string, .duration, .latlng, .set, .mapDiff, .vector:
            if case .string(let text) = json { return one("stringValue", .string(text)) }
            return one("\(type.rawValue)Value", json)
        }
    }
}
