// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreServer
import Testing

@testable import hearth

/// Where `hearth init` makes its files, and which settings it keeps (OP-92).
struct InitPlaceTests {
    private func place(_ folder: String?, _ words: [String] = [], isRoot: Bool, hasService: Bool) throws -> InitPlace {
        try InitPlace.choose(folder, InitOptions.parse(words), isRoot: isRoot) { _ in hasService }
    }

    @Test func `only root without a folder prepares the service, and only where its folder exists`() throws {
        let service = try place(nil, isRoot: true, hasService: true)
        #expect(service.isService && service.folder == "/etc/hearth" && service.data == "/var/lib/hearth")
        #expect(service.key == "/etc/hearth/admin.key" && service.environment == "/etc/hearth/environment")
        for (folder, isRoot, hasService) in [(nil, true, false), (nil, false, true), ("/srv/x", true, true)] as [(String?, Bool, Bool)] {
            let place = try place(folder, isRoot: isRoot, hasService: hasService)
            #expect(!place.isService && place.data == place.folder + "/data" && place.folder.hasPrefix("/"))
        }
        #expect(try place("/etc/hearth", isRoot: false, hasService: true).isService)
    }

    @Test(arguments: ["data", "rules", "admin-key-file"])
    func `what the unit of the service gives is refused as an option`(name: String) {
        let error = #expect(throws: (any Error).self) { try place(nil, ["--\(name)", "x"], isRoot: true, hasService: true) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("--\(name) has no effect on the service"))
    }

    @Test(arguments: ["it's", "a,b", "a\nb"])
    func `a path that the file of settings cannot keep is refused`(name: String) {
        #expect(throws: (any Error).self) { try place("/srv/\(name)", isRoot: false, hasService: false) }
    }

    @Test func `questions are asked for what no option gives, and only when they may be`() throws {
        let folder = try place("/nonexistent/x", isRoot: false, hasService: false)
        var asked: [String] = []
        let options = try InitOptions.parse(["--host", "::1"])
        let answered = try InitValues.read(options, at: folder, asks: true) { question, usual in
            asked.append(question)
            return usual == "8080" ? "9090" : usual
        }
        #expect(asked.count == 4 && answered == InitValues(project: "my-project", host: "::1", port: "9090"))
        let silent = try InitValues.read(options, at: folder, asks: false) { _, _ in
            Issue.record("a question was asked")
            return ""
        }
        #expect(silent == InitValues(project: "my-project", host: "::1", port: "8080"))
    }

    @Test func `quotas are limits that the server accepts`() throws {
        let folder = try place("/nonexistent/x", isRoot: false, hasService: false)
        let values = try InitValues.read(try InitOptions.parse(["--quotas"]), at: folder, asks: false)
        #expect(values.settings(at: folder).last?.value == "/nonexistent/x/quotas.json")
        let limits = try QuotaFile.limits(Array(QuotaSkeleton.text.utf8), path: "quotas.json")
        #expect(limits.user.reads.minute == 5_000 && limits.anonymous.writes.minute == 60 && limits.databasesPerProject == 20)
    }

    @Test func `the service keeps only what its unit does not give`() throws {
        let service = try place(nil, isRoot: true, hasService: true)
        #expect(InitValues.defaults.settings(at: service).map(\.name) == ["project", "host", "port"])
        let own = try place("/srv/x", isRoot: true, hasService: true)
        #expect(InitValues.defaults.settings(at: own).map(\.name) == ["data", "rules", "admin-key-file", "project", "host", "port"])
    }

    @Test(arguments: [("127.0.0.1", "127.0.0.1:8080"), ("0.0.0.0", "127.0.0.1:8080"), ("::", "127.0.0.1:8080"), ("::1", "[::1]:8080")])
    func `the first document is written from this machine`(host: String, address: String) throws {
        let service = try place(nil, isRoot: true, hasService: true)
        let commands = InitNextSteps.commands(service, InitValues(project: "p", host: host, port: "8080"))
        #expect(commands.count == 3 && commands[1] == "systemctl enable --now hearth" && commands[2].contains("--server \(address) "))
    }

    @Test func `a file of settings is read as its other readers read it`() {
        let text = "# HEARTH_PORT='1'\nHEARTH_PORT='2'\nHEARTH_PORT=\"3\"\nHEARTH_HOST=db\nHEARTH_PROJECT='"
        #expect(EnvironmentFile.value(of: "port", in: text) == "3")
        #expect(EnvironmentFile.value(of: "host", in: text) == "db")
        #expect(EnvironmentFile.value(of: "project", in: text) == "'")
        #expect(EnvironmentFile.value(of: "data", in: text) == nil)
        #expect(EnvironmentFile.value(of: "port", in: EnvironmentFile.text([("port", "9")])) == "9")
    }
}
