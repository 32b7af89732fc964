// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Headers of a call or of an HTTP request, with names in lower case, in the order received.
package struct RPCMetadata: Sendable {
    package var entries: [(name: String, value: String)]

    package init(_ entries: [(name: String, value: String)] = []) { self.entries = entries }

    /// The first value of a name, which is given in lower case.
    package subscript(name: String) -> String? {
        entries.first { equalUTF8($0.name, name) }?.value
    }

    package mutating func append(_ name: String, _ value: String) { entries.append((name, value)) }
}
