// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import HearthBase

/// A file with a key for administrators, which only its owner can read.
enum AdministratorKeyFile {
    static func makeKey() -> String {
        var random = SystemRandomNumberGenerator()
        return Base64.encodeForURL((0..<AdministratorKeys.keyBytes).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Makes a file with a new key. It must not exist.
    static func create(_ path: String) throws(FirestoreError) {
        try NewFile.write(makeKey() + "\n", to: path, mode: 0o600, ifThere: "to add a key, use `hearth admin-key - >> FILE`")
    }
}
