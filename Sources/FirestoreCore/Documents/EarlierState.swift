// SPDX-License-Identifier: Apache-2.0

/// What has changed about one document since an earlier moment: how it was then, and where it is now.
package struct EarlierState: Sendable {
    package let key: DocumentKey
    /// nil: it was not there.
    package let document: Document?
    /// nil: it is not there now.
    package let current: DocumentHandle?

    package init(key: DocumentKey, document: Document?, current: DocumentHandle?) {
        self.key = key
        self.document = document
        self.current = current
    }
}
