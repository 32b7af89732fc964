// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// `population=860000` in arguments: a field path and a value in typed JSON.
enum FieldAssignment {
    /// `place`: the option, for error messages.
    static func parse(
        _ text: String, _ place: String, in database: DatabaseID
    ) throws(FirestoreError) -> (path: FieldPathSegments, value: ValueBytes) {
        guard let (path, rest) = try FieldPathText.assignment(text) else {
            throw .invalidArgument("field=value is expected", at: "\(place) \(text)")
        }
        do throws(FirestoreError) {
            return (path, try TypedJSON.value(rest.utf8, in: database))
        } catch {
            throw error.inArgument("value of \(path.canonical)")
        }
    }
}
