// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What a service has found out about texts that one connection sends with its calls, such as a token: a text that comes with every call
/// is examined once.
///
/// Each connection has a separate memory, which ends with it. The last few texts are kept and compared whole: how long a lookup takes does
/// not depend on where two texts of the same length differ, because a proxy may send the calls of many callers through one connection.
///
/// A finding may become out of date: a service checks with each use whether it still holds.
package final class ConnectionMemory: Sendable {
    /// The most texts that are kept.
    package static let capacity = 8
    /// The longest text that is kept, in bytes.
    package static let longest = 8 << 10

    private struct Entry {
        let text: [UInt8]
        let finding: any AnyObject & Sendable
    }

    /// The oldest first.
    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// The finding about a text; nil if it is not kept.
    package func finding(about text: Substring) -> (any AnyObject & Sendable)? {
        entries.withLock { entries in entries.last { isEqual($0.text, text.utf8) }?.finding }
    }

    /// Keeps a finding, in place of an earlier one about the same text. The oldest makes room.
    package func keep(_ finding: any AnyObject & Sendable, about text: Substring) {
        guard text.utf8.count <= Self.longest else { return }
        entries.withLock { entries in
            entries.removeAll { isEqual($0.text, text.utf8) }
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append(Entry(text: Array(text.utf8), finding: finding))
        }
    }

    package func forget(_ text: Substring) {
        entries.withLock { entries in entries.removeAll { isEqual($0.text, text.utf8) } }
    }

    package var count: Int { entries.withLock { $0.count } }

    /// Compares texts of the same length to their ends.
    private func isEqual(_ known: [UInt8], _ text: Substring.UTF8View) -> Bool {
        guard known.count == text.count else { return false }
        var difference: UInt8 = 0
        let isCompared: Void? = text.withContiguousStorageIfAvailable { bytes in
            known.withUnsafeBufferPointer { known in
                for index in known.indices { difference |= known[index] ^ bytes[index] }
            }
        }
        if isCompared == nil { for (left, right) in zip(known, text) { difference |= left ^ right } }
        return difference == 0
    }
}
