#if Remote
import Foundation
import Testing

/// `hearth serve` as a process.
struct ServeTests {
    @Test func `it says where it is, answers, and ends well when told to`() async throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0")
        defer { server.kill() }
        let port = try server.port
        #expect(server.readyLine.contains("export FIRESTORE_EMULATOR_HOST=127.0.0.1:\(port)"))
        #expect(try await server.get("/healthz") == "ok\n")
        server.terminate()
        #expect(server.waitForExit() == 0)
        #expect(server.errors.contains("stopped"))
    }

    @Test func `a port that is taken is said, and is no success`() async throws {
        let first = try HearthServerProcess("--in-memory", "--port", "0")
        defer { first.kill() }
        let second = try HearthCommand("serve", "--in-memory", "--port", "\(try first.port)")
        #expect(second.exitCode == 2)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("in use"))
    }

    @Test func `data is there after a restart, and after a kill`() async throws {
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
        (["--data", "x", "--in-memory"], [:], "exclude"), ([], ["HEARTH_PORT": "many"], "\"port\" in the environment"),
        (["--config", "/nonexistent.json"], [:], "/nonexistent.json"), (["--log-level", "loud"], [:], "log-level"),
        (["--max-calls", "0"], [:], "max-calls"), (["--tls-cert", "/no.pem", "--tls-key", "/no.pem", "--port", "0"], [:], "/no.pem"),
        (["--data", "/proc/hearth", "--port", "0"], [:], "/proc/hearth"),
    ])
    func `what is wrong with the settings is said`(arguments: [String], environment: [String: String], part: String) throws {
        let command = try HearthCommand(["serve"] + arguments, environment: environment)
        #expect(command.exitCode == 2)
        #expect(command.errors.contains(part), "\(command.errors)")
        #expect(command.output.isEmpty)
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
#endif
