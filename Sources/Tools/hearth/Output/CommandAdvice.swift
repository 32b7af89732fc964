// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreSQLite
import FirestoreTransfer

/// Why something failed, with what the caller of the command can do.
protocol AdvisedCause: Error {
    /// Follows the text of the error; empty if nothing is known to help.
    var advice: String { get }
}

/// The options and commands that help where a library says only what is wrong.
enum CommandAdvice {
    /// The message of an error, with what the caller can do.
    static func text(of error: FirestoreError) -> String {
        switch error.cause {
        case let reason as TransferReason: text(reason, "\(error)")
        case let reason as CopyReason: "\(error), \(advice(reason))"
        case is FormatReason: "\(error): hearth collections --data \(ShellWord.quoted(error.location ?? "FILE"))"
        case let cause as any AdvisedCause: "\(error)\(cause.advice)"
        default: "\(error)"
        }
    }

    /// An error with what an operator can do.
    static func advised(_ error: FirestoreError) -> FirestoreError {
        guard let cause = error.cause as? any AdvisedCause else { return error }
        return FirestoreError(error.code, error.message + cause.advice, at: error.location, cause: error.cause)
    }

    private static func text(_ reason: TransferReason, _ message: String) -> String {
        switch reason {
        case .unknownFormat: "\(message); use --format, for example --format csv"
        case .unknownCollection:
            "\(message); to import it as the fields of a document, name the collection with --collection PATH, and the field with the "
                + "document's id with --id-field NAME (without it every document gets a new id)"
        case .collectionOfExport: "\(message); omit --collection"
        case .collectionOfSeed: "\(message); name it with --collection PATH"
        case .formOfBackfire:
            "\(message); plain values can be taken over: jq -c '{path, fields: .data}' FILE | hearth import … - (values of other types "
                + "have to be written as typed JSON before, see docs/reference/cli.md)"
        case .typesWithoutColumns: "\(message) (docs/reference/cli.md); omit --types"
        case .delimiterWithoutColumns: "\(message); omit --delimiter, or add --format csv if the file is one"
        case .guessedType(let column): "\(message); use --types \(column):string, or correct the cell"
        case .typeOfColumn(let entry): "--types \(entry): \(message)"
        case .arrayInObject(let member): "\(message). \(arrayAdvice(member))"
        case .outputExists: "\(message), or use --overwrite"
        }
    }

    private static func advice(_ reason: CopyReason) -> String {
        switch reason {
        case .nameTaken: "or use --overwrite"
        case .databaseExists: "or add --replace to put the copy in its place"
        case .damagedCopy: "or repair it with hearth check --repair"
        }
    }

    // MARK: Imports

    static func text(of note: ImportNote) -> String {
        switch note {
        case .newIDs: "every document gets a new id; to take the ids from a field use --id-field NAME"
        case .delimiter(let plural, let file): "\(file): cells are separated by \(plural); --delimiter sets something else"
        case .types(let types, let sample, let file): "\(file): types \(types) (guessed from \(sample); change them with --types)"
        case .oneObject(let file, let member): "\(file): the file is one object, which becomes one document. \(arrayAdvice(member))"
        case .recognized(let format, let file): "\(file): read in the form of \(format.name)"
        case .uncomparedIDs(let count): "duplicates are not detected among the ids after the first \(count)"
        }
    }

    private static func arrayAdvice(_ member: String) -> String {
        let isName = !member.isEmpty && member.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == UInt8(ascii: "_") }
        let name = isName ? ".\(member)" : ".[…]"
        return "Its member \"\(member)\" is an array of objects; to import these, take them out first: "
            + "jq -c '\(name)[]' FILE | hearth import … -"
    }
}
