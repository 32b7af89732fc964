// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import hearth

/// `hearth init`, run (OP-92).
@Suite(.waitingForProcesses) struct InitCommandTests {
    private func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `a new server has a key, rules that refuse everything, and settings`() throws {
        let folder = try ScratchFolder()
        let run = try HearthCommand("init", "--yes", "--project", "shop", "--port", "9090", folder.path + "/a b/server")
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run)")
        let place = folder.path + "/a b/server"
        #expect(try contents(place + "/admin.key").utf8.count == 44 && mode(place + "/admin.key") == 0o600)
        #expect(try contents(place + "/firestore.rules") == RulesSkeleton.text)
        let environment = try contents(place + "/environment")
        #expect(environment.contains("\nHEARTH_DATA='\(place)/data'\n") && environment.contains("\nHEARTH_PORT='9090'\n"))
        let check = try HearthCommand("rules", "check", "--strict", place + "/firestore.rules")
        #expect(check.exitCode == 0, "\(check)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.prefix(3).allSatisfy { $0.hasPrefix("made  \(place)/") } && lines.count == 7)
    }

    @Test func `quotas are a file among the settings, with which the server starts`() throws {
        let folder = try ScratchFolder()
        let run = try HearthCommand("init", "--yes", "--quotas", folder.path)
        #expect(run.exitCode == 0 && run.output.contains("made  \(folder.path)/quotas.json"), "\(run)")
        #expect(try contents(folder.path + "/environment").contains("\nHEARTH_QUOTAS='\(folder.path)/quotas.json'\n"))
        let again = try HearthCommand("init", "--yes", folder.path)
        #expect(again.exitCode == 0 && again.output.contains("kept  \(folder.path)/quotas.json"), "\(again)")
    }

    @Test func `a shell reads the settings, and the server starts with them`() throws {
        let folder = try ScratchFolder()
        #expect(try HearthCommand("init", "--yes", "--project", "shop", folder.path).exitCode == 0)
        let line = "set -a; . \"$1/environment\"; \"$0\" serve --print-config"
        let shown = try HearthCommand.shell(line, arguments: [folder.path])
        #expect(shown.exitCode == 0, "\(shown)")
        for part in ["\"shop\"", "\(folder.path)/data", "\(folder.path)/firestore.rules", "\(folder.path)/admin.key"] {
            #expect(shown.output.replacing("\\/", with: "/").contains(part), "\(shown.output)")
        }
    }

    @Test func `an archive is among the settings, and a folder is found from everywhere`() throws {
        let folder = try ScratchFolder()
        for (place, kept) in [("s3://bucket/prefix", "s3://bucket/prefix"), ("/backup", "/backup"), ("backup", FileManager.default.currentDirectoryPath + "/backup")] {
            let server = folder.path + "/\(place.count)"
            #expect(try HearthCommand("init", "--yes", "--archive", place, server).exitCode == 0)
            #expect(try contents(server + "/environment").contains("\nHEARTH_ARCHIVE='\(kept)'\n"))
        }
        let wrong = try HearthCommand("init", "--yes", "--archive", "ftp://place", folder.path + "/x")
        #expect(wrong.exitCode == 2 && wrong.errors.contains("kind of place"), "\(wrong)")
    }

    @Test func `what exists is kept as it is`() throws {
        let folder = try ScratchFolder()
        try "mine".write(toFile: folder.path + "/firestore.rules", atomically: false, encoding: .utf8)
        #expect(try HearthCommand("init", "--yes", "--port", "9090", folder.path).exitCode == 0)
        let key = try contents(folder.path + "/admin.key")
        let again = try HearthCommand("init", "--yes", folder.path)
        #expect(again.exitCode == 0 && again.output.components(separatedBy: "kept  ").count == 4, "\(again)")
        #expect(again.output.contains("--server 127.0.0.1:9090 "))
        #expect(try contents(folder.path + "/admin.key") == key && contents(folder.path + "/firestore.rules") == "mine")
        let changed = try HearthCommand("init", "--yes", "--port", "1", folder.path)
        #expect(changed.exitCode == 2 && changed.errors.contains("--port would have no effect"), "\(changed)")
    }

    @Test func `nothing is made if a setting is wrong, and without a terminal nothing is asked`() throws {
        let folder = try ScratchFolder()
        for (words, says) in [(["--yes", "--port", "70000"], "between 0 and 65535"), ([], "give --yes"), (["--yes", "--project", "it's"], "apostrophe")] {
            let run = try HearthCommand(["init"] + words + [folder.path + "/new"], environment: [:])
            #expect(run.exitCode == 2 && run.errors.contains(says), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
        }
    }
}
