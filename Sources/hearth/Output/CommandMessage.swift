import FirestoreCore

/// An error in the words of the command line: the library's messages advise people who write programs.
enum CommandMessage {
    /// What a program sets, and what stands for it here. The longer ones first.
    private static let options: [(setting: String, option: String)] = [
        ("set settings.isSSLEnabled = true", "use --tls"),
        ("set settings.isSSLEnabled = false", "leave --tls out"),
        ("settings.isSSLEnabled", "--tls"),
        ("settings.trustedCertificates", "--trust FILE"),
        ("settings.credentials", "--credentials FILE"),
        ("settings.host", "--server HOST:PORT"),
    ]

    static func text(of error: FirestoreError) -> String {
        options.reduce("\(error)") { text, entry in text.replacing(entry.setting, with: entry.option) }
    }
}
