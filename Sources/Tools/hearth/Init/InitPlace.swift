// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// Where the files of a new server are.
struct InitPlace: Equatable {
    /// The folder that the units of systemd read.
    static let serviceFolder = "/etc/hearth"

    /// Whether systemd runs the server: its unit then gives the data directory, the rules and the key.
    let isService: Bool
    let folder: String
    let data: String
    let rules: String
    let key: String

    var environment: String { folder + "/environment" }

    var quotas: String { folder + "/quotas.json" }

    /// - Parameter folder: From the command line. Without one, root prepares the service if its folder exists.
    static func choose(
        _ folder: String?, _ options: InitOptions, isRoot: Bool, exists: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) throws -> InitPlace {
        let folder = absolute(folder ?? (isRoot && exists(serviceFolder) ? serviceFolder : "hearth"))
        let isService = folder == serviceFolder
        if isService, let option = options.given.first(where: { ["data", "rules", "admin-key-file"].contains($0.name) }) {
            throw ValidationError(
                "--\(option.name) has no effect on the service, whose unit gives it; change it with `systemctl edit hearth`, or give "
                    + "another folder for a server that you start yourself")
        }
        let place = InitPlace(
            isService: isService, folder: folder, data: options.data.map(absolute) ?? (isService ? "/var/lib/hearth" : folder + "/data"),
            rules: options.rules.map(absolute) ?? folder + "/firestore.rules",
            key: options.adminKeyFile.map(absolute) ?? folder + "/admin.key")
        for path in [place.data, place.rules, place.key] where !EnvironmentFile.canKeep(path) || path.contains(",") {
            throw ValidationError("\(path) contains an apostrophe, a comma or a line break, which the file of settings cannot keep")
        }
        return place
    }

    /// A server may be started from another folder.
    private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
