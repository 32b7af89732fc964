// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import HearthBase

extension RESTRouter {
    /// As the listener does it: takes the query apart.
    static func match(verb: String, target: String) throws(FirestoreError) -> RESTCall? {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return try match(verb: verb, path: String(parts[0]), query: parts.count > 1 ? PercentEncoding.parameters(of: parts[1]) : [])
    }

    static func verbs(target: String) -> [String] {
        verbs(path: String(target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0]))
    }
}
