// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import Foundation
    import PostgresServer

    /// A database of PostgreSQL for one test.
    struct StoreFixture {
        let url: String

        init(encoding: String = "UTF8", isInitialized: Bool = true) throws {
            let name = "h_" + AutoID.make().lowercased()
            try PostgresServer.shared.run("CREATE DATABASE \(name) ENCODING '\(encoding)' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
            url = try PostgresServer.shared.url(database: name)
            if isInitialized { _ = try HearthCommand("store", "init", "--store", url) }
        }

        func node() throws -> HearthServerProcess {
            try HearthServerProcess("--store", url, "--port", "0", "--project", "demo", "--no-console", "--development")
        }

        /// Rules in a file that grant everything, or nothing.
        func rules(granting grants: Bool, in folder: URL) throws -> String {
            let file = folder.appendingPathComponent("\(grants).rules")
            try Data("service cloud.firestore { match /{all=**} { allow read, write: if \(grants); } }".utf8).write(to: file)
            return file.path
        }
    }
#endif
