import FirestoreCore
import FirestoreTransfer
import Foundation

/// Fields in an argument: typed JSON, or `-` for what comes on standard input.
enum JSONArgument {
    /// More than any document, whatever its spelling.
    private static let bytes = 64 << 20

    static func fields(_ argument: String, in database: DatabaseID) throws(FirestoreError) -> FieldBytes {
        let isInput = argument.utf8.elementsEqual("-".utf8)
        do throws(FirestoreError) {
            return try TypedJSON.fields(isInput ? try standardInput() : Array(argument.utf8), in: database)
        } catch {
            throw error.inArgument(isInput ? "standard input" : "JSON")
        }
    }

    private static func standardInput() throws(FirestoreError) -> [UInt8] {
        var text: [UInt8] = []
        while let piece = try? FileHandle.standardInput.read(upToCount: 1 << 16), !piece.isEmpty {
            text += piece
            guard text.count <= bytes else { throw .invalidArgument("more than \(bytes >> 20) MiB have come: no document is as large") }
        }
        return text
    }
}

extension FirestoreError {
    /// The same, with the argument in front of the place in it.
    func inArgument(_ name: String) -> FirestoreError {
        var copy = self
        copy.location = location.map { "\(name), \($0)" } ?? name
        return copy
    }
}
