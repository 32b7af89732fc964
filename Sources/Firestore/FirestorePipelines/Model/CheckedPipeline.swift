// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A pipeline whose names are resolved and whose form is valid.
package struct CheckedPipeline: Sendable {
    var source: CheckedSource
    var stages: [PlacedStage]
    /// How many variables the pipeline and all pipelines in it have.
    var slots: Int
    /// The name of the only field that its rows have, known from its last stages; nil if they may have others.
    var onlyField: ByteSlice?
    /// What the last stage does with the rows, for a pipeline that writes.
    var modification: Modification?
    /// Whether no other pipeline is in it.
    var isAlone = true
    /// What it has of everything that is counted, pipelines in it included.
    var counts = PipelineCounts()
    /// Everything that it may read, pipelines in it included.
    package var reads = PipelineScopes()

    package var writes: Bool { modification != nil }
}

/// The documents that a pipeline may read.
package struct PipelineScopes: Sendable {
    /// Each with a filter that all documents match which have an effect on the result.
    package private(set) var lists: Set<StructuredQuery> = []
    package private(set) var keys: Set<DocumentKey> = []
    /// The sources that find documents, with their places.
    private(set) var sources: [(place: String, pipeline: CheckedPipeline)] = []

    package var scopes: Set<QueryScope> { Set(lists.map(\.scope)) }

    /// Adds a source and the stages behind it.
    mutating func add(_ pipeline: CheckedPipeline, at place: String, in database: DatabaseID) {
        switch pipeline.source {
        case .scope(let scope, let condition): lists.insert(condition.list(of: scope, in: database))
        case .documents(let keys): self.keys.formUnion(keys)
        case .literals: return
        // Below which document is known for each row only.
        case .subcollection(let path, let condition):
            lists.insert(condition.list(of: .collectionGroup(id: CollectionPath(trusted: path).id, under: nil), in: database))
        }
        sources.append((place, pipeline))
    }
}

extension SourceCondition {
    /// The documents that the conditions may be true for, whatever the variables are.
    fileprivate func list(of scope: QueryScope, in database: DatabaseID) -> StructuredQuery {
        StructuredQuery(scope: scope, filter: ImpliedFilter(conditions, of: .everything, in: database).filter?.plannable)
    }
}

/// Where the rows of a pipeline come from.
enum CheckedSource: Sendable {
    case scope(QueryScope, SourceCondition)
    case documents([DocumentKey])
    /// Maps.
    case literals([Expression])
    /// The collection at a path below the document of the outer row.
    case subcollection(String, SourceCondition)
}

/// What the stages behind a source demand of its rows.
struct SourceCondition: Sendable {
    /// True for every row that counts. The stages check them, too.
    var conditions: [PipelineArgument] = []
    /// The slots of the variables that they may name.
    var variables: [String: Int]
    var use = RowUse.rows(seesOrder: true)
    /// Whether they are looked up in indexes.
    var usesIndexes = true
}

/// What the stages behind a source and its conditions make of the rows.
enum RowUse: Sendable {
    case rows(seesOrder: Bool)
    /// They are sorted by stored fields.
    case sorted([SortOrder])
    /// Only their number matters.
    case counted
    /// Only the first value of a field in an order matters, and null is none.
    case extreme(SortOrder)
}

/// A stage and its place in messages.
struct PlacedStage: Sendable {
    let stage: CheckedStage
    let place: String
}

/// A stage that turns rows into rows.
enum CheckedStage: Sendable {
    case filter(Expression)
    case shape(RowShape)
    case sort([SortKey])
    case offset(Int)
    case limit(Int)
    case sample(SampleSize)
    case bind([(slot: Int, value: Expression)])
    case aggregate(Grouping)
    case unnest(Unnesting)
    case union(CheckedPipeline)
    case replace(Expression, ReplacementMode)
    case nearest(NearestRows)
}

extension CheckedStage {
    /// Whether a failure of its expressions ends the request.
    var mayFail: Bool {
        switch self {
        case .filter, .sort, .offset, .limit, .sample, .union: false
        case .shape, .bind, .aggregate, .unnest, .replace, .nearest: true
        }
    }
}

/// A key of a sort.
struct SortKey: Sendable {
    let expression: Expression
    let isDescending: Bool
}

/// How many rows a sample has.
enum SampleSize: Sendable {
    case rows(Int)
    /// Each row on its own, with a probability from 0 to 1.
    case fraction(Double)
}

/// What a map does to the row that it replaces.
enum ReplacementMode: String, Sendable {
    case full = "full_replace"
    /// The map over the row.
    case overwriting = "merge_overwrite_existing"
    /// The row over the map.
    case keeping = "merge_keep_existing"
    case nesting = "merge_prefer_nest"
}

/// A row for every element of an array.
struct Unnesting: Sendable {
    let array: Expression
    let alias: ByteSlice
    let index: ByteSlice?
}

/// The rows whose vectors are nearest to another one.
struct NearestRows: Sendable {
    let field: Expression
    let vector: [Double]
    let measure: VectorSearch.Measure
    let limit: Int?
    /// Where the distance is written.
    let distance: RowShape?
    let distanceSlot: Int
}

/// Rows by group.
struct Grouping: Sendable {
    var keys: [(name: ByteSlice, value: Expression)]
    var accumulators: [(name: ByteSlice, function: AccumulatorFunction, argument: Expression?)]
    /// Whether there is one row even if there are none.
    var isTotal: Bool { keys.isEmpty && !isDistinct }
    /// Whether it is `distinct`, which has no accumulators.
    var isDistinct = false
}

/// What a pipeline writes.
enum Modification: Sendable {
    case update(RowShape?)
    case delete
    case insert(ModificationTarget)
    case upsert(RowShape?, ModificationTarget)
}

extension Modification {
    /// What it sets beside the fields of a row.
    var shape: RowShape? {
        switch self {
        case .update(let shape), .upsert(let shape, _): shape
        case .delete, .insert: nil
        }
    }

    var target: ModificationTarget? {
        switch self {
        case .insert(let target), .upsert(_, let target): target
        case .update, .delete: nil
        }
    }
}

/// The documents that rows are written to.
struct ModificationTarget: Sendable {
    var collection: CollectionPath?
    var documentID: Expression?
}
