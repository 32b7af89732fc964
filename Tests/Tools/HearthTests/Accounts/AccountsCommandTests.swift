// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `hearth accounts` and `hearth serve --auth` as processes.
@Suite(.waitingForProcesses, .timeLimit(.minutes(2)))
struct AccountsCommandTests {
    private static let users = """
        {"kind":"identitytoolkit#DownloadAccountResponse","users":[
        {"localId":"alice","email":"alice@example.com","emailVerified":true,"salt":"fakeSaltA","passwordHash":"fakeHash:salt=fakeSaltA:password=secret1",
         "createdAt":"1700000000000","validSince":"1700000000","providerUserInfo":[{"providerId":"password","rawId":"alice@example.com","federatedId":"alice@example.com"},
         {"providerId":"google.com","rawId":"123","federatedId":"123"}],"customAttributes":"{\\"role\\":\\"editor\\"}"},
        {"localId":"bob","email":"ALICE@example.com"},
        {"localId":"carol","disabled":true}]}
        """

    private static func export(_ folder: ScratchFolder, metadata: String? = nil, path: String = "seed/auth_export") throws {
        _ = try folder.write(users.utf8, to: path + "/accounts.json")
        _ = try folder.write(#"{"signIn":{"allowDuplicateEmails":false}}"#.utf8, to: path + "/config.json")
        if let metadata { _ = try folder.write(metadata.utf8, to: "seed/firebase-export-metadata.json") }
    }

    @Test func `accounts of the emulator are imported, served, and exported again`() async throws {
        let folder = try ScratchFolder()
        try Self.export(folder, metadata: #"{"version":"14.0.0","firestore":{"path":"firestore_export"},"auth":{"version":"14.0.0","path":"auth_export"}}"#)
        let place = ["--data", folder.file("data"), "--project", "demo-shop"]
        let run = try HearthCommand(["accounts", "import"] + place + [folder.file("seed")], environment: [:])
        #expect(run.exitCode == 1 && run.output == "imported 2 accounts\n" && run.errors.contains("hearth accounts import: users[1]: EMAIL_EXISTS"), "\(run.errors)")

        let server = try HearthServerProcess("--development", "--auth", "0", "--auth-project", "demo-shop", "--port", "0", "--data", folder.file("data"))
        let accounts = try #require(server.readyLine.firstMatch(of: /accounts on (127\.0\.0\.1:\d+)/)).output.1
        #expect(server.readyLine.contains("FIREBASE_AUTH_EMULATOR_HOST=\(accounts)"))
        func post(_ method: String, _ body: String) throws -> String {
            let curl = "curl -s -X POST -H 'content-type: application/json' --data-binary @- 'http://\(accounts)/identitytoolkit.googleapis.com/v1/accounts:\(method)?key=a'"
            return try HearthCommand.shell("\(curl) <<'E'\n\(body)\nE\n").output
        }
        #expect(try post("signInWithPassword", #"{"email":"alice@example.com","password":"secret1"}"#).contains(#""localId":"alice""#))
        #expect(try post("signInWithPassword", #"{"email":"alice@example.com","password":"secret2"}"#).contains("INVALID_PASSWORD"))
        // Locked while the server runs.
        let locked = try HearthCommand(["accounts", "export"] + place + [folder.file("locked")], environment: [:])
        #expect(locked.exitCode == 2 && locked.errors.contains("another process (pid \(server.processID))"), "\(locked.errors)")
        server.terminate()
        #expect(server.waitForExit() == 0)

        _ = try folder.write(#"{"version":"14.0.0","firestore":{"path":"firestore_export"}}"#.utf8, to: "backup/firebase-export-metadata.json")
        let export = try HearthCommand(["accounts", "export"] + place + [folder.file("backup")], environment: [:])
        #expect(export.exitCode == 0 && export.errors.isEmpty, "\(export.errors)")
        let metadata = try #require(try JSONSerialization.jsonObject(with: Data(try folder.bytes(of: "backup/firebase-export-metadata.json"))) as? [String: Any])
        #expect((metadata["auth"] as? [String: Any])?["path"] as? String == "auth_export" && metadata["firestore"] != nil)
        let file = folder.file("backup/auth_export/accounts.json")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("scrypt$14$8$5$") && !text.contains("secret1") && text.contains(#""rawId":"123""#) && text.contains(#"{\"role\":\"editor\"}"#))
        #expect(try HearthCommand(["accounts", "export"] + place + [folder.file("backup")], environment: [:]).errors.contains("export already"))

        let again = ["--data", folder.file("other"), "--project", "demo-shop"]
        let second = try HearthCommand(["accounts", "import"] + again + [folder.file("backup/auth_export")], environment: [:])
        #expect(second.exitCode == 0 && second.output == "imported 2 accounts\n", "\(second.errors)")
    }

    static let refused: [(arguments: [String], says: String)] = [
        (["import", "--data", "DATA", "--project", "shop", "NOTHING"], "there are no accounts; give the folder of an export"),
        (["export", "--data", "DATA", "--project", "shop", "OUT"], "has no accounts of the project shop"), (["export", "--data", "DATA", "--project", "../x", "OUT"], "is not a project id"),
        (["import", "--data", "DATA", "--project", "shop", "ESCAPE"], "leads out of the export"), (["import", "--project", "shop", "SEED"], "--data"),
    ]

    @Test(arguments: refused.indices)
    func `an impossible request is reported, and nothing is created`(index: Int) throws {
        let (arguments, says) = Self.refused[index]
        let folder = try ScratchFolder()
        _ = try folder.write(#"{"auth":{"path":"../../etc"}}"#.utf8, to: "ESCAPE/firebase-export-metadata.json")
        let run = try HearthCommand(["accounts"] + arguments.map { $0 == $0.uppercased() ? folder.file($0) : $0 }, environment: [:])
        #expect(run.exitCode == 2 && run.errors.contains(says), "\(run.errors)")
        #expect(folder.names == ["ESCAPE"])
    }

    @Test func `a server that cannot store accounts does not start`() throws {
        let folder = try ScratchFolder()
        for (arguments, says) in [
            (["--auth", "0", "--port", "0"], "--auth-project"), (["--auth", "0", "--auth-project", "shop", "--port", "0"], "--auth-url"),
            (["--development", "--auth", "0", "--port", "0", "--data", folder.file("data")], "chmod 700"),
        ] {
            try? FileManager.default.createDirectory(atPath: folder.file("data/hearth.accounts"), withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("data/hearth.accounts"))
            let run = try HearthCommand(["serve"] + arguments, environment: [:])
            #expect(run.exitCode == 2 && run.errors.contains(says), "\(run.errors)")
        }
    }
}
