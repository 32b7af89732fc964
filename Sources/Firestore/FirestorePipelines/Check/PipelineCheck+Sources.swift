// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineCheck {
    mutating func source(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> CheckedSource {
        let kind = try Self.kind(of: stage)
        guard kind.isSource else {
            throw .invalidArgument(
                "the first stage of a pipeline is a source: collection, collection_group, database, documents or literals")
        }
        try Self.checkIndex(stage)
        switch kind {
        case .collection:
            try Self.count(stage, 1...1)
            return .scope(.collection(try collection(stage.arguments[0])))
        case .collectionGroup: return .scope(try collectionGroup(stage))
        case .database:
            try Self.count(stage, 0...0)
            return .scope(.kindless(under: nil, allDescendants: true))
        case .documents: return .documents(try documents(stage))
        case .literals:
            guard !stage.arguments.isEmpty else { throw .invalidArgument("literals has at least one row") }
            var rows: [Expression] = []
            for (index, argument) in stage.arguments.enumerated() {
                guard argument.entries != nil else {
                    throw .invalidArgument("row \(index + 1) is \(Self.wireKind(of: argument)); the rows of literals are maps")
                }
                rows.append(try expression(argument, state.variables, depth: state.depth))
            }
            return .literals(rows)
        default:
            guard state.depth > 0 else {
                throw .invalidArgument(
                    "subcollection begins pipelines in other pipelines only; it reads below the document of the outer row")
            }
            try Self.count(stage, 1...1)
            let path = try Self.string(stage.arguments[0], "the path of the collection")
            return .subcollection(try PathCheck.collectionPath(path).path)
        }
    }

    static func kind(of stage: PipelineStage) throws(FirestoreError) -> PipelineStageKind {
        if let kind = stage.kind { return kind }
        if stage.name == "search" || stage.name == "add_window_fields" {
            throw .invalidArgument("the stage \(stage.name) is not offered by this database")
        }
        throw .invalidArgument("there is no stage “\(stage.name)”")
    }

    private static func checkIndex(_ stage: PipelineStage) throws(FirestoreError) {
        guard let option = stage.options["force_index"] else { return }
        guard try string(option, "force_index") == "primary" else {
            throw .invalidArgument("Invalid index: force_index takes “primary”, which reads the documents without an index")
        }
    }

    private func collectionGroup(_ stage: PipelineStage) throws(FirestoreError) -> QueryScope {
        try Self.count(stage, 2...2)
        let parent = try Self.reference(stage.arguments[0])
        let id = try Self.string(stage.arguments[1], "the id of the collections")
        try PathCheck.collectionID(id)
        guard !PathCheck.isEmpty(parent) else { return .collectionGroup(id: id, under: nil) }
        return .collectionGroup(id: id, under: try PathCheck.documentKey(try path(parent)))
    }

    private func documents(_ stage: PipelineStage) throws(FirestoreError) -> [DocumentKey] {
        guard !stage.arguments.isEmpty else { throw .invalidArgument("documents takes at least one reference") }
        var keys: [DocumentKey] = []
        var seen: Set<DocumentKey> = []
        for argument in stage.arguments {
            let key = try PathCheck.documentKey(try path(try Self.reference(argument)))
            guard seen.insert(key).inserted else { throw .invalidArgument("the document occurs twice", at: key.path) }
            keys.append(key)
        }
        return keys
    }

    func collection(_ argument: PipelineArgument) throws(FirestoreError) -> CollectionPath {
        try PathCheck.collectionPath(try path(try Self.reference(argument)))
    }

    private static func reference(_ argument: PipelineArgument) throws(FirestoreError) -> String {
        guard case .constant(let bytes) = argument, case .reference(let name) = try bytes.value else {
            throw .invalidArgument("a reference such as /books is expected, not \(wireKind(of: argument))")
        }
        return name
    }

    /// The path in this database of a reference, which is a full name, or a path with or without a slash in front.
    private func path(_ reference: String) throws(FirestoreError) -> String {
        if reference.utf8.first == UInt8(ascii: "/") { return String(reference.dropFirst()) }
        guard reference.hasPrefix("projects/") else { return reference }
        guard reference.hasPrefix(database.documentsPrefix) else {
            throw .invalidArgument(
                "the reference is not in the database \(database.databaseID) of the project \(database.projectID)", at: reference)
        }
        return String(reference.dropFirst(database.documentsPrefix.count))
    }
}
