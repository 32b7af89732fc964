// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Testing

/// The programs of a PostgreSQL server of version 15 or later.
package struct PostgresInstallation: Sendable {
    private let folder: String

    private static let oldestVersion = 15

    /// The first one that is found: where HEARTH_POSTGRES_BIN says, in the folders of Debian, newest first, where `pg_config` says, and on
    /// PATH.
    package static let found: PostgresInstallation? = {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["HEARTH_POSTGRES_BIN"] { return PostgresInstallation(folder) }
        let debian = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []).sorted {
            $0.compare($1, options: .numeric) == .orderedDescending
        }
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let candidates = versions.map { "\(debian)/\($0)/bin" } + path
        return candidates.lazy.compactMap { PostgresInstallation($0) }.first ?? configured()
    }()

    private static func configured() -> PostgresInstallation? {
        guard let output = try? ServerProgram.run(["/usr/bin/env", "pg_config", "--bindir"], environment: nil) else { return nil }
        return PostgresInstallation(output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private init?(_ folder: String) {
        self.folder = folder
        guard ["postgres", "initdb", "psql"].allSatisfy({ FileManager.default.isExecutableFile(atPath: program($0)) }) else { return nil }
        // `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`
        guard let output = try? ServerProgram.run([program("postgres"), "--version"], environment: nil),
            let version = output.split(separator: " ").dropFirst(2).first.flatMap({ Int($0.prefix { $0.isNumber }) }),
            version >= Self.oldestVersion
        else { return nil }
    }

    package func program(_ name: String) -> String { folder + "/" + name }

    static func required() throws -> PostgresInstallation {
        guard let found else { throw PostgresServer.Failure(description: missing) }
        return found
    }

    fileprivate static let missing = "no PostgreSQL server of version 15 or later: apt-get install postgresql-15, or set HEARTH_POSTGRES_BIN"

    /// Whether tests run that need a server: in CI always, so that they fail if there is none.
    fileprivate static var isExpected: Bool { found != nil || ProcessInfo.processInfo.environment["CI"] == "true" }
}

extension Trait where Self == ConditionTrait {
    /// The tests need a PostgreSQL server. They are skipped where none is installed, except in CI.
    package static var needsPostgres: Self {
        .enabled(if: PostgresInstallation.isExpected, Comment(rawValue: PostgresInstallation.missing))
    }
}
