// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Gives the names of a pipeline their meaning, and finds everything that is wrong with it before anything is read.
///
/// Errors are `invalidArgument` and name the stage by its number and its name.
package struct PipelineCheck {
    let database: DatabaseID
    /// How many variables all pipelines have so far.
    var slots = 0
    /// How many pipelines there are, one in another.
    private(set) var pipelines = 0
    /// What the value of the pipeline that is being checked depends on.
    var inputs = SubpipelineInputs()
    private var reads = PipelineScopes()
    /// How deep the expression is that is being checked, in others.
    var nesting = 0
    /// The bytes of the constants that were computed.
    var folded = 0
    /// The stages that are being checked: that of the outermost pipeline, and those in it.
    private var places: [String] = []

    package static func check(_ request: PipelineRequest, database: DatabaseID) throws(FirestoreError) -> CheckedPipeline {
        // Pipelines of this process come as they were built.
        let counts = try PipelineCounts.check(request)
        return try PipelineStack.run(if: counts.isDeep) { () throws(FirestoreError) in try check(request, counts, database) }
    }

    private static func check(
        _ request: PipelineRequest, _ counts: PipelineCounts, _ database: DatabaseID
    ) throws(FirestoreError) -> CheckedPipeline {
        var check = PipelineCheck(database: database)
        var pipeline = try check.pipeline(request.stages, [:], depth: 0)
        pipeline.slots = check.slots
        pipeline.isAlone = check.pipelines == 1
        pipeline.reads = check.reads
        pipeline.counts = counts
        return pipeline
    }

    /// The place of a stage in messages.
    static func place(_ index: Int, _ stage: PipelineStage) -> String { "stage \(index + 1) (\(stage.name.quoted))" }

    /// Checks the stages of a pipeline; at a depth of more than 0 of one in another one.
    mutating func pipeline(
        _ stages: [PipelineStage], _ outer: Variables, depth: Int
    ) throws(FirestoreError) -> CheckedPipeline {
        pipelines += 1
        guard depth <= PipelineLimits.pipelineDepth else {
            throw .invalidArgument("pipelines nest more than \(PipelineLimits.pipelineDepth) levels deep")
        }
        guard let first = stages.first else {
            throw .invalidArgument("the pipeline has no stages; its first stage is a source such as collection")
        }
        var state = StageState(outer: outer, variables: outer, depth: depth, isLast: stages.count == 1)
        var pipeline = try placed(0, first) { (check) throws(FirestoreError) in
            CheckedPipeline(source: try check.source(first, before: stages.dropFirst(), state), stages: [], slots: 0)
        }
        for (index, stage) in stages.enumerated().dropFirst() {
            state.isLast = index == stages.count - 1
            try placed(index, stage) { (check) throws(FirestoreError) in try check.stage(stage, &state, &pipeline) }
        }
        pipeline.onlyField = state.onlyField
        reads.add(pipeline, at: (places + [Self.place(0, first)]).joined(separator: ", "), in: database)
        return pipeline
    }

    /// The place of the stage that is being checked.
    var place: String { places.joined(separator: ", ") }

    private mutating func placed<R>(
        _ index: Int, _ stage: PipelineStage, _ body: (inout PipelineCheck) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        places.append(Self.place(index, stage))
        defer { places.removeLast() }
        do throws(FirestoreError) {
            return try body(&self)
        } catch {
            throw error.placed(place)
        }
    }

    /// What is known at a stage.
    struct StageState {
        /// Those of outer pipelines: rows of groups have no others.
        let outer: Variables
        var variables: Variables
        let depth: Int
        var isLast: Bool
        /// The only field of the rows; nil if they may have others.
        var onlyField: ByteSlice?
    }

    /// The slots of the variables that an expression sees, by name.
    typealias Variables = [String: Int]

    mutating func newSlot() -> Int {
        defer { slots += 1 }
        return slots
    }
}

extension FirestoreError {
    /// The error with the stage in front of the location, unless it names a stage already.
    func placed(_ place: String) -> FirestoreError {
        if let location, location.hasPrefix("stage ") { return self }
        var placed = self
        placed.location = place + (location.map { ", \($0)" } ?? "")
        return placed
    }
}
