// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

extension RulesValue {
    /// The value as JSON, for logs and explanations. Long lists, maps and texts are cut.
    var json: JSON { json(depth: 0) }

    private static let shown = 20
    private static let shownText = 200

    private func json(depth: Int) -> JSON {
        if depth > 6 { return .string("…") }
        switch self {
        case .null: return .null
        case .bool(let value): return .boolean(value)
        case .int(let value): return .number(value)
        case .float(let value): return value.isFinite ? .number(ValueText.text(value)) : .string(ValueText.text(value))
        case .string(let value): return .string(Self.cut(value))
        case .bytes(let value): return .string("b'\(Self.cut(Base64.encode(value.array)))'")
        case .timestamp(let value): return .string(value.text)
        case .duration(let value): return .string(value.text)
        case .latlng(let value): return .array([.number(ValueText.text(value.latitude)), .number(ValueText.text(value.longitude))])
        case .path(let value): return .string(value.text)
        case .list(let list): return .array(Self.cut(list.elements.prefix(Self.shown + 1).map { $0.json(depth: depth + 1) }))
        case .set(let set): return .array(Self.cut(set.elements.prefix(Self.shown + 1).map { $0.json(depth: depth + 1) }))
        case .vector(let vector): return .array(Self.cut(vector.prefix(Self.shown + 1).map { .number(ValueText.text($0)) }))
        case .map(let map):
            let entries = map.entries
            let shown = entries.prefix(Self.shown).map { ($0.name, $0.value.json(depth: depth + 1)) }
            return .object(entries.count > Self.shown ? shown + [("…", .string("…"))] : shown)
        case .mapDiff(let diff):
            func names(_ names: [String]) -> JSON { .array(Self.cut(names.prefix(Self.shown + 1).map { .string($0) })) }
            return .object([
                ("added", names(diff.added)), ("removed", names(diff.removed)), ("changed", names(diff.changed)),
            ])
        case .constraint(let constraint): return constraint.equalNumber?.json ?? .string("(what the query's filters prove)")
        }
    }

    private static func cut(_ elements: [JSON]) -> [JSON] {
        elements.count > shown ? Array(elements.prefix(shown)) + [.string("…")] : elements
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count > shownText ? String(text.prefix(shownText)) + "…" : text
    }
}
