// SPDX-License-Identifier: Apache-2.0

/// Causes of errors of databases in files, for code that has something to add.
package enum StoreReason: Error, Hashable {
    /// The file holds another database, or is open as another one.
    case holdsAnotherDatabase
}
