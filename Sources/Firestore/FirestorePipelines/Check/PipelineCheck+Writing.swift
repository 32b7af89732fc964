// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineCheck {
    mutating func modification(
        _ kind: PipelineStageKind, _ stage: PipelineStage, _ state: StageState
    ) throws(FirestoreError) -> Modification {
        guard state.depth == 0 else { throw .invalidArgument("\(stage.name) writes, and cannot be part of a pipeline in another one") }
        guard state.isLast else { throw .invalidArgument("\(stage.name.quoted) writes, and can only be the last stage") }
        switch kind {
        case .delete:
            try Self.count(stage, 0...0)
            return .delete
        case .update: return .update(try fieldsToWrite(stage, state))
        case .upsert: return .upsert(try fieldsToWrite(stage, state), try target(stage, state))
        default:
            try Self.count(stage, 0...0)
            return .insert(try target(stage, state))
        }
    }

    /// What is set beside the fields of the row; nil for nothing.
    private mutating func fieldsToWrite(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> RowShape? {
        try Self.count(stage, 0...1)
        guard let argument = stage.arguments.first else { return nil }
        let entries = try Self.fields(argument)
        return entries.isEmpty ? nil : try shape(of: entries, keepsRow: true, state)
    }

    private mutating func target(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> ModificationTarget {
        var target = ModificationTarget()
        if let option = stage.options["collection"] { target.collection = try collection(option) }
        if let option = stage.options["document_id"] {
            target.documentID = try expression(option, state.variables, depth: state.depth)
        }
        return target
    }
}
