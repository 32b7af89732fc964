// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `hearth serve` as a process.
@Suite(.waitingForProcesses) struct ServeTests {
    @Test func `a server prints its address, answers, and stops gracefully`() async throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0")
        defer { server.kill() }
        let port = try server.port
        #expect(server.readyLine.contains("export FIRESTORE_EMULATOR_HOST=127.0.0.1:\(port)"))
        #expect(try await server.get("/healthz") == "ok\n")
        server.terminate()
        #expect(server.waitForExit() == 0)
        #expect(server.errors.contains("stopped"))
    }

    @Test func `a signal right after the ready line stops it like any other`() throws {
        for _ in 0..<TestScale.pick(quick: 5, full: 50) {
            let server = try HearthServerProcess("--in-memory", "--port", "0")
            server.terminate()
            #expect(server.waitForExit() == 0)
        }
    }

    @Test func `a port in use is reported as a failure`() async throws {
        let first = try HearthServerProcess("--in-memory", "--port", "0")
        defer { first.kill() }
        let second = try HearthCommand("serve", "--in-memory", "--port", "\(try first.port)")
        #expect(second.exitCode == 2)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("in use"))
    }

    @Test func `data exists after a restart, and after a kill`() async throws {
        let directory = NSTemporaryDirectory() + "hearth-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = "/v1/projects/library/databases/(default)/documents/books"
        for round in 1...3 {
            let server = try HearthServerProcess("--data", directory, "--port", "0")
            defer { server.kill() }
            _ = try await server.send("POST", path + "?documentId=b\(round)", #"{"fields":{"n":{"integerValue":"\#(round)"}}}"#)
            for earlier in 1...round {
                #expect(try await server.get("\(path)/b\(earlier)").contains("\"integerValue\""), "\(earlier) in \(round)")
            }
            if round == 2 {
                server.kill()
                _ = server.waitForExit()
            } else {
                server.terminate()
                #expect(server.waitForExit() == 0)
            }
        }
    }

    @Test func `flags before environment before file before defaults`() throws {
        let file = NSTemporaryDirectory() + "hearth-" + UUID().uuidString + ".json"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(#"{"port": 0, "durability": "relaxed", "log-level": "error", "in-memory": true, "max-calls": 7}"#.utf8)
            .write(to: URL(fileURLWithPath: file))
        let environment = ["HEARTH_CONFIG": file, "HEARTH_LOG_LEVEL": "debug", "HEARTH_MAX_CALLS": "8", "HEARTH_HOST": "127.0.0.1"]
        let shown = try HearthCommand(["serve", "--max-calls", "9", "--print-config"], environment: environment)
        #expect(shown.exitCode == 0, "\(shown.errors)")
        let settings = try shown.object()
        #expect(settings["port"] as? Int == 0)
        #expect(settings["durability"] as? String == "relaxed")
        #expect(settings["log-level"] as? String == "debug")
        #expect(settings["max-calls"] as? Int == 9)
        #expect(settings["host"] as? String == "127.0.0.1")
        #expect(settings["grace"] as? Int == 10)
    }

    @Test(arguments: [
        (["--port", "70000"], [:], "port"), (["--durability", "some"], [:], "durability"), (["--tls-cert", "a.pem"], [:], "TLS"),
        (["--data", "x", "--in-memory"], [:], "exclude"), ([], ["HEARTH_PORT": "many"], "the environment variable HEARTH_PORT is not a whole number"),
        (["--config", "/nonexistent.json"], [:], "/nonexistent.json"), (["--log-level", "loud"], [:], "log-level"),
        (["--max-calls", "0"], [:], "max-calls"), (["--tls-cert", "/no.pem", "--tls-key", "/no.pem", "--port", "0"], [:], "/no.pem"),
        (["--data", "/proc/hearth", "--port", "0"], [:], "the data directory /proc/hearth cannot be created in /proc"),
        (["--data", "/dev/null", "--port", "0"], [:], "/dev/null is not a directory"), (["--host", "nowhere.invalid", "--port", "0", "--allow-everything"], [:], "\"nowhere.invalid\" is not a known host"),
        (["--host", "203.0.113.7", "--port", "0", "--allow-everything"], [:], "is not an address of this machine"), (["--port", "0", "--port-file", "/nowhere/port"], [:], "the port file /nowhere/port cannot be written"),
        (["--tls-cert", "/no.pem", "--tls-key", "/no.pem", "--port", "0"], [:], "the file of the certificate, /no.pem, cannot be read: No such file or directory"),
        ([], ["HEARTH_PROT": "1"], "HEARTH_PROT is not a variable of Hearth; did you mean HEARTH_PORT?"), (["--config", "/nonexistent.json"], [:], "does not exist"),
        (["--config", "/proc"], [:], "it is a directory"), (["--allow-origin", "*"], [:], "--allow-origin: \"*\" would let every page"), ([], ["HEARTH_ALLOW_ORIGIN": "null"], "--allow-origin: \"null\""),
        (["--allow-origin", "https://a.example/"], [:], "is not an origin"), (["--allow-host", "*.example.com"], [:], "--allow-host: \"*.example.com\" is not a host name"),
        (["--allow-host", "https://a.example"], [:], "is not a host name"),
    ])
    func `invalid settings are reported`(arguments: [String], environment: [String: String], part: String) throws {
        let command = try HearthCommand(["serve"] + arguments, environment: environment)
        #expect(command.exitCode == 2)
        #expect(command.errors.contains(part), "\(command.errors)")
        #expect(command.output.isEmpty)
        #expect(!command.errors.contains("stopping") && !command.errors.contains("stopped"))
        for raw in ["NSCocoaErrorDomain", "Error Domain", "NIO", "SocketAddressError", "IOError", "localizedDescription"] {
            #expect(!command.errors.contains(raw), "\(command.errors)")
        }
    }

    @Test(arguments: [
        ("{\"port\": 1,\n \"host\": }", "is not valid JSON: a value is expected (line 2, column 10)"), ("", "is not valid JSON: the text ends where a value is expected (line 1, column 1)"),
        ("[]", "must hold one JSON object"), (#"{"prot": 1}"#, "\"prot\" in "), (#"{"prot": 1}"#, "is not a setting; did you mean port?"), (#"{"config": "x"}"#, "\"config\" in "),
        (#"{"log": {"level": "info"}}"#, "\"log\" in "), (#"{"grace": "many"}"#, "is not a whole number"), (#"{"port": null}"#, "must be a string, a whole number, true or false"),
        (#"{"strict": 1}"#, "is not true or false"), (#"{"allow-host": [1]}"#, "must be an array of strings"), (#"{"port": 8080.5}"#, "must be a string, a whole number"),
    ])
    func `an invalid configuration file is reported, with the location`(text: String, part: String) throws {
        let folder = try ScratchFolder()
        let file = try folder.file("hearth.json", text)
        let command = try HearthCommand("serve", "--config", file, "--port", "0", "--print-config")
        #expect(command.exitCode == 2 && command.output.isEmpty)
        #expect(command.errors.contains(part) && command.errors.contains(file), "\(command.errors)")
    }

    @Test func `hosts and origins are allowed by options, variables and the file`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("hearth.json", #"{"allow-host": "file.example", "allow-origin": ["https://a.example", "https://b.example"]}"#)
        func settings(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (hosts: [String]?, origins: [String]?) {
            let shown = try HearthCommand(["serve", "--print-config"] + arguments, environment: environment)
            #expect(shown.exitCode == 0, "\(shown.errors)")
            let object = try shown.object()
            return (object["allow-host"] as? [String], object["allow-origin"] as? [String])
        }
        let given = try settings(["--allow-host", "one.example", "--allow-host", "two.example"])
        #expect(given.hosts == ["one.example", "two.example"] && given.origins == [])
        let fromFile = try settings(["--config", file])
        #expect(fromFile.hosts == ["file.example"] && fromFile.origins == ["https://a.example", "https://b.example"])
        let both = try settings(["--config", file], ["HEARTH_ALLOW_HOST": "x.example, y.example", "HEARTH_ALLOW_ORIGIN": ""])
        #expect(both.hosts == ["x.example", "y.example"] && both.origins == [])
    }

    @Test func `a data directory that is being served is rejected, with the process that serves it`() async throws {
        let folder = try ScratchFolder()
        let first = try HearthServerProcess("--data", folder.path, "--port", "0")
        defer { first.kill() }
        let second = try HearthCommand("serve", "--data", folder.path, "--port", "0")
        #expect(second.exitCode == 2 && second.output.isEmpty)
        #expect(second.errors.contains("is served by another process (pid \(first.processID))"), "\(second.errors)")
        #expect(!second.errors.contains("stopping"))
        // A process that is killed leaves the lock's file, and no lock.
        first.kill()
        _ = first.waitForExit()
        let third = try HearthServerProcess("--data", folder.path, "--port", "0")
        #expect(try await third.get("/healthz") == "ok\n")
        third.terminate()
        #expect(third.waitForExit() == 0)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
    func `a name that is allowed is answered for`() async throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0", "--allow-host", "db.example.com")
        defer { server.kill() }
        for (host, status) in [("db.example.com", "200"), ("localhost", "200"), ("www.db.example.com", "421")] {
            let answer = try HearthCommand.shell(
                "curl -s -o /dev/null -w '%{http_code}' -H \"Host: $1\" http://127.0.0.1:$2/metrics", arguments: [host, "\(try server.port)"])
            #expect(answer.output == status, "\(host)")
        }
    }

    @Test func `log lines for machines`() async throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0", "--log-format", "json")
        defer { server.kill() }
        _ = try await server.get("/v1/projects/p/databases/(default)/documents/a/b")
        server.terminate()
        #expect(server.waitForExit() == 0)
        let lines = server.errors.split(separator: "\n")
        #expect(lines.count >= 3)
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            #expect(object["level"] is String)
            #expect(object["message"] is String)
        }
    }
}
