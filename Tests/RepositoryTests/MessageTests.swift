// SPDX-License-Identifier: Apache-2.0
import Testing

/// Texts are for readers: code that has to distinguish errors looks at their codes and causes.
struct MessageTests {
    /// Files that read the texts of others, which have no other form: SQLite's, those of Identity Toolkit (two), the argument parser's; and
    /// the mark in the status of a write stream, which has no other place for it.
    private static let readers: Set<String> = [
        "Sources/Database/FirestoreSQLite/Files/StoreErrors.swift", "Sources/Server/FirestoreAccounts/HTTP/ActionPage.swift",
        "Sources/Tools/hearth/Options/NearestName.swift", "Sources/App/FirebaseAuth/Identity/ServerCode.swift",
        "Sources/Firestore/FirestoreCore/Contracts/SequenceRecord.swift",
    ]

    @Test func `no code decides by the words of a message`() throws {
        for file in Repository.swiftFiles where file.path.hasPrefix("Sources/") && !Self.readers.contains(file.path) {
            for (index, line) in try file.lines.enumerated() where line.contains("essage") || line.contains("escription") {
                guard Self.asks(line) else { continue }
                Issue.record("\(file):\(index + 1) asks for words of a message: give the error a cause")
            }
        }
    }

    @Test(arguments: [
        ("if error.message.contains(\"another server\") {", true), ("guard message.hasPrefix(\"there is\") else {", true),
        ("if error.localizedDescription.hasSuffix(\"x\") {", true), ("beginnings.contains(where: message.hasPrefix)", true),
        ("texts.first(where: error.message.contains)", true), ("if \"\\(error.message)\".starts(with: \"a\") {", true),
        ("error.message.utf8.starts(with: mark)", true), ("let text = error.message", false), ("messages.contains(id)", false),
        ("message.fields.contains { $0.name == name }", false), ("state.messages.hasPrefix", false),
    ])
    func `a question about words is recognized`(line: String, expected: Bool) {
        #expect(Self.asks(Substring(line)) == expected)
    }

    private static func asks(_ line: Substring) -> Bool {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { return false }
        return code.contains(/(^|[^A-Za-z])(message|description|localizedDescription)(\)")?(\.utf8|\.lowercased\(\))?\.(contains|hasPrefix|hasSuffix|starts)([^A-Za-z]|$)/)
    }
}
