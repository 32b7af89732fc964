// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import Foundation

/// The settings of a new server that its owner chooses.
struct InitValues: Equatable {
    static let defaults = InitValues(project: "my-project", host: "127.0.0.1", port: "8080")

    var project: String
    var host: String
    var port: String
    /// nil without an archive.
    var archive: String?
    /// Whether there is a file of quotas.
    var quotas = false

    /// From options, from a file with settings that exists, from answers, or the defaults.
    static func read(
        _ options: InitOptions, at place: InitPlace, asks: Bool,
        answer: (_ question: String, _ usual: String) throws -> String = InitQuestion.ask
    ) throws -> InitValues {
        if let text = try? String(contentsOfFile: place.environment, encoding: .utf8) {
            guard let option = options.given.first else { return defaults.replaced(by: text) }
            throw ValidationError(
                "\(place.environment) exists, so --\(option.name) would have no effect; edit the file, or remove it and run the "
                    + "command again")
        }
        func ask(_ question: String, _ usual: String) throws -> String { asks ? try answer(question, usual) : usual }
        var values = try InitValues(
            project: options.project ?? ask("The id of the project that apps name", defaults.project),
            host: options.host ?? ask("The address to listen on; localhost for both loopbacks, * for all", defaults.host),
            port: options.port.map { "\($0)" } ?? ask("The port", defaults.port))
        let archive = try options.archive ?? ask("A folder, or s3://BUCKET/PREFIX, to archive every commit to", "none")
        // The server may be started in another folder.
        values.archive = archive == "none" ? nil : archive.contains("://") ? archive : URL(fileURLWithPath: archive).path
        values.quotas = try options.quotas || ask("Limit what each user and each address may use: yes or no", "no").hasPrefix("y")
        return values
    }

    private func replaced(by text: String) -> InitValues {
        InitValues(
            project: EnvironmentFile.value(of: "project", in: text) ?? project, host: EnvironmentFile.value(of: "host", in: text) ?? host,
            port: EnvironmentFile.value(of: "port", in: text) ?? port, archive: EnvironmentFile.value(of: "archive", in: text),
            quotas: EnvironmentFile.value(of: "quotas", in: text) != nil)
    }

    /// The settings that the file keeps, in its order. What the unit of the service gives is not among them.
    func settings(at place: InitPlace) -> [(name: String, value: String)] {
        let paths = [("data", place.data), ("rules", place.rules), ("admin-key-file", place.key)]
        return (place.isService ? [] : paths) + chosen(at: place)
    }

    private func chosen(at place: InitPlace) -> [(name: String, value: String)] {
        [("project", project), ("host", host), ("port", port)] + (archive.map { [("archive", $0)] } ?? [])
            + (quotas ? [("quotas", place.quotas)] : [])
    }

    /// Checks the settings as `hearth serve` does when it starts.
    func check(at place: InitPlace) throws {
        for (name, value) in settings(at: place) where !EnvironmentFile.canKeep(value) {
            throw ValidationError("--\(name): the value contains an apostrophe or a line break")
        }
        let words = ["--data", place.data, "--rules", place.rules, "--admin-key-file", place.key]
        let environment = chosen(at: place).map { (SettingNames.variable($0.name), $0.value) }
        _ = try StartRefusal.asUsage { try ServeSettings(words: words, environment: Dictionary(uniqueKeysWithValues: environment)) }
    }
}
