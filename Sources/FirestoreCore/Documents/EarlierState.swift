/// What has changed about one document since an earlier moment: how it was then, and which row holds it now.
package struct EarlierState: Sendable {
    package let key: DocumentKey
    /// nil: it was not there.
    package let document: Document?
    /// nil: it is not there now.
    package let currentRow: Int64?

    package init(key: DocumentKey, document: Document?, currentRow: Int64?) {
        self.key = key
        self.document = document
        self.currentRow = currentRow
    }
}
