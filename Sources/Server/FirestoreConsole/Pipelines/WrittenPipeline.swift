// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// A pipeline in a text that a person has typed or pasted, and where its stages are in it.
struct WrittenPipeline: Sendable {
    let request: ExecutePipelineRequest
    /// The text form: as it was typed, or of the body of a request one stage a line.
    let text: String
    private let places: [PipelineTextPlace]

    /// A fault of a stage as a mistake at its beginning; nil for a fault that names no stage.
    func mistake(_ fault: FirestoreError) -> PipelineTextMistake? {
        guard let location = fault.location, location.hasPrefix("stage "),
            let stage = Int(location.dropFirst("stage ".count).prefix { $0 != " " }), places.indices.contains(stage - 1)
        else { return nil }
        return PipelineTextMistake(stage: stage, place: places[stage - 1], reason: fault.description)
    }
}

extension WrittenPipeline {
    /// - Parameter typed: The text form, or the body of a request to REST.
    init(_ typed: String, of database: DatabaseID) throws(PipelineTextMistake) {
        guard typed.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
            var places: [PipelineTextPlace] = []
            let pipeline = try PipelineText.parse(typed, places: &places)
            self.init(request: ExecutePipelineRequest(database: database, pipeline: pipeline), text: typed, places: places)
            return
        }
        do throws(FirestoreError) {
            try self.init(body: try JSON(typed.utf8), of: database)
        } catch {
            throw PipelineTextMistake(stage: 1, place: PipelineTextPlace(line: 1, column: 1), reason: error.description)
        }
    }

    /// Of what is not in the text form only a read time is kept: transactions have ended.
    private init(body: JSON, of database: DatabaseID) throws(FirestoreError) {
        let sent = try ExecutePipelineRequest(body: body, of: database)
        var request = ExecutePipelineRequest(database: database, pipeline: sent.pipeline)
        if case .readTime = sent.consistency { request.consistency = sent.consistency }
        let stages = request.pipeline.stages
        self.init(
            request: request, text: PipelineText.print(stages),
            places: stages.indices.map { PipelineTextPlace(line: $0 + 1, column: 1) })
    }
}
