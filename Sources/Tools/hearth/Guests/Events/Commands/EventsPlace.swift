// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreRPC
import FirestoreRemote
import FirestoreStorage
import Foundation
import HearthBase

/// Where commands find the events that were given up: in a file, or at a server.
enum EventsPlace {
    enum Action {
        case get, retry, drop

        var method: String {
            switch self {
            case .get: "GET"
            case .retry: "POST"
            case .drop: "DELETE"
            }
        }
    }

    /// - Parameter id: nil for all events.
    static func run(
        _ action: Action, _ id: String?, at options: PlaceOptions,
        _ body: @escaping @Sendable (JSON, StandardOutput) throws -> Void
    ) async throws {
        let environment = CommandEnvironment.current
        let place = try Place(options, environment: environment)
        let output = StandardOutput()
        do {
            if case .server = place.kind {
                try await Interruption.watch {
                    let place = try await place.withProject(writes: action != .get)
                    try body(try await remote(action, id, place, timeout: options.timeout ?? 60), output)
                }
            } else {
                try await options.run(.change, environment: environment) { open in
                    try body(try await local(action, id, open), output)
                }
            }
        } catch let error as FirestoreError where error.code == .notFound && id != nil && error.location == nil {
            StandardError.say("hearth events: \(error.message)")
            throw Outcome.findings
        }
        try output.flush()
    }

    private static func local(_ action: Action, _ id: String?, _ open: OpenPlace) async throws(FirestoreError) -> JSON {
        guard let database = open.service.followed as? any LoggedDatabase else {
            throw FirestoreError(.unimplemented, "Cloud Firestore sends such events to a topic of Pub/Sub, if there is one", at: open.name)
        }
        let administration = EventAdministration(DeadLetterStore(database, of: open.database), of: open.database)
        switch action {
        case .get: return try await administration.show(id)
        case .retry: return try await administration.retry(id)
        case .drop: return try await administration.drop(id)
        }
    }

    private static func remote(_ action: Action, _ id: String?, _ place: Place, timeout: Double) async throws(FirestoreError) -> JSON {
        guard let (server, token) = try place.endpoint() else { throw FirestoreError(.internal, "events of no server") }
        let location = "\(server.host):\(server.port)"
        if !server.keepsSecrets, place.tokenFile != nil {
            throw .invalidArgument("a token would be sent unencrypted; use --tls", at: server.host)
        }
        let (project, database) = (place.projectID ?? DatabaseID.fallbackProject, place.databaseName)
        var target = "/hearth/v1/projects/\(PercentEncoding.encode(project))/databases/\(PercentEncoding.encode(database))/events"
        if let id { target += "/" + PercentEncoding.encode(id) }
        if action == .retry { target += ":retry" }
        var question = HTTPQuestion(
            usesTLS: server.usesTLS, host: server.host, port: server.port, target: target,
            header: ("Authorization", "Bearer \(token ?? "")"))
        question.trustFile = server.trustFile
        question.method = action.method
        if action == .retry { question.bytes = [] }
        // Ten thousand events, without their documents.
        question.maximumBytes = 64 << 20
        let answer: HTTPAnswer
        do throws(HTTPFetchError) {
            answer = try await HTTPFetch.run(question, patience: .seconds(timeout))
        } catch {
            throw FirestoreError(.unavailable, "the server does not answer: \(error)", at: location)
        }
        let json = try? JSON(answer.body)
        guard answer.status == 200, let json else { throw refusal(answer, json, at: location) }
        return json
    }

    private static func refusal(_ answer: HTTPAnswer, _ json: JSON?, at location: String) -> FirestoreError {
        guard case .string(let message)? = json?["error"]?["message"] else {
            return FirestoreError(.unavailable, "the server answers with the status \(answer.status)", at: location)
        }
        // A server hides the path from callers that are not administrators.
        if answer.status == 404, answer.header(RefusalReason.header) == RefusalReason.noSuchPath {
            return FirestoreError(
                .permissionDenied,
                "the server shows events to administrators only; name a file with an administrator key with --token-file", at: location)
        }
        return answer.status == 404 ? FirestoreError(.notFound, message) : FirestoreError(.failedPrecondition, message, at: location)
    }
}
