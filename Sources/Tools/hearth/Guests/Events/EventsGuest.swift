// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreWebhooks

/// Changes of documents, which are sent to URLs.
struct EventsGuest: ServerGuest {
    private static let events = Setting<String?>(
        "events", nil, "A JSON file with triggers: changes of documents are sent to URLs. It is read again when it changes.", value: "file")

    static let settings: [any AnySetting] = [events]

    static let commands: [any ParsableCommand.Type] = [EventsCommand.self]

    private let path: String

    init?(_ plan: inout ServerPlan) {
        guard let path = plan.values[Self.events] else { return nil }
        self.path = path
    }

    func open(_ start: inout ServerStart) throws(StartRefusal) -> any ServerPart {
        do throws(TriggerFile.Mistake) {
            return try TriggerFileReloader(
                path, project: start.plan.project, start.configuration.databases, metrics: start.metrics, log: start.log)
        } catch {
            throw StartRefusal(error.description)
        }
    }
}

extension TriggerFileReloader: ServerPart {
    func join(_ start: inout ServerStart) {
        start.configuration.companions.append(served)
        start.triggers = ShownTriggers(events: served)
    }

    func started(at address: RPCAddress) { watch() }
}
