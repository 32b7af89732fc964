// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import Foundation

/// Fields in an argument: typed JSON, or `-` to read it from standard input.
enum JSONArgument {
    /// The size limit in bytes, larger than any document in any spelling.
    private static let bytes = 64 << 20

    static func fields(_ argument: String, in database: DatabaseID) throws(FirestoreError) -> FieldBytes {
        let isInput = argument.utf8.elementsEqual("-".utf8)
        do throws(FirestoreError) {
            return try TypedJSON.fields(isInput ? try standardInput() : Array(argument.utf8), in: database)
        } catch {
            throw error.inArgument(isInput ? "standard input" : "JSON")
        }
    }

    static func standardInput() throws(FirestoreError) -> [UInt8] {
        var text: [UInt8] = []
        while let piece = try? FileHandle.standardInput.read(upToCount: 1 << 16), !piece.isEmpty {
            text += piece
            guard text.count <= bytes else { throw .invalidArgument("larger than \(bytes >> 20) MiB; nothing that is read here is that large") }
        }
        return text
    }
}

extension FirestoreError {
    /// Returns the error with the argument before its location.
    func inArgument(_ name: String) -> FirestoreError {
        var copy = self
        copy.location = location.map { "\(name), \($0)" } ?? name
        return copy
    }
}
