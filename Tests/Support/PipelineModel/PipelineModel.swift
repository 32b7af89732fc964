// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What pipelines mean, written a second time, without indexes, bytes or a plan: every stage pulls its rows from the one before.
///
/// It knows the pipelines that `RandomPipelines` makes, and says nothing about malformed ones.
package struct PipelineModel {
    let database: DatabaseID
    /// By name, as they are read.
    private let documents: [Place]

    /// A document, and what sources ask of it.
    private struct Place {
        let path: String
        let parent: String
        let collectionID: String
        let fields: FieldMap

        init(_ path: String, _ fields: FieldMap) {
            let segments = path.split(separator: "/")
            (self.path, self.fields) = (path, fields)
            parent = segments.dropLast().joined(separator: "/")
            collectionID = String(segments[segments.count - 2])
        }
    }

    package init(database: DatabaseID, documents: [(path: String, fields: FieldMap)]) {
        self.database = database
        self.documents = documents.sorted { ModelOrder.paths($0.path, $1.path) < 0 }.map { Place($0.path, $0.fields) }
    }

    package func outcome(of pipeline: PipelineRequest) throws -> ModelOutcome {
        do {
            let rows = try stream(pipeline.stages, below: ModelRow())
            var texts: [String] = []
            while let row = try rows() { texts.append(ModelOutcome.text(path: row.path, hasTimes: row.hasTimes, row.fields)) }
            return .rows(texts)
        } catch is ModelFault {
            return .refused
        }
    }

    /// Gives one row for each call, and then nil.
    typealias Stream = () throws -> ModelRow?

    /// The rows of a pipeline. `outer` has the variables that it sees, and is the row that `subcollection` reads below.
    func stream(_ stages: [PipelineStage], below outer: ModelRow) throws -> Stream {
        var rows = Self.stream(of: try source(stages[0], below: outer))
        for (index, stage) in stages.enumerated().dropFirst() {
            // Of several sorts that follow one another the last one counts.
            if stage.kind == .sort, index + 1 < stages.count, stages[index + 1].kind == .sort { continue }
            rows = try self.stage(stage, rows, outer)
        }
        return rows
    }

    static func stream(of rows: [ModelRow]) -> Stream {
        var rest = rows[...]
        return { rest.popFirst() }
    }

    /// A stage that needs all rows before it has its first one.
    static func stream(after rows: @escaping Stream, _ body: @escaping ([ModelRow]) throws -> [ModelRow]) -> Stream {
        var result: Stream?
        return {
            if let result { return try result() }
            var all: [ModelRow] = []
            while let row = try rows() { all.append(row) }
            let first = stream(of: try body(all))
            result = first
            return try first()
        }
    }

    // MARK: Sources

    private func source(_ stage: PipelineStage, below outer: ModelRow) throws -> [ModelRow] {
        var texts: [String] = []
        for case .constant(let bytes) in stage.arguments {
            switch try bytes.value {
            case .reference(let name): texts.append(String(name.drop { $0 == "/" }))
            case .string(let text): texts.append(text)
            default: break
            }
        }
        switch stage.kind {
        case .collection: return rows(outer) { $0.parent == texts[0] }
        case .collectionGroup: return rows(outer) { $0.collectionID == texts[1] }
        case .database: return rows(outer) { _ in true }
        case .subcollection:
            guard let path = outer.path else { throw ModelFault() }
            return rows(outer) { $0.parent == path + "/" + texts[0] }
        case .documents: return texts.flatMap { text in rows(outer) { $0.path == text } }
        case .literals:
            return try stage.arguments.map { argument in
                let value = try value(argument, ModelRow(variables: outer.variables))
                return ModelRow(fields: value.orNull.plainMap ?? FieldMap(), variables: outer.variables)
            }
        default: throw ModelFault()
        }
    }

    private func rows(_ outer: ModelRow, where isWanted: (Place) -> Bool) -> [ModelRow] {
        documents.filter(isWanted).map { ModelRow(fields: $0.fields, path: $0.path, hasTimes: true, variables: outer.variables) }
    }
}
