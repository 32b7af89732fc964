// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import Foundation
import TestSupport
import Testing

@testable import hearth

struct AdministratorKeysTests {
    static let first = "Zm9yIHRlc3RzIG9ubHksIG9wZW5zIG5vdGhpbmcgMDE"
    static let second = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

    /// A file with a key, readable by its owner only.
    static func file(_ folder: ScratchFolder, _ text: String = first + "\n", mode: Int16 = 0o600) throws -> String {
        let file = try folder.file("admin.key", text)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    @Test func `one key or two are accepted, and nothing else`() throws {
        let folder = try ScratchFolder()
        let keys = try AdministratorKeys(reading: try Self.file(folder), environment: [:])
        #expect(keys.accept(Self.first))
        for text in ["", String(Self.first.dropLast()), Self.first + "A", Self.first.lowercased(), Self.second, Self.first + "\n"] { #expect(!keys.accept(text)) }
        _ = try Self.file(folder, "# new\n\(Self.second)\r\n\n# old\n  \(Self.first)")
        try keys.reload()
        #expect(keys.accept(Self.first) && keys.accept(Self.second) && !keys.accept("# new"))
    }

    static let refusals: [(text: String, mode: Int16, part: String)] = [
        ("", 0o600, "must hold one key, or two while they change, not 0"), ("# only a comment\n", 0o600, "not 0"), (first + "\n" + second + "\n" + first, 0o600, "not 3"), ("secret", 0o600, "line 1"),
        (String(second.dropLast()), 0o600, "is not a key"), (String(first.dropLast()), 0o600, "is not a key"), (String(repeating: "a", count: 64), 0o600, "is not a key"),
        ("\n" + first + "!", 0o600, "line 2"), (first + "=", 0o600, "is not a key"), (String(repeating: first, count: 100), 0o600, "more than 4096 bytes"),
        (first, 0o640, "can be read or changed by other users"), (first, 0o604, "chmod 600"), (first, 0o620, "other users"), (first, 0o601, "other users"),
    ]

    @Test(arguments: refusals.indices)
    func `a file that is unsafe or has no keys is rejected, and the previous keys stay active`(index: Int) throws {
        let (text, mode, part) = Self.refusals[index]
        let folder = try ScratchFolder()
        let keys = try AdministratorKeys(reading: try Self.file(folder), environment: [:])
        let file = try Self.file(folder, text, mode: mode)
        let refusal = #expect(throws: StartRefusal.self) { try AdministratorKeys(reading: file, environment: [:]) }
        #expect(refusal?.lines.first?.contains(part) == true, "\(refusal?.lines ?? [])")
        // A message never contains what might be a key.
        #expect(refusal?.lines.first?.contains(String(Self.first.prefix(20))) == false)
        #expect(throws: StartRefusal.self) { try keys.reload() }
        #expect(keys.accept(Self.first))
    }

    @Test func `a credential of systemd may have a right of the group`() throws {
        let folder = try ScratchFolder()
        let file = try Self.file(folder, mode: 0o440)
        #expect(throws: StartRefusal.self) { try AdministratorKeys(reading: file, environment: ["CREDENTIALS_DIRECTORY": "/elsewhere"]) }
        #expect(try AdministratorKeys(reading: file, environment: ["CREDENTIALS_DIRECTORY": folder.path]).accept(Self.first))
        _ = try Self.file(folder, mode: 0o444)
        #expect(throws: StartRefusal.self) { try AdministratorKeys(reading: file, environment: ["CREDENTIALS_DIRECTORY": folder.path]) }
    }

    @Test func `paths that are not files are rejected`() throws {
        for path in ["/nonexistent/key", "/", "/dev/null"] {
            #expect(throws: StartRefusal.self) { try AdministratorKeys(reading: path, environment: [:]) }
        }
    }

    @Test func `the command makes a key that a server accepts, and does not overwrite one`() throws {
        let folder = try ScratchFolder()
        let file = folder.file("admin.key")
        #expect(try HearthCommand("admin-key", file).exitCode == 0)
        let key = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
        let keys = try AdministratorKeys(reading: file, environment: [:])
        #expect(key.utf8.count == 43 && keys.accept(key))
        let again = try HearthCommand("admin-key", file)
        #expect(again.exitCode == 2 && again.errors.contains("the file exists"))
        let printed = try HearthCommand("admin-key", "-")
        #expect(printed.exitCode == 0 && printed.output.utf8.count == 44 && !printed.output.hasPrefix(key))
        #expect(try HearthCommand("admin-key", "/nonexistent/key").exitCode == 2)
    }
}
