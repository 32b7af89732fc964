// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A PostgreSQL server with an empty cluster in a folder of its own, on a free port of the loopback interface.
///
/// Its programs come from the system's package; a server that runs on the machine is never used. The server ends with the test process,
/// also if that is killed. Every method blocks its thread.
package final class PostgresServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let port: Int
    private let installation: PostgresInstallation
    private let account: ServerAccount?
    private let folder: URL
    private let syncsToDisk: Bool
    private let running = Held<RunningServer?>(nil)

    /// The role that `initdb` makes. It connects without a password.
    package static let user = "hearth"
    /// The only role that has to name its password, which a test has to set.
    package static let guardedUser = "guarded"

    /// Makes the cluster. `syncsToDisk` is for tests of faults, and makes every commit slower.
    package init(syncsToDisk: Bool = false) throws {
        installation = try PostgresInstallation.required()
        account = try ServerAccount.unprivileged()
        self.syncsToDisk = syncsToDisk
        port = try FreePort.find()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-postgres-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try account?.own(folder)
        let options = ["-D", dataFolder, "-U", Self.user, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        try ServerProgram.run(command([installation.program("initdb")] + options), environment: environment)
        try writeAccessRules()
    }

    deinit { remove() }

    private var dataFolder: String { folder.appendingPathComponent("data").path }
    private var logFile: String { folder.appendingPathComponent("log").path }

    /// A shell command, as the account that owns the cluster.
    private func command(_ words: [String]) -> [String] { (account?.prefix ?? []) + words }

    /// Without the variables of libpq, and in English.
    private var environment: [String: String] {
        ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C", "HOME": folder.path]
    }

    private func writeAccessRules() throws {
        let rules = """
            host all \(Self.guardedUser) 127.0.0.1/32 scram-sha-256
            host all all 127.0.0.1/32 trust
            host replication all 127.0.0.1/32 trust

            """
        // The file exists: writing into it keeps its owner.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: dataFolder + "/pg_hba.conf"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(rules.utf8))
        try file.close()
    }

    // MARK: Running

    /// Starts the server and waits until it accepts connections.
    package func start() throws {
        try running.withLock { running in
            guard running == nil else { return }
            let server = try RunningServer(command: command, server: serverWords, folder: folder.path, log: logFile, environment: environment)
            running = server
            let deadline = ContinuousClock.now + .seconds(60)
            while !isReady {
                guard server.isRunning, ContinuousClock.now < deadline else {
                    server.end(SIGKILL)
                    running = nil
                    throw Failure(description: "PostgreSQL does not start: \(log.suffix(2_000))")
                }
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private var serverWords: [String] {
        let settings = [
            "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=", "max_connections=200", "shared_buffers=64MB",
            "fsync=\(syncsToDisk ? "on" : "off")", "full_page_writes=\(syncsToDisk ? "on" : "off")", "max_prepared_transactions=0",
        ]
        return [installation.program("postgres"), "-D", dataFolder] + settings.flatMap { ["-c", $0] }
    }

    /// Stops the server. Immediately is like a crash: the server closes its connections without a word, and recovers at its next start.
    package func stop(immediately: Bool = false) {
        running.withLock { running in
            running?.end(immediately ? SIGQUIT : SIGINT)
            running = nil
        }
    }

    package func restart(immediately: Bool = false) throws {
        stop(immediately: immediately)
        try start()
    }

    /// Stops the server and deletes its cluster.
    func remove() {
        stop(immediately: true)
        try? FileManager.default.removeItem(at: folder)
    }

    /// The last line of the file in which the server describes itself.
    private var isReady: Bool {
        let text = (try? String(contentsOfFile: dataFolder + "/postmaster.pid", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").last?.trimmingCharacters(in: .whitespaces) == "ready"
    }

    // MARK: Use

    /// What the server has logged.
    package var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

    package func url(database: String = "postgres", user: String = PostgresServer.user) -> String {
        "postgresql://\(user)@127.0.0.1:\(port)/\(database)"
    }

    /// Runs statements with `psql`, for example to make a database, and returns what they print, without headings.
    @discardableResult
    package func run(_ sql: String, database: String = "postgres") throws -> String {
        let words = [installation.program("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url(database: database), "-c", sql]
        return try ServerProgram.run(words, environment: environment)
    }

    // MARK: Shared

    private static let sharedServer: Result<PostgresServer, any Error> = Result {
        let server = try PostgresServer()
        try server.start()
        // The process ends without releasing constants.
        toRemove.withLock { $0 = server }
        atexit { PostgresServer.toRemove.withLock { $0?.remove() } }
        return server
    }
    private static let toRemove = Held<PostgresServer?>(nil)

    /// The server of all tests of this process, started at its first use. Never stop it.
    package static var shared: PostgresServer { get throws { try sharedServer.get() } }
}
