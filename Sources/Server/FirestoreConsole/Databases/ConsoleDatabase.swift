// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// What the page of databases shows of one (`/console/api/database`): its settings, the fields by which documents expire, its operations.
///
/// All of it is what the admin API answers. A read-only console may not call that itself.
struct ConsoleDatabase: Sendable {
    /// Enough for a page; the command lists all.
    private static let operations = 50

    private let admin: AdminService

    init(_ admin: AdminService) { self.admin = admin }

    func answer(_ exchange: any HTTPExchange, _ context: RequestContext) async throws(HTTPRefusal) {
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let name = try ConsoleQuestion.database(exchange).resourceName
            // First: lists of a database that does not exist could create it.
            let database = try await admin.answer(.getDatabase, .object([("name", .string(name))]), context)
            let expiring = try await admin.answer(
                .listFields,
                .object([("parent", .string("\(name)/collectionGroups/-")), ("filter", .string("ttlConfig:*"))]), context)
            let operations = try await admin.answer(
                .listOperations, .object([("name", .string(name)), ("pageSize", .number(Self.operations))]), context)
            return .object([
                ("database", database), ("expiring", .array(expiring.elements("fields"))),
                ("operations", .array(operations.elements("operations"))),
            ])
        }
        exchange.respond(json: json.bytes())
    }
}
