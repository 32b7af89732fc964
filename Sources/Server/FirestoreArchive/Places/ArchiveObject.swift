// SPDX-License-Identifier: Apache-2.0

/// An object in a listing of an archive.
package struct ArchiveObject: Sendable, Hashable {
    package let name: String
    /// In bytes, as the place stores it: an encrypted object is longer than what it contains.
    package let size: Int

    package init(name: String, size: Int) {
        self.name = name
        self.size = size
    }
}
