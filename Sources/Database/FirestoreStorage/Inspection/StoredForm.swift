// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The state of the bytes in the column of a document's fields.
package enum StoredForm {
    case canonical
    /// Not in canonical form, but the values are unambiguous.
    case rewritable(FieldBytes)
    case damaged(String)

    /// `isCache`: server timestamps that are still pending are part of the form.
    package init(_ bytes: UnsafeRawBufferPointer?, of key: DocumentKey, isCache: Bool = false) {
        guard let bytes else {
            self = .damaged("they are not bytes")
            return
        }
        var fields = FieldBytes(canonical: ByteSlice(copying: bytes))
        if isCache { fields = fields.reading(pendingTimestampsAs: .null) }
        do throws(FirestoreError) {
            try DocumentCheck.check(fields, of: key)
            self = .canonical
        } catch {
            guard let rewritten = Self.rewritten(fields), (try? DocumentCheck.check(rewritten, of: key)) != nil else {
                self = .damaged(error.message)
                return
            }
            self = .rewritable(rewritten)
        }
    }

    private static func rewritten(_ fields: FieldBytes) -> FieldBytes? {
        guard let map = try? fields.map, let sorted = sorted(map) else { return nil }
        return FieldBytes(sorted)
    }

    /// nil if a name occurs twice, so that the intended value is unknown, or if a text was not valid UTF-8: reading replaces
    /// invalid bytes with U+FFFD.
    private static func sorted(_ map: FieldMap) -> FieldMap? {
        var entries: [(String, Value)] = []
        for (name, value) in map.entries {
            guard isCertain(name), let value = sorted(value) else { return nil }
            entries.append((name, value))
        }
        let sorted = FieldMap(entries)
        return sorted.entries.count == entries.count ? sorted : nil
    }

    private static func sorted(_ value: Value) -> Value? {
        switch value {
        case .string(let text), .reference(let text): return isCertain(text) ? value : nil
        case .map(let map): return sorted(map).map { .map($0) }
        case .array(let elements):
            var result: [Value] = []
            for element in elements {
                guard let element = sorted(element) else { return nil }
                result.append(element)
            }
            return .array(result)
        default: return value
        }
    }

    private static func isCertain(_ text: String) -> Bool { !text.unicodeScalars.contains("\u{FFFD}") }
}
