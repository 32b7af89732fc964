// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension ColumnType {
    /// Parses `population:int,founded:timestamp`: the types of columns by name. The last colon of each separates the
    /// type.
    ///
    /// - Parameter advice: The end of the message about an unknown type, from the word and the known ones.
    package static func list(
        _ texts: [String], advice: (String, [String]) -> String = { _, _ in "" }
    ) throws(FirestoreError) -> [(column: String, type: ColumnType)] {
        var list: [(column: String, type: ColumnType)] = []
        for part in texts.flatMap({ $0.utf8.split(separator: UInt8(ascii: ",")) }) {
            let text = String(Substring(part))
            guard let colon = part.lastIndex(of: UInt8(ascii: ":")), colon > part.startIndex else {
                throw FirestoreError(
                    .invalidArgument, "a column and its type are written name:type, as in population:int",
                    cause: TransferReason.typeOfColumn(entry: text))
            }
            let name = String(Substring(part[..<colon]))
            let word = String(Substring(part[part.index(after: colon)...]))
            guard let type = ColumnType(rawValue: word) else {
                let known = allCases.map(\.rawValue)
                let choices = known.joined(separator: ", ") + advice(word, known)
                throw FirestoreError(
                    .invalidArgument, "unknown type; use one of \(choices)", cause: TransferReason.typeOfColumn(entry: text))
            }
            list.append((name, type))
        }
        return list
    }
}
