// SPDX-License-Identifier: Apache-2.0

/// What the first stage of a pipeline reads.
package enum PipelineSource: Sendable, Hashable {
    case scope(QueryScope)
    /// Documents by name, each once, in the order of the stage.
    case documents([DocumentKey])
    /// Rows that the pipeline itself contains.
    case literals
    /// The documents at a path below the row of the pipeline around it. The path has an odd number of segments.
    case subcollection(String)

    /// The source that a stage names; nil for a stage that is no source. Names of another database are invalid arguments.
    package init?(_ stage: PipelineStage, in database: DatabaseID) throws(FirestoreError) {
        switch stage.kind {
        case .collection:
            let path = try Self.path(try Self.reference(stage, 0), in: database)
            self = .scope(.collection(try PathCheck.collectionPath(path)))
        case .collectionGroup:
            try Self.check(stage, has: 2)
            let under = try Self.path(try Self.reference(stage, 0), in: database)
            guard case .string(let id)? = Self.constant(stage.arguments[1]) else {
                throw .invalidArgument("the second argument of collection_group is the id of the collections, a string")
            }
            try PathCheck.collectionID(id)
            self = .scope(.collectionGroup(id: id, under: PathCheck.isEmpty(under) ? nil : try PathCheck.documentKey(under)))
        case .database:
            try Self.check(stage, has: 0)
            self = .scope(.kindless(under: nil, allDescendants: true))
        case .documents: self = .documents(try Self.documents(stage, in: database))
        case .literals: self = .literals
        case .subcollection:
            try Self.check(stage, has: 1)
            guard case .string(let path)? = Self.constant(stage.arguments[0]) else {
                throw .invalidArgument("the argument of subcollection is a path relative to the document, a string")
            }
            self = .subcollection(try PathCheck.collectionPath(path).path)
        default: return nil
        }
    }

    private static func documents(_ stage: PipelineStage, in database: DatabaseID) throws(FirestoreError) -> [DocumentKey] {
        guard !stage.arguments.isEmpty else { throw .invalidArgument("documents needs at least one document") }
        var keys: [DocumentKey] = []
        var known: Set<DocumentKey> = []
        for index in stage.arguments.indices {
            let key = try PathCheck.documentKey(try path(try reference(stage, index), in: database))
            guard known.insert(key).inserted else { throw .invalidArgument("documents names the document twice", at: key.path) }
            keys.append(key)
        }
        return keys
    }

    private static func check(_ stage: PipelineStage, has count: Int) throws(FirestoreError) {
        guard stage.arguments.count == count else {
            throw .invalidArgument("\(stage.name.quoted) has \(stage.arguments.count) arguments; \(count) are expected")
        }
    }

    private static func reference(_ stage: PipelineStage, _ index: Int) throws(FirestoreError) -> String {
        if stage.kind == .collection { try check(stage, has: 1) }
        guard stage.arguments.indices.contains(index), case .reference(let name)? = constant(stage.arguments[index]) else {
            throw .invalidArgument("argument \(index + 1) of \(stage.name.quoted) is a reference, such as /books")
        }
        return name
    }

    private static func constant(_ argument: PipelineArgument) -> Value? {
        guard case .constant(let bytes) = argument else { return nil }
        return try? bytes.value
    }

    /// The path inside the database. Clients send `/books`; the full name is accepted, too.
    private static func path(_ name: String, in database: DatabaseID) throws(FirestoreError) -> String {
        let segments = name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 5, omittingEmptySubsequences: false)
        guard segments.count > 4, segments[0].elementsEqual("projects".utf8), segments[2].elementsEqual("databases".utf8),
            segments[4].elementsEqual("documents".utf8)
        else { return name }
        guard segments[1].elementsEqual(database.projectID.utf8), segments[3].elementsEqual(database.databaseID.utf8) else {
            throw .invalidArgument("a source names another database; send each its own request", at: name)
        }
        return segments.count > 5 ? String(Substring(segments[5])) : ""
    }
}
