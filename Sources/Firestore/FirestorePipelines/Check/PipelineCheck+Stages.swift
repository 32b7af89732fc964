// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineCheck {
    mutating func stage(_ stage: PipelineStage, _ state: inout StageState, _ pipeline: inout CheckedPipeline) throws(FirestoreError) {
        let kind = try Self.kind(of: stage)
        guard !kind.isSource else { throw .invalidArgument("\(stage.name.quoted) is a source; it can only be the first stage") }
        guard !kind.writes else { return pipeline.modification = try modification(kind, stage, state) }
        switch kind {
        case .select, .addFields, .removeFields:
            let shape = try shape(kind, stage, state)
            add(.shape(shape), to: &pipeline)
            state.onlyField = shape.onlyField
        case .distinct, .aggregate:
            let grouping = kind == .distinct ? try distinct(stage, state) : try aggregate(stage, state)
            add(.aggregate(grouping), to: &pipeline)
            state.onlyField = grouping.onlyField
            // A group comes from many rows, and no variable belongs to it.
            state.variables = state.outer
        case .let: add(.bind(try bindings(stage, &state)), to: &pipeline)
        case .sort:
            // Only the last of several sorts counts.
            if case .sort? = pipeline.stages.last?.stage { pipeline.stages.removeLast() }
            add(.sort(try sortKeys(stage, state)), to: &pipeline)
        case .where, .limit, .offset, .sample: add(try window(kind, stage, state), to: &pipeline)
        default:
            add(try change(kind, stage, state), to: &pipeline)
            state.onlyField = nil
        }
    }

    private func add(_ stage: CheckedStage, to pipeline: inout CheckedPipeline) {
        pipeline.stages.append(PlacedStage(stage: stage, place: place))
    }

    /// A stage that passes some of its rows.
    private mutating func window(
        _ kind: PipelineStageKind, _ stage: PipelineStage, _ state: StageState
    ) throws(FirestoreError) -> CheckedStage {
        switch kind {
        case .where:
            try Self.count(stage, 1...1)
            return .filter(try expression(stage.arguments[0], state.variables, depth: state.depth))
        case .limit:
            try Self.count(stage, 1...1)
            return .limit(try Self.count(stage.arguments[0], "the limit"))
        case .offset:
            try Self.count(stage, 1...1)
            return .offset(try Self.count(stage.arguments[0], "the offset"))
        default:
            inputs.areAll = false
            return .sample(try sample(stage))
        }
    }

    /// A stage that changes what its rows are.
    private mutating func change(
        _ kind: PipelineStageKind, _ stage: PipelineStage, _ state: StageState
    ) throws(FirestoreError) -> CheckedStage {
        switch kind {
        case .unnest:
            try Self.count(stage, 2...2)
            return .unnest(
                Unnesting(
                    array: try expression(stage.arguments[0], state.variables, depth: state.depth),
                    alias: try Self.name(try Self.field(stage.arguments[1], "the alias")),
                    index: try stage.options["index_field"].map { option throws(FirestoreError) in
                        try Self.name(try Self.field(option, "index_field"))
                    }))
        case .union:
            try Self.count(stage, 1...1)
            guard case .pipeline(let stages) = stage.arguments[0] else {
                throw .invalidArgument("union takes a pipeline, not \(Self.wireKind(of: stage.arguments[0]))")
            }
            if let first = stages.first, case .subcollection? = try? PipelineSource(first, in: database) {
                throw .invalidArgument(
                    "subcollection is allowed only as the start of a nested pipeline, in array or scalar, not as that of a union")
            }
            return .union(try self.pipeline(stages, state.variables, depth: state.depth + 1))
        case .replaceWith:
            try Self.count(stage, 1...2)
            let name = stage.arguments.count == 2 ? try Self.string(stage.arguments[1], "the mode") : ReplacementMode.full.rawValue
            guard let mode = ReplacementMode(rawValue: name) else {
                throw .invalidArgument("there is no mode “\(name.quoted)” of replace_with")
            }
            return .replace(try expression(stage.arguments[0], state.variables, depth: state.depth), mode)
        default: return .nearest(try nearest(stage, state))
        }
    }

    private mutating func shape(
        _ kind: PipelineStageKind, _ stage: PipelineStage, _ state: StageState
    ) throws(FirestoreError) -> RowShape {
        guard kind != .removeFields else {
            guard !stage.arguments.isEmpty else { throw .invalidArgument("remove_fields takes at least one field") }
            var shape = RowShape(keepsRow: true)
            for argument in stage.arguments {
                let path = try Self.field(argument, "an argument of remove_fields")
                // What lies below a field that is removed is removed, too.
                _ = shape.set(path, to: nil)
            }
            return shape
        }
        try Self.count(stage, 1...1)
        let entries = try Self.fields(stage.arguments[0])
        guard !entries.isEmpty else { throw .invalidArgument("\(stage.name.quoted) takes at least one field") }
        return try shape(of: entries, keepsRow: kind == .addFields, state)
    }

    mutating func shape(of entries: [PipelineEntry], keepsRow: Bool, _ state: StageState) throws(FirestoreError) -> RowShape {
        var shape = RowShape(keepsRow: keepsRow)
        for entry in entries {
            let path = try Self.alias(entry.key)
            guard shape.set(path, to: try expression(entry.value, state.variables, depth: state.depth)) else {
                throw .invalidArgument("the alias “\(path.quoted)” and another one of this stage are at the same place")
            }
        }
        return shape
    }

    private mutating func sortKeys(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> [SortKey] {
        guard !stage.arguments.isEmpty else { throw .invalidArgument("sort takes at least one order") }
        var keys: [SortKey] = []
        for argument in stage.arguments {
            let entries = try Self.fields(argument, "order")
            guard let value = entries.first(where: { $0.key == "expression" })?.value else {
                throw .invalidArgument("an order has no expression")
            }
            let direction = try entries.first { $0.key == "direction" }.map { entry throws(FirestoreError) in
                try Self.string(entry.value, "the direction of an order")
            }
            guard direction == nil || direction == "ascending" || direction == "descending" else {
                throw .invalidArgument("the direction of an order is “ascending” or “descending”")
            }
            let key = try expression(value, state.variables, depth: state.depth)
            keys.append(SortKey(expression: key, isDescending: direction == "descending"))
        }
        return keys
    }

    private func sample(_ stage: PipelineStage) throws(FirestoreError) -> SampleSize {
        try Self.count(stage, 2...2)
        switch try Self.string(stage.arguments[1], "how sample counts") {
        case "documents": return .rows(try Self.count(stage.arguments[0], "the number of rows of a sample"))
        case "percent":
            guard case .constant(let bytes) = stage.arguments[0], let number = EvaluatedValue(bytes.bytes).number,
                (0...1).contains(number.asDouble)
            else { throw .invalidArgument("the part of a sample is a number from 0.0 to 1.0") }
            return .fraction(number.asDouble)
        default: throw .invalidArgument("sample counts “documents” or “percent”")
        }
    }

    private mutating func bindings(
        _ stage: PipelineStage, _ state: inout StageState
    ) throws(FirestoreError) -> [(slot: Int, value: Expression)] {
        try Self.count(stage, 1...1)
        let entries = try Self.fields(stage.arguments[0], "variables")
        guard !entries.isEmpty else { throw .invalidArgument("let binds at least one variable") }
        var bindings: [(slot: Int, value: Expression)] = []
        var variables = state.variables
        for entry in entries {
            let slot = newSlot()
            bindings.append((slot, try expression(entry.value, state.variables, depth: state.depth)))
            variables[entry.key] = slot
        }
        state.variables = variables
        return bindings
    }

    private mutating func nearest(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> NearestRows {
        try Self.count(stage, 3...3)
        let field = try expression(.field(try Self.field(stage.arguments[0], "the field")), state.variables, depth: state.depth)
        let measureName = try Self.string(stage.arguments[2], "the distance measure")
        guard let measure = NearestRows.measures[measureName] else {
            throw .invalidArgument("the distance measure is “euclidean”, “cosine” or “dot_product”, not “\(measureName.quoted)”")
        }
        let slot = newSlot()
        let distance = try stage.options["distance_field"].map { option throws(FirestoreError) in
            var shape = RowShape(keepsRow: true)
            _ = shape.set(try Self.alias(try Self.field(option, "distance_field").canonical), to: .variable(slot: slot))
            return shape
        }
        let limit = try stage.options["limit"].map { option throws(FirestoreError) in try Self.count(option, "the limit") }
        return NearestRows(
            field: field, vector: try Self.vector(stage.arguments[1]), measure: measure, limit: limit, distance: distance,
            distanceSlot: slot)
    }

    private static func vector(_ argument: PipelineArgument) throws(FirestoreError) -> [Double] {
        guard case .constant(let bytes) = argument, let components = EvaluatedValue(bytes.bytes).components, !components.isEmpty else {
            throw .invalidArgument("the vector of find_nearest is a vector value")
        }
        guard components.count <= Limits.vectorDimensions else {
            throw .invalidArgument("the vector has \(components.count) dimensions; \(Limits.vectorDimensions) are the most")
        }
        return components
    }
}

extension NearestRows {
    static let measures: [String: VectorSearch.Measure] = ["euclidean": .euclidean, "cosine": .cosine, "dot_product": .dotProduct]
}

extension EvaluatedValue {
    /// The components of a vector, or of an array of numbers; nil for any other value.
    var components: [Double]? {
        guard let elements = vector ?? elements else { return nil }
        var components: [Double] = []
        for element in elements {
            guard let number = part(element).number else { return nil }
            components.append(number.asDouble)
        }
        return components
    }
}
