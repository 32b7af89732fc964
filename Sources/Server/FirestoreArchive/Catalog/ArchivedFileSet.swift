// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// Files beside the databases that an archive has: the accounts of a project, or what a server was configured with.
///
///     +accounts/PROJECT/leases/00000003              who may write, one after the other
///     +accounts/PROJECT/as-of/TIME-LEASE             the newest copy, so that it is missed
///     +accounts/PROJECT/copies/TIME-LEASE/part-00001-00001
///     +accounts/PROJECT/copies/TIME-LEASE/done       what the copy is; written last
///     +configuration/…
package enum ArchivedFileSet: Sendable, Hashable {
    case accounts(project: String)
    /// Administrator keys and rules.
    case configuration

    /// What the names of all file sets begin with. No project has a folder of such a name.
    static let mark: Character = "+"
    private static let accountsRoot = "+accounts/"

    /// With a slash at the end.
    var root: String {
        switch self {
        case .accounts(let project): Self.accountsRoot + PercentEncoding.fileName(project) + "/"
        case .configuration: "+configuration/"
        }
    }

    /// The folder of the files in a data directory.
    package func folder(in directory: String) -> String {
        switch self {
        case .accounts(let project): directory + "/hearth.accounts/" + PercentEncoding.encode(project)
        case .configuration: directory + "/hearth.configuration"
        }
    }

    /// For messages.
    package var description: String {
        switch self {
        case .accounts(let project): "accounts of project \(project)"
        case .configuration: "configuration of the server"
        }
    }

    var leases: String { root + "leases/" }
    func lease(_ number: Int) -> String { leases + ArchiveLayout.digits(number, 8) }
    func reach(_ copy: BaseName) -> String { "\(root)\(ArchiveLayout.reachFolder)/\(copy.text)" }
    func folder(of copy: BaseName) -> String { "\(root)copies/\(copy.text)/" }
    func manifest(of copy: BaseName) -> String { folder(of: copy) + "done" }
    /// A piece of a file. Both are counted from 1.
    func part(_ number: Int, ofFile file: Int, of copy: BaseName) -> String {
        "\(folder(of: copy))part-\(ArchiveLayout.digits(file, 5))-\(ArchiveLayout.digits(number, 5))"
    }

    /// The file sets of an archive. Looks at one object of each.
    package static func all(in store: any ArchiveStore) async throws(FirestoreError) -> [ArchivedFileSet] {
        var found: [ArchivedFileSet] = []
        var after: String?
        while let object = try await store.list(accountsRoot, after: after, limit: 1).first {
            let folder = object.name.dropFirst(accountsRoot.count).prefix { $0 != "/" }
            if let project = PercentEncoding.decode(folder), Self.accounts(project: project).root == accountsRoot + folder + "/" {
                found.append(.accounts(project: project))
            }
            // The name behind everything that begins with the folder.
            after = accountsRoot + folder + "0"
        }
        let hasConfiguration = try await !store.list(Self.configuration.root, after: nil, limit: 1).isEmpty
        return found + (hasConfiguration ? [.configuration] : [])
    }
}
