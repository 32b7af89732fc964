// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation
import TestSupport
import Testing

@testable import hearth

/// Which database a command works on.
@Suite(.waitingForProcesses) struct PlaceTests {
    static let choices: [(arguments: [String], environment: [String: String], kind: Place.Kind, project: String?)] = [
        (["--data", "a.sqlite"], ["GOOGLE_CLOUD_PROJECT": "e", "FIRESTORE_EMULATOR_HOST": "h:1"], .file("a.sqlite"), nil),
        (["--data", "a.sqlite", "--project", "p"], [:], .file("a.sqlite"), "p"),
        (["--server", "h:1"], ["GOOGLE_CLOUD_PROJECT": "e", "HEARTH_DATABASE": "x"], .server(address: "h:1", usesTLS: false), "e"),
        (["--server", "h:1", "--tls", "--project", "p"], ["GOOGLE_CLOUD_PROJECT": "e"], .server(address: "h:1", usesTLS: true), "p"),
        (["--server", "h:1"], ["FIREBASE_PROJECT_ID": "f"], .server(address: "h:1", usesTLS: false), "f"),
        (["--cloud", "c"], ["FIRESTORE_EMULATOR_HOST": "h:1"], .cloud(credentials: nil), "c"),
        (["--cloud", "c", "--credentials", "k.json"], [:], .cloud(credentials: "k.json"), "c"),
        ([], ["FIRESTORE_EMULATOR_HOST": "h:1", "GOOGLE_APPLICATION_CREDENTIALS": "k", "HEARTH_DATABASE": "x"], .server(address: "h:1", usesTLS: false), nil),
        ([], ["GOOGLE_APPLICATION_CREDENTIALS": "k", "HEARTH_DATABASE": "x", "GOOGLE_CLOUD_PROJECT": "e"], .cloud(credentials: nil), "e"),
        ([], ["HEARTH_DATABASE": "x", "GOOGLE_CLOUD_PROJECT": "e", "FIRESTORE_EMULATOR_HOST": ""], .file("x"), nil),
        (["--credentials", "k"], ["HEARTH_DATABASE": "x"], .cloud(credentials: "k"), nil),
        (["--server", "http://h:1/"], [:], .server(address: "h:1", usesTLS: false), nil), (["--server", "HTTPS://h:1"], [:], .server(address: "h:1", usesTLS: true), nil),
        (["--server", "https://h:1", "--tls", "--trust", "c"], [:], .server(address: "h:1", usesTLS: true), nil), (["--server", "https://[::1]:1", "--trust", "c"], [:], .server(address: "[::1]:1", usesTLS: true), nil),
        ([], ["FIRESTORE_EMULATOR_HOST": "http://127.0.0.1:8080"], .server(address: "127.0.0.1:8080", usesTLS: false), nil),
    ]

    @Test(arguments: choices.indices)
    func `options before environment, and there the order of the app`(index: Int) throws {
        let (arguments, environment, kind, project) = Self.choices[index]
        let place = try PlaceOptions.place(arguments, environment: environment)
        #expect(place.kind == kind)
        #expect(place.projectID == project)
    }

    static let refusals: [(arguments: [String], environment: [String: String], part: String)] = [
        ([], [:], "no database is given; use --data FILE, --server HOST:PORT or --cloud PROJECT"), (["--data", ":memory:"], [:], "a database in memory exists only as long as this command"),
        ([], ["HEARTH_DATABASE": ":memory:"], "HEARTH_DATABASE: a database in memory"), (["--data", "a", "--server", "b:1"], [:], "--data and --server exclude each other"),
        (["--data", "a", "--credentials", "b"], [:], "--credentials requires --cloud"), (["--tls", "--data", "a"], [:], "--tls requires --server"),
        (["--cloud", "a", "--project", "b"], [:], "omit --project"), (["--data", "a", "--timeout", "0"], [:], "--timeout must be greater than 0"),
        (["--server", "http://h:1", "--tls"], [:], "--server http://h:1: http:// and --tls contradict each other"), (["--server", "http://h:1/emulator"], [:], "the address of a server has no path; use h:1"),
        ([], ["FIRESTORE_EMULATOR_HOST": "grpc://h:1"], "FIRESTORE_EMULATOR_HOST grpc://h:1: the address of a server is"), (["--server", "http://h"], [:], "h: a server is named host:port"),
        (["--data", "/nonexistent/a.sqlite"], [:], "/nonexistent/a.sqlite: there is no such file"), (["--data", "/tmp"], [:], "this is a directory"),
    ]

