// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite
import FirestoreStorage

extension DatabaseReplay {
    private static let pieceCount = 500
    private static let pieceBytes = 4 << 20
    /// Facts about the database under its old name: events that were not delivered, readers of its log.
    private static let factsOfName = ["hearth/events/"..<"hearth/events0", LogHolds.facts]

    /// Gives the database another name. References into it refer to the database under its new name.
    package func rename(to name: DatabaseID) throws(FirestoreError) {
        let old = database
        guard name != old else { return }
        var position: DocumentKey?
        repeat {
            let piece = try documents(after: position)
            try move(piece, from: old, to: name)
            position = piece.last?.key
        } while position != nil
        _ = try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            for facts in Self.factsOfName { try transaction.removeFacts(in: facts) }
        }
        try store.rename(to: name)
        database = name
    }

    private func documents(after position: DocumentKey?) throws(FirestoreError) -> [Document] {
        let range = KeyRange(lower: position.map { KeyRange.Bound($0, inclusive: false) })
        return try store.read { (view: any StoreSnapshot) throws(FirestoreError) in
            var (piece, bytes) = ([Document](), 0)
            try view.scan(Self.everything, range: range, descending: false) { scanned in
                let document = scanned.document()
                bytes += document.fields.bytes.count
                piece.append(document)
                return piece.count < Self.pieceCount && bytes < Self.pieceBytes ? .next : .stop
            }
            return piece
        }
    }

    private func move(_ piece: [Document], from old: DatabaseID, to name: DatabaseID) throws(FirestoreError) {
        var changes: [CommittedChange] = []
        for document in piece {
            guard let fields = try document.fields.movingReferences(from: old, to: name) else { continue }
            let moved = Document(
                key: document.key, createTime: document.createTime, updateTime: document.updateTime, fields: fields)
            changes.append(CommittedChange(key: document.key, old: document, new: moved))
        }
        guard !changes.isEmpty else { return }
        _ = try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            let indexes = kept.indexes(of: try transaction.catalog())
            for change in changes { try replace(change, indexes, in: transaction) }
        }
    }
}
