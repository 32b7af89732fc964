// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import Foundation
import HearthBase

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
        var random = SystemRandomNumberGenerator()
        let key = Base64.encodeForURL((0..<AdministratorKeys.keyBytes).map { _ in UInt8.random(in: 0...255, using: &random) })
        guard file != "-" else { return print(key) }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw FirestoreError(.alreadyExists, "the file exists; to add a key, use `hearth admin-key - >> FILE`", at: file)
            }
            throw FirestoreError(.permissionDenied, "the file cannot be created: \(String(cString: strerror(errno)))", at: file)
        }
        let text = [UInt8]((key + "\n").utf8)
        let isWritten = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == text.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten else {
            unlink(file)
            throw FirestoreError(.resourceExhausted, "the file cannot be written; check the disk", at: file)
        }
    }
}
