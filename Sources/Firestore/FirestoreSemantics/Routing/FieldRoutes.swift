// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The ids registered for conditions on one field.
struct FieldRoutes: Sendable {
    private let path: CompiledPath
    private var values: [EncodedValue: Set<Int>] = [:]
    private var elements: [EncodedValue: Set<Int>] = [:]
    private var ranges = RangeTable()

    init(_ path: FieldPathSegments) { self.path = CompiledPath(path) }

    var isEmpty: Bool { values.isEmpty && elements.isEmpty && ranges.count == 0 }

    mutating func insert(_ id: Int, _ condition: FieldCondition) {
        switch condition {
        case .key: break
        case .value(_, let value): values[value, default: []].insert(id)
        case .element(_, let element): elements[element, default: []].insert(id)
        case .range(_, let range): ranges.insert(range, id: id)
        }
    }

    mutating func remove(_ id: Int, _ condition: FieldCondition) {
        switch condition {
        case .key: break
        case .value(_, let value): values.remove(id, at: value)
        case .element(_, let element): elements.remove(id, at: element)
        case .range(_, let range): ranges.remove(range, id: id)
        }
    }

    /// The approximate number of ids that would be collected together with a new one under this condition.
    func popularity(of condition: FieldCondition) -> Int {
        switch condition {
        case .key: 0
        case .value(_, let value): values[value]?.count ?? 0
        case .element(_, let element): elements[element]?.count ?? 0
        case .range: 1 + ranges.count
        }
    }

    func collect(_ fields: FieldsView, into ids: inout Set<Int>) {
        guard let value = path.value(in: fields) else { return }
        if !values.isEmpty || ranges.count > 0 {
            let encoded = EncodedValue(value)
            if let found = values[encoded] { ids.formUnion(found) }
            ranges.forEach(containing: encoded) { ids.insert($0) }
        }
        if !elements.isEmpty, let array = value.elements {
            for element in array {
                if let found = elements[EncodedValue(element)] { ids.formUnion(found) }
            }
        }
    }
}

extension Dictionary where Value == Set<Int> {
    mutating func remove(_ id: Int, at key: Key) {
        self[key]?.remove(id)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
