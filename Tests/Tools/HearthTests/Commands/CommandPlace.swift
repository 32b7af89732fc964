// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A fresh database to run commands on: a file, or a project of a server that all tests share.
final class CommandPlace {
    enum Kind: String, CaseIterable, Sendable {
        case data
        case server
    }

    /// What names it on the command line.
    let options: [String]
    private let directory: String?

    init(_ kind: Kind) throws {
        switch kind {
        case .data:
            let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            self.directory = directory
            options = ["--data", directory + "/data.sqlite"]
        case .server:
            directory = nil
            options = ["--server", "127.0.0.1:\(try SharedServer.port.get())", "--project", "p-" + AutoID.make().lowercased()]
        }
    }

    deinit {
        if let directory { try? FileManager.default.removeItem(atPath: directory) }
    }

    func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> HearthCommand {
        try HearthCommand(arguments + options, environment: environment, input: input)
    }

    func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> HearthCommand {
        try HearthCommand(arguments + options, environment: environment, input: input)
    }

    /// Documents by typed JSON.
    func fill(_ documents: [(path: String, json: String)]) throws {
        for (path, json) in documents {
            let command = try run("set", path, json)
            guard command.exitCode == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["said": command.errors]) }
        }
    }
}

/// `hearth serve` for all tests of this process, ended with it.
private enum SharedServer {
    // Written once, under the lock of every static property; only its port is used, and its process ended.
    nonisolated(unsafe) private static let server = Result { try HearthServerProcess("--in-memory", "--port", "0") }
    static let port = Result { () throws -> Int in
        atexit { SharedServer.stop() }
        return try server.get().port
    }
    private static func stop() { (try? server.get())?.kill() }
}

extension HearthCommand {
    /// Standard output, with TIME for every time in it.
    var timeless: String {
        output.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
    }
}
