// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The projection of a query (QR-43), as a tree of names.
///
/// It works on bytes: the selected parts are copied unchanged and remain sorted.
package struct Projection: Sendable {
    private struct Node: Sendable {
        var isWhole = false
        /// Sorted by the bytes of their names.
        var children: [(name: ByteSlice, node: Node)] = []

        init() {}

        /// - Parameter paths: Sorted, each with the names above the level that lead here.
        init(_ paths: ArraySlice<[ByteSlice]>, level: Int) {
            // A path sorts before everything inside it.
            isWhole = paths.first?.count == level
            var rest = isWhole ? [] : paths
            while let name = rest.first?[level] {
                let group = rest.prefix { $0[level] == name }
                children.append((name, Node(group, level: level + 1)))
                rest = rest.dropFirst(group.count)
            }
        }

        func child(_ name: UnsafeRawBufferPointer) -> Node? {
            var (low, high) = (0, children.count)
            while low < high {
                let middle = (low + high) / 2
                let order = children[middle].name.withUnsafeBytes { compareBytes($0, name) }
                if order == 0 { return children[middle].node }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return nil
        }
    }

    private let root: Node

    /// `__name__` is not a field: alone it selects no fields.
    package init(_ paths: [FieldPathSegments]) {
        let names = paths.filter { !$0.isDocumentID }.sorted().map { path in path.segments.map { ByteSlice(Array($0.utf8)) } }
        root = names.isEmpty ? Node() : Node(names[...], level: 0)
    }

    package func apply(to document: Document) -> Document {
        defer { withExtendedLifetime(document) {} }
        var bytes: [UInt8] = []
        Self.append(document.fields.view, root, tag: WireTag.documentEntry, to: &bytes)
        return document.replacingFields(FieldBytes(canonical: ByteSlice(bytes)))
    }

    private static func append(_ fields: FieldsView, _ node: Node, tag: UInt8, to bytes: inout [UInt8]) {
        for (name, value) in fields {
            guard let child = node.child(name) else { continue }
            if child.isWhole {
                bytes.appendEntry(tag: tag, name: name, value: value.buffer)
            } else if let inner = value.fields {
                var body: [UInt8] = []
                append(inner, child, tag: WireTag.mapEntry, to: &body)
                // A map without selected fields is omitted.
                guard !body.isEmpty else { continue }
                var map = [WireTag.map]
                map.appendLengthDelimited(body)
                bytes.appendEntry(tag: tag, name: name, value: map)
            }
        }
    }
}

extension Document {
    func replacingFields(_ fields: FieldBytes) -> Document {
        Document(key: key, createTime: createTime, updateTime: updateTime, fields: fields)
    }
}

extension FieldBytes {
    /// Returns the fields with one top-level field set, whatever its value.
    func setting(_ name: String, to value: ValueBytes) -> FieldBytes {
        let newName = ByteSlice(Array(name.utf8))
        defer { withExtendedLifetime((self, newName, value)) {} }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + newName.count + value.bytes.count + 16)
        var isSet = false
        for (name, stored) in view {
            let order = compareBytes(name, newName.buffer)
            if order >= 0, !isSet {
                result.appendEntry(tag: WireTag.documentEntry, name: newName.buffer, value: value.bytes.buffer)
                isSet = true
            }
            if order != 0 { result.appendEntry(tag: WireTag.documentEntry, name: name, value: stored.buffer) }
        }
        if !isSet { result.appendEntry(tag: WireTag.documentEntry, name: newName.buffer, value: value.bytes.buffer) }
        return FieldBytes(canonical: ByteSlice(result))
    }
}
