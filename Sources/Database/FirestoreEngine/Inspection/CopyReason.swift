// SPDX-License-Identifier: Apache-2.0

/// Why a copy was not made or not restored, if another choice of the caller helps: the cause of the error. A program that offers the choice
/// knows what it is called there, and adds that to the message.
package enum CopyReason: Error, Hashable {
    /// A file has the name of the copy.
    case nameTaken
    /// The destination of a restore has a database.
    case databaseExists
    /// The copy to restore is damaged.
    case damagedCopy
}
