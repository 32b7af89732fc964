// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// Reads pipelines as people write them (`/console/api/pipeline`): answers with the requests to send, or with what is wrong and where.
struct ConsolePipelines: Sendable {
    private let databases: DatabaseRegistry

    init(databases: DatabaseRegistry) { self.databases = databases }

    func answer(_ exchange: any HTTPExchange, _ context: RequestContext) async throws(HTTPRefusal) {
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let database = try ConsoleQuestion.database(exchange)
            let service = try await databases.openExisting(database)
            return try await Self.answer(try Question(try ConsoleQuestion.body(exchange)), of: database, service, context)
        }
        exchange.respond(json: json.bytes())
    }

    /// What a page asks.
    private struct Question: Sendable {
        let text: String
        /// The number of rows that the page shows.
        let limit: Int64?
        let explains: Bool

        init(_ body: JSONNode) throws(FirestoreError) {
            text = try body.required("text").string()
            limit = try body.optional("limit")?.integer()
            explains = try body.optional("explain")?.boolean() ?? false
        }
    }

    private static func answer(
        _ question: Question, of database: DatabaseID, _ service: any JudgedService, _ context: RequestContext
    ) async throws(FirestoreError) -> JSON {
        let written: WrittenPipeline
        do throws(PipelineTextMistake) {
            written = try WrittenPipeline(question.text, of: database)
        } catch {
            return answer(error, in: question.text)
        }
        do throws(FirestoreError) {
            // A plan checks names and arguments, and runs nothing.
            _ = try await service.explain(written.request.pipeline, analyze: false, options: .latest, context: context)
        } catch {
            guard error.code == .invalidArgument, let mistake = written.mistake(error) else { throw error }
            return answer(mistake, in: written.text)
        }
        var members = [("text", JSON.string(written.text)), ("request", try request(written.request, question).body)]
        if let stage = written.request.pipeline.stages.last, stage.kind?.writes == true {
            members += [("writes", .string(stage.name)), ("count", try counting(written.request).body)]
        }
        return .object(members.map { (name: $0.0, value: $0.1) })
    }

    /// With no more rows than the page shows.
    private static func request(_ written: ExecutePipelineRequest, _ question: Question) -> ExecutePipelineRequest {
        var request = written
        if question.explains { request.explain = .analyze }
        if let limit = question.limit, !written.pipeline.writes, !(written.pipeline.ownLimit.map { $0 <= limit } ?? false) {
            request.pipeline.stages.append(PipelineStage(.limit, [.value(.integer(limit))]))
        }
        return request
    }

    /// How many rows there are for the last stage, as `n`.
    private static func counting(_ written: ExecutePipelineRequest) throws(FirestoreError) -> ExecutePipelineRequest {
        var request = written
        let count = PipelineStage(.aggregate, [try .entries([("n", .call("count"))]), try .entries([])])
        request.pipeline.stages = written.pipeline.stages.dropLast() + [count]
        return request
    }

    private static func answer(_ mistake: PipelineTextMistake, in text: String) -> JSON {
        let members: [(name: String, value: JSON)] = [
            ("stage", .number(mistake.stage)), ("line", .number(mistake.place.line)),
            ("column", .number(mistake.place.utf16Column(in: text))), ("reason", .string(mistake.reason)),
        ]
        return .object([("text", .string(text)), ("mistake", .object(members))])
    }
}

extension PipelineRequest {
    /// The number of rows that its last stage lets pass, if that is a limit.
    fileprivate var ownLimit: Int64? {
        guard let last = stages.last, last.kind == .limit, case .constant(let bytes)? = last.arguments.first else { return nil }
        return bytes.view.integer
    }
}

extension PipelineTextPlace {
    /// The column as pages count, which is in UTF-16 code units.
    fileprivate func utf16Column(in text: String) -> Int {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return column }
        return Substring(lines[line - 1]).prefix(column - 1).utf16.count + 1
    }
}
