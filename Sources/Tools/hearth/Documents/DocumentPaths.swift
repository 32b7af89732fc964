// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Paths in arguments.
enum DocumentPaths {
    static func keys(_ paths: [String]) throws(FirestoreError) -> [DocumentKey] {
        var keys: [DocumentKey] = []
        for path in paths { keys.append(try PathCheck.documentKey(path)) }
        return keys
    }
}
