// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import FirestoreRPC
import ServiceLifecycle

/// What a server can have besides its databases and their methods: its settings, and what it adds to a server that has it.
///
/// To delete one, delete its folder and its line in `ServerGuests`.
protocol ServerGuest: SettingOwner, Sendable {
    /// The heading of its settings in the help; nil puts them among those of the server.
    static var title: String? { get }

    /// Its subcommands of `hearth`.
    static var commands: [any ParsableCommand.Type] { get }

    /// Checks the settings. Notes in `plan` what the guests after it need to know. nil if the settings ask for nothing.
    init?(_ plan: inout ServerPlan) throws(StartRefusal)

    /// Puts the values that follow from others in their places, for `--print-config`.
    func complete(_ values: inout SettingValues)

    /// Opens what the guest needs, before the server creates anything in its data directory.
    func open(_ start: inout ServerStart) async throws(StartRefusal) -> any ServerPart
}

/// A guest of a server that starts or runs.
protocol ServerPart: Sendable {
    /// Adds the guest to the configuration of the server. All guests are open.
    func join(_ start: inout ServerStart) throws(StartRefusal)

    /// The last step before the server listens.
    func prepare() throws(StartRefusal)

    /// The server listens.
    func started(at address: RPCAddress)

    /// What runs beside the server.
    var services: [any Service] { get }

    /// What the line that says that the server is ready says of the guest.
    var announcement: ServerAnnouncement? { get }

    /// A line for a terminal, once the server is ready; nil for none. A file or a pipe would keep what it says.
    var terminalLine: String? { get }

    /// Reads files again: SIGHUP.
    func reload()

    /// The server has ended, or did not start.
    func stop()
}

struct ServerAnnouncement {
    /// Where it answers.
    let place: String
    /// The variable that leads clients there; nil if none does.
    let variable: String?
}

// MARK: Defaults

extension ServerGuest {
    static var title: String? { nil }
    static var commands: [any ParsableCommand.Type] { [] }
    func complete(_ values: inout SettingValues) {}
}

extension ServerGuest where Self: ServerPart {
    func open(_ start: inout ServerStart) -> any ServerPart { self }
}

extension ServerPart {
    func prepare() throws(StartRefusal) {}
    func started(at address: RPCAddress) {}
    var services: [any Service] { [] }
    var announcement: ServerAnnouncement? { nil }
    var terminalLine: String? { nil }
    func reload() {}
    func stop() {}
}

// MARK: The command line

extension ServerGuest {
    static var declarations: [Mirror.Child] {
        guard let title else { return settings.map(\.declaration) }
        return [(label: title, value: OptionGroup<SettingOptions<Self>>(title: title))]
    }

    /// The values that the command line gives.
    static func given(_ container: KeyedDecodingContainer<SettingName>) throws -> [String: JSON] {
        guard let title else { return try container.given(settings) }
        return try container.decode(OptionGroup<SettingOptions<Self>>.self, forKey: SettingName(title)).wrappedValue.given
    }
}
