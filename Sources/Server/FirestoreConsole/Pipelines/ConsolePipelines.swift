// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// Reads pipelines as people write them (`/console/api/pipeline`): answers with the request to send, or with what is wrong and where.
struct ConsolePipelines: Sendable {
    private let databases: DatabaseRegistry

    init(databases: DatabaseRegistry) { self.databases = databases }

    func answer(_ exchange: any HTTPExchange, _ context: RequestContext) async throws(HTTPRefusal) {
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let database = try ConsoleQuestion.database(exchange)
            let service = try await databases.openExisting(database)
            let written = try ConsoleQuestion.body(exchange).required("text").string()
            if written.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                return try await Self.answer(try WrittenPipeline(body: try JSON(written.utf8), of: database), service, context)
            }
            let pipeline: WrittenPipeline
            do throws(PipelineTextMistake) {
                pipeline = try WrittenPipeline(text: written, of: database)
            } catch {
                return Self.answer(error, in: written)
            }
            return try await Self.answer(pipeline, service, context)
        }
        exchange.respond(json: json.bytes())
    }

    private static func answer(
        _ pipeline: WrittenPipeline, _ service: any ServedDatabase, _ context: RequestContext
    ) async throws(FirestoreError) -> JSON {
        do throws(FirestoreError) {
            // A plan checks names and arguments, and reads nothing.
            _ = try await service.explain(pipeline.request.pipeline, analyze: false, options: .latest, context: context)
        } catch {
            guard error.code == .invalidArgument, let mistake = pipeline.mistake(error) else { throw error }
            return answer(mistake, in: pipeline.text)
        }
        return .object([
            ("text", .string(pipeline.text)), ("request", try pipeline.request.body),
            ("writes", .boolean(pipeline.request.pipeline.writes)),
        ])
    }

    private static func answer(_ mistake: PipelineTextMistake, in text: String) -> JSON {
        let members: [(name: String, value: JSON)] = [
            ("stage", .number(mistake.stage)), ("line", .number(mistake.place.line)), ("column", .number(mistake.place.column)),
            ("reason", .string(mistake.reason)),
        ]
        return .object([("text", .string(text)), ("mistake", .object(members))])
    }
}
