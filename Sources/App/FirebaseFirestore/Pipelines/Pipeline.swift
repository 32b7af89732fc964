// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A query that consists of stages: a source of rows, and steps that filter, change, group, join and sort them.
///
/// ```swift
/// let pipeline = db.pipeline().collection("trails")
///     .where(Field("kilometers").lessThan(15) && Field("open").equal(true))
///     .aggregate([CountAll().as("trails"), Field("kilometers").average().as("average")], groups: [Field("region")])
///     .sort([Field("trails").descending()])
/// for row in try await pipeline.execute().results { print(row.data) }
/// ```
/// Pipelines are immutable: every method returns a new one. Building a pipeline reads nothing and never fails; mistakes are thrown when it
/// is executed. Names of stages and functions are checked where it is executed.
///
/// `@unchecked Sendable`, because there are subclasses: the stored properties are constants of `Sendable` types, and they add none.
public class Pipeline: @unchecked Sendable {
    /// nil for a pipeline that runs only inside another one.
    let firestore: Firestore?
    let content: PipelineContent

    init(firestore: Firestore?, content: PipelineContent) {
        self.firestore = firestore
        self.content = content
    }

    /// A copy with one more stage. `arguments` and `options` contain its faults.
    func adding(
        _ kind: PipelineStageKind, _ arguments: [ExpressionContent] = [], options: [(String, ExpressionContent?)] = []
    ) -> Pipeline {
        adding(kind.rawValue, arguments, options: options)
    }

    /// A copy with one more stage, given by its name. Options without a value are left out.
    func adding(_ name: String, _ arguments: [ExpressionContent], options: [(String, ExpressionContent?)] = []) -> Pipeline {
        var content = content
        content.append(name, arguments, options: options.compactMap { name, value in value.map { (name, $0) } })
        return Pipeline(firestore: firestore, content: content)
    }
}

/// The stages of a pipeline, and what is wrong with them.
struct PipelineContent: Sendable {
    private(set) var stages: [PipelineStage] = []
    /// Everything about the arguments of the stages except the arguments.
    private var parts: ExpressionParts

    /// `database` is nil for a pipeline that runs only inside another one.
    init(database: DatabaseID?) { parts = ExpressionParts(database: database) }

    var faults: PipelineFaults { parts.faults }

    mutating func append(_ name: String, _ arguments: [ExpressionContent], options: [(String, ExpressionContent)]) {
        let all = ExpressionParts(arguments + options.map(\.1))
        let named = zip(options.map(\.0), all.arguments[arguments.count...]).map { ($0, $1) }
        stages.append(
            PipelineStage(
                name, Array(all.arguments[..<arguments.count]), options: Dictionary(named, uniquingKeysWith: { $1 })))
        parts.add(all)
    }

    /// The pipeline as an argument of a stage or a function.
    var argument: ExpressionContent {
        ExpressionContent(.pipeline(stages), parts.faults, depth: parts.depth + 1, database: parts.database)
    }
}
