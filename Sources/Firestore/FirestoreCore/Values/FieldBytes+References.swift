// SPDX-License-Identifier: Apache-2.0

extension FieldBytes {
    /// The fields with the references into one database as references into another; nil if there are none. References into other databases
    /// stay as they are.
    package func movingReferences(from old: DatabaseID, to new: DatabaseID) throws(FirestoreError) -> FieldBytes? {
        let prefix = old.documentsPrefix
        // Most documents have none, and are not read as values.
        guard bytes.withUnsafeBytes({ $0.contains(Array(prefix.utf8)) }) else { return nil }
        let moved = FieldBytes(try FieldMap(view).movingReferences(prefix, new.documentsPrefix))
        return moved == self ? nil : moved
    }
}

extension FieldMap {
    fileprivate func movingReferences(_ old: String, _ new: String) -> FieldMap {
        FieldMap(entries.map { ($0.name, $0.value.movingReferences(old, new)) })
    }
}

extension Value {
    fileprivate func movingReferences(_ old: String, _ new: String) -> Value {
        switch self {
        case .reference(let name) where name.utf8.starts(with: old.utf8): .reference(new + name.utf8.dropFirst(old.utf8.count).text)
        case .array(let elements): .array(elements.map { $0.movingReferences(old, new) })
        case .map(let fields): .map(fields.movingReferences(old, new))
        default: self
        }
    }
}

extension Substring.UTF8View {
    fileprivate var text: String { String(Substring(self)) }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ pattern: [UInt8]) -> Bool {
        guard let first = pattern.first, count >= pattern.count else { return false }
        var rest = self[...(count - pattern.count)]
        while let start = rest.firstIndex(of: first) {
            if UnsafeRawBufferPointer(rebasing: self[start..<(start + pattern.count)]).elementsEqual(pattern) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }
}
