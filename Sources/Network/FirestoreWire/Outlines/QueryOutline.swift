// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The selection of a query, in words, read from its bytes.
struct QueryOutline {
    private(set) var collection = ""
    private(set) var isGroup = false
    /// ` where n >= … order by n desc limit 10`; empty without any.
    private(set) var conditions = ""
    private let showsValues: Bool

    private static let depth = 8
    private static let mostBytes = 400

    init(_ query: ByteSlice, showsValues: Bool) {
        self.showsValues = showsValues
        var orders: [String] = []
        var limit = ""
        RequestOutline.each(query) { field in
            guard let bytes = field.bytes else { return }
            switch field.number {
            case 2:
                collection = RequestOutline.text(2, of: bytes)
                RequestOutline.each(bytes) { if $0.number == 3 { $0.read(&isGroup) } }
            case 3: conditions = " where " + filter(bytes, depth: 0)
            case 4: orders.append(Self.order(bytes))
            case 5:
                var count: Int32 = 0
                RequestOutline.each(bytes) { if $0.number == 1 { $0.read(&count) } }
                limit = " limit \(count)"
            case 9: limit = " nearest" + limit
            default: break
            }
        }
        if !orders.isEmpty { conditions += " order by " + orders.joined(separator: ", ") }
        conditions += limit
        if conditions.utf8.count > Self.mostBytes { conditions = String(conditions.prefix(Self.mostBytes)) + "…" }
    }

    private static func order(_ order: ByteSlice) -> String {
        var direction: Int32 = 0
        RequestOutline.each(order) { if $0.number == 2 { $0.read(&direction) } }
        return path(order, 1) + (direction == 2 ? " desc" : "")
    }

    private static func path(_ message: ByteSlice, _ number: UInt32) -> String {
        RequestOutline.text(2, of: RequestOutline.last(number, of: message))
    }

    private func filter(_ filter: ByteSlice, depth: Int) -> String {
        guard depth < Self.depth else { return "…" }
        var text = "…"
        RequestOutline.each(filter) { field in
            guard let bytes = field.bytes else { return }
            switch field.number {
            case 1: text = composite(bytes, depth)
            case 2: text = comparison(bytes)
            case 3: text = test(bytes)
            default: break
            }
        }
        return text
    }

    private func composite(_ bytes: ByteSlice, _ depth: Int) -> String {
        var operation: Int32 = 0
        RequestOutline.each(bytes) { if $0.number == 1 { $0.read(&operation) } }
        let parts = RequestOutline.all(2, of: bytes).prefix(30).map { filter($0, depth: depth + 1) }
        let text = parts.joined(separator: operation == 2 ? " or " : " and ")
        return depth > 0 && parts.count > 1 ? "(\(text))" : text
    }

    private func comparison(_ bytes: ByteSlice) -> String {
        var operation: Int32 = 0
        RequestOutline.each(bytes) { if $0.number == 2 { $0.read(&operation) } }
        let words = ["?", "<", "<=", ">", ">=", "==", "!=", "array-contains", "in", "array-contains-any", "not-in"]
        let word = words.indices.contains(Int(operation)) ? words[Int(operation)] : "?"
        return "\(Self.path(bytes, 1)) \(word) \(showsValues ? Self.value(RequestOutline.last(3, of: bytes)) : "…")"
    }

    private func test(_ bytes: ByteSlice) -> String {
        var operation: Int32 = 0
        RequestOutline.each(bytes) { if $0.number == 1 { $0.read(&operation) } }
        let words: [Int32: String] = [2: "is NaN", 3: "is null", 4: "is not NaN", 5: "is not null"]
        return "\(Self.path(bytes, 2)) \(words[operation] ?? "?")"
    }

    /// The value alone, without its type.
    private static func value(_ bytes: ByteSlice) -> String {
        guard let json = try? JSONFromProtobuf.json(bytes, as: .value), case .object(let members) = json, let member = members.first
        else { return "…" }
        if case .string(let number) = member.value, member.name == "integerValue" { return number }
        return member.value.text()
    }
}
