// SPDX-License-Identifier: Apache-2.0

/// The format of database files.
package enum StorageFormat {
    /// What this version writes; files of earlier formats are upgraded when they are opened.
    package static let newest = StoreSchema.formatVersion
    /// The first one whose pages have checksums.
    package static let firstChecked = StoreSchema.firstChecked
}
