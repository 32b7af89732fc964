// SPDX-License-Identifier: Apache-2.0

/// The change of one document since an earlier moment: its state then, and its handle now.
package struct EarlierState: Sendable {
    package let key: DocumentKey
    /// The state then; nil if it did not exist.
    package let document: Document?
    /// The handle now; nil if it does not exist.
    package let current: DocumentHandle?

    package init(key: DocumentKey, document: Document?, current: DocumentHandle?) {
        self.key = key
        self.document = document
        self.current = current
    }
}
