// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import HearthBase

/// The keys of `--admin-key-file`. Two are accepted, so that clients can change to a new one before the old one goes.
package final class AdministratorKeys: Sendable {
    /// The bytes of a key before it is written as text.
    package static let keyBytes = 32
    private static let maximumBytes = 4_096

    private let path: String
    private let keys: Mutex<[[UInt8]]>
    private let credentialsDirectory: String?

    /// - Parameter environment: Names the folder of credentials that systemd gives to this service alone.
    package init(reading path: String, environment: [String: String]) throws(StartRefusal) {
        self.path = path
        credentialsDirectory = environment["CREDENTIALS_DIRECTORY"]
        keys = Mutex(try Self.read(path, credentialsDirectory))
    }

    /// Whether a text is one of the keys. Takes the same time for every text of the same length.
    package func accept(_ text: some StringProtocol) -> Bool {
        let given = [UInt8](text.utf8)
        return keys.withLock { keys in
            // Every key is compared to its end.
            var isAccepted = false
            for key in keys { isAccepted = Self.areEqual(key, given) || isAccepted }
            return isAccepted
        }
    }

    private static func areEqual(_ key: [UInt8], _ given: [UInt8]) -> Bool {
        var difference: UInt8 = key.count == given.count ? 0 : 1
        for index in key.indices { difference |= key[index] ^ (index < given.count ? given[index] : 0) }
        return difference == 0
    }

    /// Reads the file again. If it cannot be used, the keys stay.
    package func reload() throws(StartRefusal) {
        let new = try Self.read(path, credentialsDirectory)
        keys.withLock { $0 = new }
    }

    // MARK: The file

    /// - Parameter kind: What messages call the file.
    package static func read(
        _ path: String, _ credentialsDirectory: String?, kind: String = "administrator key file"
    ) throws(StartRefusal) -> [[UInt8]] {
        let text = try content(path, credentialsDirectory, kind)
        var keys: [[UInt8]] = []
        for (number, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let key = line.filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: " ") }
            guard let first = key.first, first != UInt8(ascii: "#") else { continue }
            guard isKey(key) else {
                throw StartRefusal(
                    "line \(number + 1) of the \(kind) \(path) is not a key: at least \(keyBytes) random bytes are "
                        + "expected, as base64url without padding or as hexadecimal digits; `hearth admin-key` makes one")
            }
            keys.append(key)
        }
        guard (1...2).contains(keys.count) else {
            throw StartRefusal("the \(kind) \(path) must hold one key, or two while they change, not \(keys.count)")
        }
        return keys
    }

    private static func content(
        _ path: String, _ credentialsDirectory: String?, _ kind: String
    ) throws(StartRefusal) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StartRefusal(
                "the \(kind) \(path) cannot be read: \(String(cString: strerror(errno))); `hearth admin-key` makes one")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StartRefusal("the \(kind) \(path) is not a file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw StartRefusal("the \(kind) \(path) belongs to another user of this machine; change its owner")
        }
        // systemd shows a right of this service alone as one of the file's group.
        let isCredential = credentialsDirectory.map { path.hasPrefix($0 + "/") } ?? false
        guard status.st_mode & (isCredential ? 0o037 : 0o077) == 0 else {
            throw StartRefusal(
                "the \(kind) \(path) can be read or changed by other users of this machine; make a new key, "
                    + "and run chmod 600 on the file")
        }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard (0...maximumBytes).contains(count) else {
            throw StartRefusal("the \(kind) \(path) cannot be read, or has more than \(maximumBytes) bytes")
        }
        return Array(bytes.prefix(count))
    }

    /// Hexadecimal digits or base64url, of at least 256 bits, and not obviously typed by hand.
    private static func isKey(_ key: [UInt8]) -> Bool {
        guard Set(key).count >= 8 else { return false }
        if key.allSatisfy(isHexDigit) { return key.count >= keyBytes * 2 }
        let isBase64 = key.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-_".utf8.contains(byte)
        }
        return isBase64 && (Base64.decode(String(decoding: key, as: UTF8.self))?.count ?? 0) >= keyBytes
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
