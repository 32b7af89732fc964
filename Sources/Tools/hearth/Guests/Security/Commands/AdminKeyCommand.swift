// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `hearth admin-key FILE`: makes a key for administrators of a server.
struct AdminKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-key",
        abstract: "Make an administrator key for a server.",
        discussion: """
            Writes a new random key of 256 bits to a new file that only its owner can read. Give the file to the server with \
            `hearth serve --admin-key-file FILE`, and to this command with --token-file FILE; other clients send the key as \
            `Authorization: Bearer KEY`. Security rules do not apply to requests with it.

            To change the key, add a line with a new one, tell the server with SIGHUP, give clients the new key, remove the old \
            line, and send SIGHUP again.

            EXIT CODES
              0  written
              2  the file exists or cannot be written, or the command was not understood

            EXAMPLES
              hearth admin-key /etc/hearth/admin.key
              hearth admin-key - >> admin.key
            """)

    @Argument(help: "The new file; - for standard output.", completion: .file())
    var file: String

    func run() throws {
        guard file != "-" else { return print(AdministratorKeyFile.makeKey()) }
        try AdministratorKeyFile.create(file)
    }
}
