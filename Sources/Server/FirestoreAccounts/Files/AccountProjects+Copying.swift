// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

extension AccountProjects {
    /// A number that increases with every change to the accounts of a project; nil if they are not in a file.
    package func changeCount(of project: String) async -> Int? { await existing(project)?.store.changeCount() }

    /// Puts copies of the files of a project into a folder: the accounts, and the keys that tokens are signed with.
    package func writeCopy(of project: String, to folder: String, withKeys: Bool) async throws(FirestoreError) {
        guard let service = existing(project), let own = self.folder else { return }
        let file = folder + "/" + AccountFolder.accountsFile
        do throws(AccountError) {
            try await service.store.writeCopy(to: file)
        } catch {
            throw FirestoreError(.unavailable, "the accounts of \(project) cannot be copied (\(error.message))", at: file)
        }
        guard withKeys else { return }
        let source = Self.path(of: project, in: own)
        for name in AccountFolder.keyFiles {
            guard let key = FileManager.default.contents(atPath: source + "/" + name) else { continue }
            try AccountFolder.write([UInt8](key), to: folder + "/" + name)
        }
    }
}
