// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// The backups of a database and their schedules, as the admin API lists them (`/console/api/backups`).
struct ConsoleBackups: Sendable {
    private let admin: AdminService

    init(_ admin: AdminService) { self.admin = admin }

    func answer(_ exchange: any HTTPExchange, _ context: RequestContext) async throws(HTTPRefusal) {
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let id = try ConsoleQuestion.database(exchange)
            let name = JSON.string(id.resourceName)
            let database = try await admin.answer(.getDatabase, .object([("name", name)]), context)
            do throws(FirestoreError) {
                let schedules = try await admin.answer(.listBackupSchedules, .object([("parent", name)]), context)
                let backups = try await admin.answer(
                    .listBackups,
                    .object([
                        ("parent", .string("projects/\(id.projectID)/locations/-")),
                        ("filter", .string("database_uid=\"\(database.text("uid"))\"")),
                    ]), context)
                return Self.json(schedules.elements("backupSchedules"), backups.elements("backups"))
            } catch {
                // The page shows the rest, and why there are no backups.
                return Self.json([], [], problem: error.message)
            }
        }
        exchange.respond(json: json.bytes())
    }

    private static func json(_ schedules: [JSON], _ backups: [JSON], problem: String? = nil) -> JSON {
        .members([("schedules", .array(schedules)), ("backups", .array(backups)), ("problem", problem.map { .string($0) })])
    }
}
