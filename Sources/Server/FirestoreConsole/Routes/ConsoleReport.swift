// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer

/// The console's report about the server itself.
final class ConsoleReport: Sendable {
    private let settings: ConsoleSettings
    private let registry: DatabaseRegistry
    private let isDevelopment: Bool
    private let clock: any WallClock
    private let address = Mutex<RPCAddress?>(nil)

    init(_ settings: ConsoleSettings, databases: DatabaseRegistry, isDevelopment: Bool, clock: any WallClock) {
        self.settings = settings
        registry = databases
        self.isDevelopment = isDevelopment
        self.clock = clock
    }

    func started(at address: RPCAddress) { self.address.withLock { $0 = address } }

    func server() async -> JSON {
        var members: [(name: String, value: JSON)] = [("version", .string(LibraryVersion.text))]
        if let address = address.withLock({ $0 }) { members.append(("address", .string(address.description))) }
        if let directory = registry.directory { members.append(("data", .string(directory))) }
        // A server that is away does not keep the console from showing the rest.
        if let nodes = (try? await registry.nodes()) ?? nil {
            if let store = settings.serverSettings["store"] { members.append(("data", store)) }
            members.append(("nodes", .array(nodes.map { Self.json(of: $0) })))
        }
        // Seconds are enough.
        let start = TimestampValue(seconds: Int64(ProcessFigures.start), nanoseconds: 0)
        members += [
            ("startTime", .string(start.text)), ("development", .boolean(isDevelopment)), ("readOnly", .boolean(settings.isReadOnly)),
            ("requestValues", .boolean(settings.showsValues)),
        ]
        if let project = settings.project { members.append(("project", .string(project))) }
        if let slowCalls = settings.slowCalls { members.append(("slow", .number(seconds: slowCalls.threshold))) }
        if let users = settings.users { members.append(("users", users.summary)) }
        if let archive = settings.archive { members.append(("archive", archive.summary)) }
        if settings.triggers != nil { members.append(("triggers", .boolean(true))) }
        // The guide writes documents: it belongs to a server for experiments.
        if isDevelopment { members.append(("guide", .string(PageSite.guide.root))) }
        members.append(("settings", settings.serverSettings))
        return .object(members)
    }

    private static func json(of node: NodeReport) -> JSON {
        .object([("address", .string(node.address)), ("live", .boolean(node.isLive)), ("self", .boolean(node.isSelf))])
    }

    var databases: JSON {
        let entries = registry.listing().map { entry -> JSON in
            var members: [(name: String, value: JSON)] = [("name", .string(entry.database.resourceName))]
            if let bytes = entry.bytes { members.append(("bytes", .number(bytes))) }
            members.append(("open", .boolean(entry.isOpen)))
            return .object(members)
        }
        return .members([("databases", .array(entries)), ("deleted", deleted.isEmpty ? nil : .array(deleted))])
    }

    /// What can be brought back, under the name that it had.
    private var deleted: [JSON] {
        (registry.trash?.entries(now: clock.now()) ?? []).map { entry in
            .object([
                ("name", .string(entry.database.resourceName)), ("uid", .string(entry.message.text("uid"))),
                ("deleteTime", .time(entry.deleted)),
            ])
        }
    }
}

extension DatabaseID {
    /// `projects/P/databases/D`
    var resourceName: String { String(documentsPrefix.dropLast("/documents/".count)) }
}