    @Test(arguments: refusals.indices)
    func `options that do not name a database are rejected, with a reason`(index: Int) throws {
        let (arguments, environment, part) = Self.refusals[index]
        let command = try HearthCommand(["get", "cities/SF"] + arguments, environment: environment)
        #expect(command.exitCode == 2)
        #expect(command.output.isEmpty)
        #expect(command.errors.contains(part), "\(command.errors)")
    }

    @Test func `a file has its own ids, and other ids are rejected`() async throws {
        let file = try await DatabaseFile()
        let environment = ["HEARTH_DATABASE": file.path]
        #expect(try HearthCommand(["count", "books"], environment: environment).output == "3\n")
        #expect(try HearthCommand(["count", "books", "--project", "library"], environment: environment).output == "3\n")
        let other = try HearthCommand(["count", "books", "--project", "other"], environment: environment)
        #expect(other.exitCode == 2)
        #expect(other.errors.contains("holds database (default) of project library"), "\(other.errors)")
        // Names nothing and changes nothing.
        #expect(try HearthCommand("check", file.path).output.contains("project library"))
    }

    @Test func `only commands that bring something in make a file`() throws {
        let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/new.sqlite"
        for arguments in [["get", "a/b"], ["query", "a"], ["count", "a"], ["watch", "a"], ["update", "a/b", "n=1"], ["delete", "a/b"], ["explain", "a"], ["collections"]] {
            #expect(try HearthCommand(arguments + ["--data", path], environment: [:]).exitCode == 2, "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory))
        #expect(try HearthCommand("add", "a", "{}", "--data", path, "--project", "p", "--database", "other").exitCode == 0)
        #expect(try HearthCommand("count", "a", "--data", path).output == "1\n")
        #expect(try HearthCommand("check", path).output.contains("database other of project p"))
    }

    @Test func `a file that another process has open is left to it`() async throws {
        let file = try await DatabaseFile()
        let engine = try file.open()
        let command = try HearthCommand("get", "books/1", "--data", file.path)
        #expect(command.exitCode == 2)
        #expect(command.errors.contains("open in another process (pid \(getpid()))"), "\(command.errors)")
        await engine.shutdown()
        try Data("no database".utf8).write(to: URL(fileURLWithPath: file.directory + "/text"))
        #expect(try HearthCommand("get", "books/1", "--data", file.directory + "/text").exitCode == 2)
    }

    @Test func `a server's file is a file, once the server has stopped`() throws {
        let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try HearthServerProcess("--data", directory, "--port", "0")
        let address = "127.0.0.1:\(try server.port)"
        let environment = ["FIRESTORE_EMULATOR_HOST": address, "GOOGLE_CLOUD_PROJECT": "p"]
        #expect(try HearthCommand(["set", "cities/SF", "{}"], environment: environment).exitCode == 0)
        let file = directory + "/p/_default.sqlite"
        #expect(try HearthCommand("get", "cities/SF", "--data", file).errors.contains("open in another process"))
        server.terminate()
        #expect(server.waitForExit() == 0)
        #expect(try HearthCommand("get", "cities/SF", "--data", file).exitCode == 0)
    }

    @Test func `an unreachable server is named`() throws {
        let command = try HearthCommand("get", "cities/SF", "--server", "127.0.0.1:1", "--timeout", "20")
        #expect(command.exitCode == 2)
        #expect(!command.errors.isEmpty && command.output.isEmpty, "\(command)")
        let address = try HearthCommand("get", "cities/SF", "--server", "nowhere")
        #expect(address.errors.contains("nowhere: a server is named host:port"), "\(address)")
    }
}
