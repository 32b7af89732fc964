// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Error messages for the command line: the library's messages give advice about code.
enum CommandMessage {
    /// The settings that a program would change, and the corresponding options. Longer ones come first.
    private static let options: [(setting: String, option: String)] = [
        ("set settings.isSSLEnabled = true", "use --tls"),
        ("set settings.isSSLEnabled = false", "leave --tls out"),
        ("settings.isSSLEnabled", "--tls"),
        ("settings.trustedCertificates", "--trust FILE"),
        ("settings.credentials", "--credentials FILE"),
        ("settings.host", "--server HOST:PORT"),
    ]

    static func text(of error: FirestoreError) -> String {
        options.reduce(CommandAdvice.text(of: error)) { text, entry in text.replacing(entry.setting, with: entry.option) }
    }
}
