// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreWebhooks

/// The triggers of a server, for the console's page of events.
struct ShownTriggers: ConsoleTriggers {
    let events: EventCompanion

    func triggers(of database: DatabaseID) async -> [JSON] { await events.statuses(of: database).map(\.json) }
}
