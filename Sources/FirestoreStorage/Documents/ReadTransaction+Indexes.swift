package import FirestoreCore
import GRDB

extension ReadTransaction {
    package func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] { [] }

    package func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        throw errors.damaged("index \(index.number)")
    }

    package func withDocument<R>(
        at row: Int64, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        throw errors.damaged("document row \(row)")
    }
}
