// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import hearth

/// Errors advise in the words of the command line.
@Suite(.waitingForProcesses) struct CommandMessageTests {
    @Test(arguments: [
        ("h:1 expects TLS: set settings.isSSLEnabled = true", "use --tls"),
        ("h:1 does not speak TLS: set settings.isSSLEnabled = false for a plain-text server", "leave --tls out for a plain-text server"),
        ("does it expect TLS (settings.isSSLEnabled)?", "does it expect TLS (--tls)?"),
        ("name the file with the certificate to trust (settings.trustedCertificates)", "to trust (--trust FILE)"),
        ("the server requires credentials (settings.credentials)", "requires credentials (--credentials FILE)"),
    ])
    func `messages name the option for each setting`(message: String, advice: String) {
        let text = CommandMessage.text(of: FirestoreError(.failedPrecondition, message))
        #expect(text.hasSuffix(advice), "\(text)")
        #expect(!text.contains("settings."))
    }

    @Test func `a server without TLS is not to be asked with it`() throws {
        let command = try CommandPlace(.server).run("get", "c/a", "--tls")
        #expect(command.exitCode == 2)
        #expect(command.errors.contains("leave --tls out"), "\(command.errors)")
    }
}
