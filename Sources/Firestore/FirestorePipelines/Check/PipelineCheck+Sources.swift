// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineCheck {
    mutating func source(
        _ stage: PipelineStage, before rest: ArraySlice<PipelineStage>, _ state: StageState
    ) throws(FirestoreError) -> CheckedSource {
        let kind = try Self.kind(of: stage)
        guard kind.isSource else {
            throw .invalidArgument(
                "the first stage of a pipeline is a source: collection, collection_group, database, documents or literals")
        }
        try Self.checkIndex(stage)
        switch try PipelineSource(stage, in: database) {
        case .scope(let scope)?: return .scope(scope, Self.condition(of: stage, before: rest, state))
        case .documents(let keys)?: return .documents(keys)
        case .subcollection(let path)?:
            guard state.depth > 0 else {
                throw .invalidArgument(
                    "subcollection begins pipelines in other pipelines only; it reads below the document of the outer row")
            }
            // Below the row around it.
            inputs.areAll = false
            return .subcollection(path, Self.condition(of: stage, before: rest, state))
        case .literals?, nil: return .literals(try literals(stage, state))
        }
    }

    private mutating func literals(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> [Expression] {
        guard !stage.arguments.isEmpty else { throw .invalidArgument("literals has at least one row") }
        var rows: [Expression] = []
        for (index, argument) in stage.arguments.enumerated() {
            guard argument.entries != nil else {
                throw .invalidArgument("row \(index + 1) is \(Self.wireKind(of: argument)); the rows of literals are maps")
            }
            rows.append(try expression(argument, state.variables, depth: state.depth))
        }
        return rows
    }

    /// What the stages behind a source demand of its rows, and what they make of them.
    private static func condition(
        of source: PipelineStage, before rest: ArraySlice<PipelineStage>, _ state: StageState
    ) -> SourceCondition {
        var condition = SourceCondition(variables: state.variables)
        condition.usesIndexes = source.options["force_index"] == nil
        for stage in rest {
            if stage.kind == .where {
                condition.conditions += stage.arguments.prefix(1)
            } else if stage.kind != .sort {
                break
            }
        }
        condition.use = condition.usesIndexes ? RowUse(of: rest) : .rows(seesOrder: true)
        return condition
    }

    static func kind(of stage: PipelineStage) throws(FirestoreError) -> PipelineStageKind {
        if let kind = stage.kind { return kind }
        if stage.name == "search" || stage.name == "add_window_fields" {
            throw .invalidArgument("the stage \(stage.name.quoted) is not offered by this database")
        }
        throw .invalidArgument("there is no stage “\(stage.name.quoted)”")
    }

    private static func checkIndex(_ stage: PipelineStage) throws(FirestoreError) {
        guard let option = stage.options["force_index"] else { return }
        guard try string(option, "force_index") == "primary" else {
            throw .invalidArgument("Invalid index: force_index takes “primary”, which reads the documents without an index")
        }
    }

    func collection(_ argument: PipelineArgument) throws(FirestoreError) -> CollectionPath {
        guard case .scope(.collection(let path))? = try PipelineSource(PipelineStage(.collection, [argument]), in: database) else {
            throw .invalidArgument("a reference such as /books is expected, not \(Self.wireKind(of: argument))")
        }
        return path
    }
}
