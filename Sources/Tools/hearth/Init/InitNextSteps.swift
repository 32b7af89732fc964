// SPDX-License-Identifier: Apache-2.0

/// The commands that follow `hearth init`: check the rules, start the server, write the first document.
enum InitNextSteps {
    static func commands(_ place: InitPlace, _ values: InitValues) -> [String] {
        let start =
            place.isService
            ? "systemctl enable --now hearth" : "(set -a; . \(word(place.environment)); exec hearth serve)"
        return [
            "hearth rules check \(word(place.rules))", start,
            "hearth set --server \(address(values)) --token-file \(word(place.key)) --project \(word(values.project)) "
                + "cities/SF '{\"name\": \"San Francisco\"}'",
        ]
    }

    /// From this machine: a key travels over TLS, or does not leave the machine.
    private static func address(_ values: InitValues) -> String {
        let host = ["0.0.0.0", "::", "*"].contains(values.host) ? "127.0.0.1" : values.host
        return "\(host.contains(":") ? "[\(host)]" : host):\(values.port)"
    }

    /// A path is easier to read without quotes.
    private static func word(_ text: String) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { $0.isEmpty || ShellWord.quoted(String($0)) == String($0) }
        return isPlain ? text : ShellWord.quoted(text)
    }
}
