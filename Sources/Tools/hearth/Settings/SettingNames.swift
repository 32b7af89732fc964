// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore

/// The names of the settings of `hearth serve`, as the command line and the file write them.
enum SettingNames {
    /// Variables with the prefix of settings that are read elsewhere: by the libraries, other commands, tests,
    /// benchmarks, and the scripts under `dev`.
    static let otherVariables: Set = [
        "HEARTH_ADDRESS", "HEARTH_API_REFERENCE", "HEARTH_ARCHIVE_CALLER", "HEARTH_BENCHMARKS", "HEARTH_BINARY", "HEARTH_CITIES",
        "HEARTH_COMMIT", "HEARTH_DATABASE",
        "HEARTH_EMBEDDED", "HEARTH_EMULATOR", "HEARTH_FULL", "HEARTH_FUZZ", "HEARTH_FUZZ_TARGET", "HEARTH_HISTORIES", "HEARTH_REGEX_PAIRS",
        "HEARTH_RULES_CASES",
        "HEARTH_MODE", "HEARTH_MODE_ADDRESS", "HEARTH_MODE_CACHE", "HEARTH_MUTATION", "HEARTH_ORACLE",
        "HEARTH_ORACLE_PORT", "HEARTH_POSTGRES", "HEARTH_POSTGRES_BIN",
        "HEARTH_PYTHON", "HEARTH_TEST_STORE",
        "HEARTH_SANITIZER", "HEARTH_SEED",
        "HEARTH_SPEC_NO_IOS", "HEARTH_SPEC_TESTS", "HEARTH_SYNC_CLIENT", "HEARTH_TESTS", "HEARTH_TOKEN_FILE",
        "HEARTH_WRITE_CLI_DOCS", "HEARTH_WRITE_COMPATIBILITY", "HEARTH_WRITE_MODES", "HEARTH_WRITE_SAMPLE",
    ]

    static let prefix = "HEARTH_"

    static func variable(_ name: String) -> String { prefix + name.uppercased().replacing("-", with: "_") }

    static let variables = Set(ServerSettings.all.map(\.variable)).union(otherVariables).union([variable(ServerSettings.configuration)])

    /// Rejects variables that have the prefix of settings but are not settings: a misspelt one would be ignored without
    /// a message.
    static func check(environment: [String: String]) throws(StartRefusal) {
        for name in environment.keys.sorted() where name.hasPrefix(prefix) && !variables.contains(name) && !isOfKubernetes(name) {
            // Without the prefix, which would make any two of them similar.
            let names = variables.sorted().map { String($0.dropFirst(prefix.count)) }
            let nearest = NearestName.of(String(name.dropFirst(prefix.count)), in: names)
            throw StartRefusal("\(name) is not a variable of Hearth; \(advice(nearest.map { prefix + $0 }))")
        }
    }

    static func check(members: [String], of file: String) throws(StartRefusal) {
        let names = ServerSettings.all.map(\.name)
        for name in members where !names.contains(where: { equalUTF8($0, name) }) {
            throw StartRefusal("\"\(name)\" in \(file) is not a setting; \(advice(NearestName.of(name, in: names)))")
        }
    }

    /// Kubernetes describes a service named `hearth` in variables of every pod: `HEARTH_SERVICE_HOST`,
    /// `HEARTH_PORT_8080_TCP`.
    private static func isOfKubernetes(_ name: String) -> Bool {
        name.hasPrefix("HEARTH_SERVICE_") || name.wholeMatch(of: /HEARTH_PORT_\d+_(TCP|UDP|SCTP)(_[A-Z]+)?/) != nil
    }

    private static func advice(_ nearest: String?) -> String {
        nearest.map { "did you mean \($0)?" } ?? "`hearth serve --help` lists the settings"
    }
}
