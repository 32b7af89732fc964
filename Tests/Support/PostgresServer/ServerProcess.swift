// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A running server, and a shell that ends it when this process ends.
///
/// The shell waits for the end of its input, a pipe whose other end this process holds: it also closes when the process is killed.
final class RunningServer: Sendable {
    private let process: Process
    private let input: Pipe

    /// A line on the input means that the server was stopped; its end without one, that this process has ended. The shell becomes the
    /// server, and what waits is a child of neither, because the server watches its children.
    private static let script = """
        folder=$1; shift
        exec 3<&0
        ( { read -r line <&3 || { kill -QUIT $$; sleep 1; rm -rf "$folder"; }; } >/dev/null 2>&1 & )
        exec "$@" </dev/null 3<&-
        """

    init(command: ([String]) -> [String], server: [String], folder: String, log: String, environment: [String: String]) throws {
        process = Process()
        input = Pipe()
        let words = command(["/bin/sh", "-c", Self.script, "sh", folder] + server)
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = input
        if !FileManager.default.fileExists(atPath: log) { try Data().write(to: URL(fileURLWithPath: log)) }
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try output.seekToEnd()
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    /// Asks the system: Foundation notices the end of a process only when its children have ended, too, and what waits in the shell is one.
    var isRunning: Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(process.processIdentifier), &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 && information.si_signo == 0
    }

    /// Sends a signal and waits for the end of the server.
    func end(_ signal: Int32) {
        if isRunning { kill(process.processIdentifier, signal) }
        while isRunning { Thread.sleep(forTimeInterval: 0.005) }
        try? input.fileHandleForWriting.write(contentsOf: Data("stopped\n".utf8))
        try? input.fileHandleForWriting.close()
    }
}

/// `postgres` and `initdb` refuse to run as root: the account that runs them then.
struct ServerAccount: Sendable {
    private let user: uid_t
    private let group: gid_t

    /// Nil if this process does not run as root.
    static func unprivileged() throws -> ServerAccount? {
        guard getuid() == 0 else { return nil }
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name) { return ServerAccount(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid) }
        }
        throw PostgresServer.Failure(description: "PostgreSQL does not run as root, and there is no account for it")
    }

    var prefix: [String] { ["/usr/bin/env", "setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups"] }

    func own(_ folder: URL) throws {
        guard chown(folder.path, user, group) == 0 else {
            throw PostgresServer.Failure(description: "chown \(folder.path): error \(errno)")
        }
    }
}

enum ServerProgram {
    /// Runs a program and returns its output. Throws what it prints as an error if it fails.
    @discardableResult
    static func run(_ words: [String], environment: [String: String]?) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        if let environment { process.environment = environment }
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw PostgresServer.Failure(description: "\(words[0]): status \(process.terminationStatus): \(text)")
        }
        return text
    }
}

enum FreePort {
    /// A port outside of the range from which systems give ports to clients, so that it is still free after a restart of the server.
    static func find() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            if isFree(port) { return port }
        }
        throw PostgresServer.Failure(description: "no free port")
    }

    private static func isFree(_ port: Int) -> Bool {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let socket = socket(AF_INET, kind, 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
    }
}

/// State with a lock.
///
/// `@unchecked Sendable`: the state is reached through `withLock` only, under the lock.
final class Held<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    init(_ state: State) { self.state = state }

    func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
