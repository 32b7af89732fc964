// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Accounts as an administrator looks at them: in pages, without passwords.
extension AccountService {
    /// A page of accounts in the order of their ids, or those that begin with a text; and the id after which the next page begins.
    package func page(beginning text: String, after id: String, limit: Int) async throws(AccountError) -> (users: [JSON], next: String?) {
        guard text.isEmpty else {
            return (try await accounts(beginning: text, limit: limit).map { AccountJSON.user($0) }, nil)
        }
        let found = try await accounts(after: id, limit: limit + 1)
        return (found.prefix(limit).map { AccountJSON.user($0) }, found.count > limit ? found[limit - 1].id : nil)
    }

    package func numberOfAccounts() async throws(AccountError) -> Int { try await count() }

    /// The codes that can be listed, in development mode.
    package var codesOfDevelopment: JSON { listedCodesJSON["oobCodes"] ?? .array([]) }
}
