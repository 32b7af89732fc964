// SPDX-License-Identifier: Apache-2.0

/// What happened to one file since its last sync: what a loss of power takes back.
struct UnsyncedChanges {
    private enum Change {
        case write(offset: Int, old: [UInt8], new: [UInt8], oldSize: Int)
        case truncate(to: Int, tail: [UInt8])
    }

    private var changes: [Change] = []
    /// Made since the directory was last synced: its name is not on the disk yet.
    private(set) var isNew = false
    /// What stood in the file when it was deleted without a sync of the directory.
    private(set) var deleted: [UInt8]?

    mutating func created() {
        isNew = deleted == nil
        deleted = nil
        changes = []
    }

    mutating func wrote(_ new: [UInt8], over old: [UInt8], at offset: Int, oldSize: Int) {
        changes.append(.write(offset: offset, old: old, new: new, oldSize: oldSize))
    }

    mutating func truncated(to size: Int, losing tail: [UInt8]) {
        if !tail.isEmpty { changes.append(.truncate(to: size, tail: tail)) }
    }

    mutating func synced() { changes = [] }

    mutating func nameSynced() {
        isNew = false
        if deleted != nil { self = UnsyncedChanges() }
    }

    mutating func deleted(_ content: [UInt8]) {
        if isNew { self = UnsyncedChanges() } else { deleted = content }
    }

    /// The file at the last sync, or with every second of the later writes on top.
    func afterLoss(of content: [UInt8], keepingEverySecond: Bool = false) -> [UInt8] {
        var content = content
        for change in changes.reversed() {
            switch change {
            case .write(let offset, let old, _, let oldSize):
                Self.put(old, at: offset, into: &content)
                content.removeLast(max(0, content.count - oldSize))
            case .truncate(let size, let tail): Self.put(tail, at: size, into: &content)
            }
        }
        guard keepingEverySecond else { return content }
        for (index, change) in changes.enumerated() where !index.isMultiple(of: 2) {
            if case .write(let offset, _, let new, _) = change { Self.put(new, at: offset, into: &content) }
        }
        return content
    }

    private static func put(_ bytes: [UInt8], at offset: Int, into content: inout [UInt8]) {
        let end = offset + bytes.count
        if content.count < end { content.append(contentsOf: [UInt8](repeating: 0, count: end - content.count)) }
        content.replaceSubrange(offset..<end, with: bytes)
    }
}
