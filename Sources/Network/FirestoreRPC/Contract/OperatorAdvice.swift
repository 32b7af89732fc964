// SPDX-License-Identifier: Apache-2.0

/// What the operator of a server can do about its refusals. The libraries say what is wrong; the program that starts the server knows its
/// own options and puts the advice into words.
package struct OperatorAdvice: Sendable {
    /// The setting to change.
    package enum Subject: Sendable, Equatable {
        /// The names that the server answers for; the missing one, if it is a name.
        case hosts(String?)
        case origins, forwardedRequests
        case databaseLimit, missingDatabase, dataDirectory
        case development, coverage
        /// A moment of a database before those that can be read.
        case pastRead(database: String, time: String)
        case consoleWrites, archive, slowCalls
        case accounts, signIns, protectedAccounts
        case administratorKeys, protectedKeys, tokens, issuers
    }

    private let words: @Sendable (Subject) -> String

    /// - Parameter words: What follows the text of a refusal, with the sign that separates it; empty for no advice.
    package init(_ words: @escaping @Sendable (Subject) -> String) { self.words = words }

    package static let none = OperatorAdvice { _ in "" }

    package func callAsFunction(_ subject: Subject) -> String { words(subject) }
}
