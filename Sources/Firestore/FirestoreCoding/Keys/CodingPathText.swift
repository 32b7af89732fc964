// SPDX-License-Identifier: Apache-2.0

/// Coding paths in readable form: `tags[2].title`.
enum CodingPathText {
    static func text(_ path: [any CodingKey]) -> String {
        var result = ""
        for key in path {
            if let index = key as? IndexKey {
                result += "[\(index.index)]"
            } else {
                if !result.isEmpty { result += "." }
                result += key.stringValue
            }
        }
        return result
    }
}
