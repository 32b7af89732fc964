// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC

extension ConsoleArchive {
    func answer(_ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            try await report(on: try ConsoleQuestion.database(exchange))
        }
        exchange.respond(json: json.bytes())
    }
}
