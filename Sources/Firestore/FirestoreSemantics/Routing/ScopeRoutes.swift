// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The ids registered for one scope, by their conditions on the documents.
struct ScopeRoutes: Sendable {
    /// All paths with the same first name.
    private struct Root: Sendable {
        let name: ByteSlice
        var fields: [FieldPathSegments: FieldRoutes] = [:]
    }

    /// The ids without a condition, which are collected for every document.
    private var others: Set<Int> = []
    /// In the order of the names' bytes.
    private var roots: [Root] = []
    /// Up to this number of names, looking up each one is cheaper than visiting all fields of a document.
    private static let fewRoots = 8

    var isEmpty: Bool { others.isEmpty && roots.isEmpty }

    func popularity(of condition: FieldCondition) -> Int {
        guard let path = condition.path else { return 0 }
        let (index, isThere) = place(of: path)
        return isThere ? roots[index].fields[path]?.popularity(of: condition) ?? 0 : 0
    }

    mutating func insert(_ id: Int, _ condition: FieldCondition?) {
        guard let condition, let path = condition.path else {
            others.insert(id)
            return
        }
        let (index, isThere) = place(of: path)
        if !isThere { roots.insert(Root(name: ByteSlice(Array(path.segments[0].utf8))), at: index) }
        roots[index].fields[path, default: FieldRoutes(path)].insert(id, condition)
    }

    mutating func remove(_ id: Int, _ condition: FieldCondition?) {
        guard let condition, let path = condition.path else {
            others.remove(id)
            return
        }
        let (index, isThere) = place(of: path)
        guard isThere else { return }
        roots[index].fields[path]?.remove(id, condition)
        if roots[index].fields[path]?.isEmpty == true { roots[index].fields[path] = nil }
        if roots[index].fields.isEmpty { roots.remove(at: index) }
    }

    func collect(_ fields: FieldsView, into ids: inout Set<Int>) {
        if !others.isEmpty { ids.formUnion(others) }
        if roots.count <= Self.fewRoots {
            for root in roots { collect(root, fields, into: &ids) }
        } else {
            for (name, _) in fields {
                let (index, isThere) = place(of: name)
                if isThere { collect(roots[index], fields, into: &ids) }
            }
        }
    }

    private func collect(_ root: Root, _ fields: FieldsView, into ids: inout Set<Int>) {
        for routes in root.fields.values { routes.collect(fields, into: &ids) }
    }

    private func place(of path: FieldPathSegments) -> (index: Int, isThere: Bool) {
        var name = path.segments[0]
        return name.withUTF8 { place(of: UnsafeRawBufferPointer($0)) }
    }

    private func place(of name: UnsafeRawBufferPointer) -> (index: Int, isThere: Bool) {
        var (low, high) = (0, roots.count)
        while low < high {
            let middle = (low + high) / 2
            let order = roots[middle].name.withUnsafeBytes { compareBytes($0, name) }
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }
}

extension FieldCondition {
    /// nil for a condition on the key.
    var path: FieldPathSegments? {
        switch self {
        case .key: nil
        case .value(let path, _), .element(let path, _), .range(let path, _): path
        }
    }
}
