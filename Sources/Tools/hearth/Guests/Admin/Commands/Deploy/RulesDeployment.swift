// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreRules
import FirestoreServer
import HearthBase

/// Gives rules to a running server. They hold until it stops, or reads its own file of rules again.
struct RulesDeployment {
    let endpoint: RemoteEndpoint
    let token: String?

    func run(_ rules: RuleSet, for database: DatabaseID) async throws(FirestoreError) {
        let file = JSON.object([
            ("name", .string("firestore.rules")), ("content", .string(String(decoding: rules.source.text, as: UTF8.self))),
        ])
        let body = JSON.object([("rules", .object([("files", .array([file]))]))])
        let project = PercentEncoding.encode(database.projectID)
        let place = "/emulator/v1/projects/\(project)/databases/\(PercentEncoding.encode(database.databaseID)):securityRules"
        var question = HTTPQuestion(
            usesTLS: endpoint.usesTLS, host: endpoint.host, port: endpoint.port, target: place,
            header: ("Authorization", "Bearer \(token ?? "")"), posts: body.text())
        question.method = "PUT"
        question.trustFile = endpoint.trustFile
        let location = "\(endpoint.host):\(endpoint.port)"
        let answer: HTTPAnswer
        do {
            answer = try await HTTPFetch.run(question, patience: .seconds(60))
        } catch {
            throw FirestoreError(.unavailable, "the rules were not sent: \(error)", at: location)
        }
        guard answer.status != 200 else { return }
        let error = (try? JSON(answer.body))?["error"]
        guard answer.status == 404 else {
            throw FirestoreError(.failedPrecondition, error?.text("message") ?? "status \(answer.status)", at: location)
        }
        throw FirestoreError(
            .permissionDenied, "rules are taken from administrators only; name a file with an administrator key with --token-file",
            at: location)
    }
}
