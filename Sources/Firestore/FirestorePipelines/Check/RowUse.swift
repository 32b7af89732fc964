// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension RowUse {
    /// What stages make of the rows that a source passes to them.
    init(of stages: ArraySlice<PipelineStage>) {
        let behind = stages.drop { $0.kind == .where }
        // Only the last of several sorts counts.
        if let sort = behind.prefix(while: { $0.kind == .sort }).last {
            self = Self.orders(of: sort).map { .sorted($0) } ?? .rows(seesOrder: true)
        } else if let only = behind.first?.onlyAccumulator, let use = Self.use(of: only) {
            self = use
        } else {
            self = .rows(seesOrder: !stages.hidesOrder)
        }
    }

    /// The orders of a sort by stored fields, or by the name; nil for other ones.
    private static func orders(of sort: PipelineStage) -> [SortOrder]? {
        var orders: [SortOrder] = []
        var paths: Set<FieldPathSegments> = []
        for argument in sort.arguments {
            guard let entries = argument.entries, let path = entries.first(where: { $0.key == "expression" })?.value.storedField,
                paths.insert(path).inserted
            else { return nil }
            let isDescending = entries.contains { $0.key == "direction" && $0.value.text == "descending" }
            orders.append(SortOrder(path: path, direction: isDescending ? .descending : .ascending))
        }
        // Nothing is sorted behind the name.
        guard !orders.isEmpty, !orders.dropLast().contains(where: { $0.path.isDocumentID }) else { return nil }
        return orders
    }

    private static func use(of accumulator: PipelineFunction) -> RowUse? {
        switch AccumulatorFunction(rawValue: accumulator.name) {
        case .count where accumulator.arguments.isEmpty: return .counted
        case .minimum, .maximum:
            guard let path = accumulator.arguments.first?.storedField, !path.isDocumentID else { return nil }
            return .extreme(SortOrder(path: path, direction: accumulator.name == "minimum" ? .ascending : .descending))
        default: return nil
        }
    }
}

extension PipelineStage {
    /// The accumulator of an aggregation that has one only, and no groups.
    fileprivate var onlyAccumulator: PipelineFunction? {
        guard kind == .aggregate, let entries = arguments.first?.entries, entries.count == 1,
            arguments.dropFirst().allSatisfy({ $0.entries?.isEmpty ?? false }), case .function(let function) = entries[0].value
        else { return nil }
        return function
    }
}

extension PipelineArgument {
    /// The field of a document, or its name.
    fileprivate var storedField: FieldPathSegments? {
        guard case .field(let path) = self else { return nil }
        return path.isDocumentID || !path.segments[0].utf8.starts(with: "__".utf8) ? path : nil
    }

    fileprivate var text: String? {
        guard case .constant(let bytes) = self, case .string(let text)? = try? bytes.value else { return nil }
        return text
    }
}

extension ArraySlice<PipelineStage> {
    /// Whether what follows a source has one result whatever the order of the rows: groups without functions that depend on it.
    fileprivate var hidesOrder: Bool {
        for stage in self {
            switch stage.kind {
            case .where, .select, .addFields, .removeFields, .let, .unnest, .replaceWith: continue
            case .distinct: return true
            case .aggregate:
                let functions = stage.arguments.first?.entries ?? []
                return functions.allSatisfy { entry in
                    guard case .function(let function) = entry.value else { return false }
                    return AccumulatorFunction(rawValue: function.name)?.seesOrder == false
                }
            default: return false
            }
        }
        return false
    }
}
