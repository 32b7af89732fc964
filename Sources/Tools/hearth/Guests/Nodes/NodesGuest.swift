// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import FirestoreGateway
import FirestoreServer
import FirestoreStorage
import Logging

/// Databases on a PostgreSQL server, which several nodes share.
struct NodesGuest: ServerGuest, ServerPart {
    private static let store = Setting<String?>(
        "store", nil, "Keep databases on a PostgreSQL server that several nodes share, as in postgres://user@host/database.", value: "url")

    static let settings: [any AnySetting] = [store]

    static let commands: [any ParsableCommand.Type] = [StoreCommand.self]

    private let address: StoreAddress

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        let values = plan.values
        guard let url = values[Self.store] else { return nil }
        // What only files have is refused beside a server, with what to use instead.
        if plan.data != nil { throw StartRefusal("--data and --store exclude each other") }
        if values[ServerSettings.inMemory] { throw StartRefusal("--in-memory and --store exclude each other") }
        if values.isGiven(ServerSettings.durability) {
            throw StartRefusal("--durability has no effect with --store: the PostgreSQL server decides, by synchronous_commit")
        }
        let (isOnCommandLine, environment) = (values.isOnCommandLine(Self.store), plan.environment)
        address = try StartRefusal.of { try StoreAddress(url, isOnCommandLine: isOnCommandLine, environment: environment) }
        plan.isShared = true
        plan.place = "data on \(address.text)"
    }

    func complete(_ values: inout SettingValues) { values[Self.store] = address.text }

    /// Connects the node.
    func open(_ start: inout ServerStart) throws(StartRefusal) -> any ServerPart {
        if address.isExposed {
            start.log.warning("the connection to the PostgreSQL server is not encrypted; add sslmode=verify-full to its URL")
        }
        do throws(FirestoreError) {
            let cluster = try address.connect()
            for text in address.advice(cluster) { start.log.warning("\(text)") }
            start.cluster = cluster
            start.configuration.databases.storage = .cluster(cluster)
            return self
        } catch {
            throw StartRefusal(error.message)
        }
    }

    func join(_ start: inout ServerStart) {}
}
