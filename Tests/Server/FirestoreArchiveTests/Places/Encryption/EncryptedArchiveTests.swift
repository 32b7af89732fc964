// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import Foundation
import HearthBase
import TestSupport
import Testing

struct EncryptedArchiveTests {
    private let memory = MemoryArchive()
    private var store: EncryptedArchive { EncryptedArchive(memory, key: .test()) }

    @Test func `what is stored reveals neither the bytes nor whether two objects are equal`() async throws {
        let text = Array("a text that must not be readable".utf8)
        #expect(try await store.put("a", text))
        #expect(try await store.put("b", text))
        let (a, b) = (try #require(memory["a"]), try #require(memory["b"]))
        #expect(a != b && a.starts(with: Array("HRTX\u{1}".utf8)))
        #expect(a.count == text.count + 53)
        #expect(!String(decoding: a, as: UTF8.self).contains("readable"))
        for name in ["a", "b"] { #expect(try await store.get(name) == text) }
    }

    // OT-22
    @Test func `another key is reported as such`() async throws {
        #expect(try await store.put("a", [1, 2, 3]))
        let other = EncryptedArchive(memory, key: .test(2))
        await expectError(.failedPrecondition, mentioning: "with another key", "memory: a") { try await other.get("a") }
    }

    // OT-22
    @Test func `an object under another name is reported as such`() async throws {
        #expect(try await store.put("a", [1, 2, 3]))
        memory["b"] = memory["a"]
        await expectError(.dataLoss, mentioning: "stored under another name") { try await store.get("b") }
    }

    @Test func `an object that is not encrypted, and one of a newer format, are reported as such`() async throws {
        memory["a"] = Array("HRTJ plain".utf8)
        memory["b"] = []
        for name in ["a", "b"] {
            await expectError(.failedPrecondition, mentioning: "is not encrypted") { try await store.get(name) }
        }
        #expect(try await store.put("c", [1]))
        var newer = try #require(memory["c"])
        newer[4] = 2
        let sum = newer[..<21].withUnsafeBytes { CRC32.castagnoli.checksum($0) }
        newer.replaceSubrange(21..<25, with: withUnsafeBytes(of: sum.bigEndian) { Array($0) })
        memory["c"] = newer
        await expectError(.failedPrecondition, mentioning: "format 2", "newer version") { try await store.get("c") }
    }

    // OT-22
    @Test func `every damaged byte and every missing end is found`() async throws {
        #expect(try await store.put("a", Array("some bytes".utf8)))
        let sound = try #require(memory["a"])
        for index in sound.indices {
            var damaged = sound
            damaged[index] ^= 1 << UInt8(index % 8)
            memory["a"] = damaged
            // Without its first four bytes nothing shows that an object was encrypted.
            await expectError(index < 4 ? .failedPrecondition : .dataLoss, mentioning: "damaged") { try await store.get("a") }
            memory["a"] = Array(sound[..<index])
            await expectError(index < 4 ? .failedPrecondition : .dataLoss, mentioning: "damaged") { try await store.get("a") }
        }
        memory["a"] = sound + [0]
        await expectError(.dataLoss, mentioning: "damaged") { try await store.get("a") }
    }
}

struct ArchiveKeyTests {
    private let folder: ScratchFolder
    private let bytes: [UInt8]

    init() throws {
        folder = try ScratchFolder()
        var generator = SeededGenerator(seed: 3)
        bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private func file(_ content: some Sequence<UInt8>, rights: Int = 0o600) throws -> String {
        let path = try folder.write(content, to: "key")
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        return path
    }

    @Test func `a key is 32 bytes, or a line of hexadecimal digits or base64`() async throws {
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let forms = [bytes, Array((hexadecimal + "\n").utf8), Array(hexadecimal.uppercased().utf8), Array((Data(bytes).base64EncodedString() + "\r\n").utf8)]
        let memory = MemoryArchive()
        let key = try #require(ArchiveKey(bytes))
        #expect(try await EncryptedArchive(memory, key: key).put("a", [1]))
        for form in forms {
            let read = try ArchiveKey(reading: try file(form))
            #expect(try await EncryptedArchive(memory, key: read).get("a") == [1])
        }
    }

    @Test func `a file that others can read is refused`() throws {
        for rights in [0o640, 0o604, 0o644, 0o620] {
            expectImmediateError(.failedPrecondition, mentioning: "other users", "chmod 600", "key") {
                try ArchiveKey(reading: try file(bytes, rights: rights))
            }
        }
        let path = try file(bytes, rights: 0o440)
        _ = try ArchiveKey(reading: path, environment: ["CREDENTIALS_DIRECTORY": folder.path])
    }

    @Test func `what is not a key is refused`() throws {
        let contents: [[UInt8]] = [[], Array(bytes.dropLast()), bytes + [1], Array("password\n".utf8), Array(repeating: UInt8(ascii: "g"), count: 64)]
        for content in contents {
            expectImmediateError(.failedPrecondition, mentioning: "must hold 32 random bytes") { try ArchiveKey(reading: try file(content)) }
        }
        expectImmediateError(.failedPrecondition, mentioning: "does not hold random bytes") {
            try ArchiveKey(reading: try file([UInt8](repeating: 0, count: 32)))
        }
        expectImmediateError(.failedPrecondition, mentioning: "cannot be opened") { try ArchiveKey(reading: folder.file("absent")) }
        expectImmediateError(.failedPrecondition, mentioning: "is not a file") { try ArchiveKey(reading: folder.path) }
    }
}
