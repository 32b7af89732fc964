// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A file of variables in the form that systemd (`EnvironmentFile=`) and shells read alike: `HEARTH_PORT='8080'`.
enum EnvironmentFile {
    /// Whether a value can be written between apostrophes, inside of which neither reader has an escape.
    static func canKeep(_ value: String) -> Bool { !value.utf8.contains { $0 == UInt8(ascii: "'") || $0 < 0x20 } }

    static func text(_ settings: [(name: String, value: String)]) -> String {
        let lines = settings.map { "\(SettingNames.variable($0.name))='\($0.value)'" }
        return """
            # Settings of the server, read when it starts; `hearth serve --help` lists all of them, and --port is HEARTH_PORT here.
            # systemd and shells read this file: values are between apostrophes.
            \(lines.joined(separator: "\n"))

            """
    }

    /// The value of a setting in a file; the last one counts, as for its readers.
    static func value(of name: String, in text: String) -> String? {
        let prefix = SettingNames.variable(name) + "="
        let line = text.split(whereSeparator: \.isNewline).last { $0.hasPrefix(prefix) }
        return line.map { line in
            let value = line.dropFirst(prefix.count)
            let isQuoted = value.utf8.count > 1 && value.first == value.last && (value.first == "'" || value.first == "\"")
            return String(isQuoted ? value.dropFirst().dropLast() : value)
        }
    }
}
