// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Orders written as text: `a desc, b` (QR-51).
enum OrderText {
    static func orders(_ text: String) throws(FirestoreError) -> [SortOrder] {
        guard text.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else { return [] }
        var orders: [SortOrder] = []
        let parts = parts(text)
        try Limit.orders.check(parts.count, at: "order_by")
        for part in parts { orders.append(try order(part)) }
        return orders
    }

    /// Splits at commas, except inside back-ticks.
    private static func parts(_ text: String) -> [Substring] {
        var parts: [Substring] = []
        var start = text.utf8.startIndex
        var index = start
        var isQuoted = false
        while index < text.utf8.endIndex {
            switch text.utf8[index] {
            case UInt8(ascii: "`"): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted:
                // The next character is literal.
                index = text.utf8.index(after: index)
                if index == text.utf8.endIndex { continue }
            case UInt8(ascii: ",") where !isQuoted:
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            default: break
            }
            index = text.utf8.index(after: index)
        }
        return parts + [text[start...]]
    }

    private static func order(_ part: Substring) throws(FirestoreError) -> SortOrder {
        let blank: (Character) -> Bool = { $0 == " " }
        let trimmed = String(part.drop(while: blank).reversed().drop(while: blank).reversed())
        for (suffix, direction) in [(" asc", SortOrder.Direction.ascending), (" desc", .descending)] {
            guard trimmed.lowercased().hasSuffix(suffix) else { continue }
            let path = trimmed.dropLast(suffix.count).reversed().drop(while: blank).reversed()
            return SortOrder(path: try PathCheck.fieldPath(wire: String(path)), direction: direction)
        }
        return SortOrder(path: try PathCheck.fieldPath(wire: trimmed))
    }
}
