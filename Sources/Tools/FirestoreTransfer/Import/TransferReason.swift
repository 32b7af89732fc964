// SPDX-License-Identifier: Apache-2.0

/// Why a transfer failed, if another choice of its caller helps: the cause of the error. A program that offers the choice knows what it is
/// called there, and adds that to the message.
package enum TransferReason: Error, Hashable {
    /// The format follows neither from the name nor from the content.
    case unknownFormat
    /// The file contains the fields of documents, and their collection is not known.
    case unknownCollection
    /// A collection was named, and the documents have paths.
    case collectionOfExport
    /// The file has the documents of one collection in the form of another tool, and their collection is not known.
    case collectionOfSeed
    /// The file has documents as firestore-backfire writes them.
    case formOfBackfire
    /// Types of columns were given, and the file is not CSV.
    case typesWithoutColumns
    /// A delimiter was given, and the file is not CSV.
    case delimiterWithoutColumns
    /// A cell does not have the type that was guessed for its column.
    case guessedType(column: String)
    /// The entry is not a column and its type.
    case typeOfColumn(entry: String)
    /// Each member of the array would be a document.
    case arrayInObject(member: String)
    /// The file to write exists.
    case outputExists
}

/// A choice that an import made because its request left it open.
package enum ImportNote: Sendable, Hashable {
    /// Every document gets a new id.
    case newIDs
    /// The first row has a delimiter other than the comma, in the plural.
    case delimiter(String, file: String)
    /// The types of the columns, as `ColumnType.list` reads them, guessed from `sample`.
    case types(String, sample: String, file: String)
    /// The file is one object, which becomes one document, and has an array of objects.
    case oneObject(file: String, arrayMember: String)
    /// The file has the form of another tool.
    case recognized(SeedFormat, file: String)
    /// Duplicates are not detected among the ids after the first `count`.
    case uncomparedIDs(count: Int)
}
