// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// A pipeline in a text that a person has typed or pasted, and where its stages are in it.
struct WrittenPipeline: Sendable {
    let request: ExecutePipelineRequest
    /// The text form: as it was typed, or of the body of a request one stage a line.
    let text: String
    private let places: [PipelineTextPlace]

    init(text: String, of database: DatabaseID) throws(PipelineTextMistake) {
        var places: [PipelineTextPlace] = []
        request = ExecutePipelineRequest(database: database, pipeline: try PipelineText.parse(text, places: &places))
        self.text = text
        self.places = places
    }

    /// The body of a request to REST. Of what is not in the text form only a read time is kept: transactions have ended.
    init(body: JSON, of database: DatabaseID) throws(FirestoreError) {
        let sent = try ExecutePipelineRequest(body: body, of: database)
        var request = ExecutePipelineRequest(database: database, pipeline: sent.pipeline)
        if case .readTime = sent.consistency { request.consistency = sent.consistency }
        self.request = request
        text = PipelineText.print(request.pipeline.stages)
        places = request.pipeline.stages.indices.map { PipelineTextPlace(line: $0 + 1, column: 1) }
    }

    /// A fault of a stage as a mistake at its beginning; nil for a fault that names no stage.
    func mistake(_ fault: FirestoreError) -> PipelineTextMistake? {
        guard let location = fault.location, location.hasPrefix("stage "),
            let stage = Int(location.dropFirst("stage ".count).prefix { $0 != " " }), places.indices.contains(stage - 1)
        else { return nil }
        return PipelineTextMistake(stage: stage, place: places[stage - 1], reason: fault.description)
    }
}
