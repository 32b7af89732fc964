// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreCore
import FirestoreRPC
import Foundation
import HearthBase
import ServerTestSupport
import TestSupport
import Testing

@testable import hearth

/// Codes by e-mail: their recipients, what stays secret, and the page that their links lead to.
@Suite(.timeLimit(.minutes(2)))
struct AccountMailTests {
    private static let code = "/v1/accounts:sendOobCode?key=a"

    /// Appends what it reads to a file.
    private static func writing(to file: String) -> [String] { AccountsPort.production + ["--mail-command", "cat >> \(file)"] }

    private static func mails(_ file: String, count: Int) async throws -> [JSON] {
        for _ in 0..<1_000 {
            let lines = ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n")
            if lines.count >= count { return try lines.map { try JSON($0.utf8) } }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("fewer than \(count) mails")
        return []
    }

    private static func text(_ json: JSON?, _ name: String) -> String { if case .string(let text)? = json?[name] { text } else { "" } }

    @Test func `production conceals which addresses have accounts, and sends mail only to these`() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("mails")
        try await AccountsPort.run(Self.writing(to: file)) { port in
            let up = await port.post("/v1/accounts:signUp?key=a", #"{"email":"known@example.com","password":"secret1"}"#)
            #expect(up.status == 200)
            var answers: [String] = []
            for email in ["known@example.com", "unknown@example.com"] {
                let answer = await port.post(Self.code, #"{"requestType":"PASSWORD_RESET","email":"\#(email)"}"#)
                answers.append("\(answer.status) " + answer.body.replacing(email, with: "X"))
            }
            #expect(answers[0] == answers[1] && answers[0].hasPrefix("200 "))
            answers = []
            for body in [#"{"email":"known@example.com","password":"wrong-one"}"#, #"{"email":"unknown@example.com","password":"wrong-one"}"#] {
                answers.append(await port.post("/v1/accounts:signInWithPassword?key=a", body).body)
            }
            #expect(answers[0] == answers[1] && answers[0].contains("INVALID_LOGIN_CREDENTIALS"))
            let uri = await port.post("/v1/accounts:createAuthUri?key=a", #"{"identifier":"known@example.com","continueUri":"http://localhost"}"#)
            #expect(uri.status == 200 && !uri.body.contains("registered"))
            let mail = try #require(try await Self.mails(file, count: 1).first)
            #expect(Self.text(mail, "kind") == "PASSWORD_RESET" && Self.text(mail, "to") == "known@example.com")
            let code = Self.text(mail, "code")
            #expect(Base64.decode(code)?.count == 16, "128 bits")
            #expect(Self.text(mail, "link").hasPrefix("https://auth.example.com/__/auth/action?mode=resetPassword&"))
            #expect(Self.text(mail, "link").contains("oobCode=\(code)"))
            #expect(await port.log.wait(for: "handed to the mail command"))
            #expect(!port.log.lines.contains { $0.contains(code) || $0.contains("known@example.com") })
            let listed = await port.get("/emulator/v1/projects/demo-shop/oobCodes")
            #expect(listed.status == 404 && !listed.body.contains(code))
        }
        #expect(try await Self.mails(file, count: 1).count == 1)
    }

    @Test func `production without a mail command has no codes`() async throws {
        try await AccountsPort.run(AccountsPort.production) { port in
            for type in ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL"] {
                let answer = await port.post(Self.code, #"{"requestType":"\#(type)","email":"a@b.c","continueUrl":"https://auth.example.com"}"#)
                #expect(answer.status == 400 && answer.message == "OPERATION_NOT_ALLOWED", "\(type)")
            }
        }
    }

    @Test func `development mode lists and logs codes`() async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            #expect(await port.post(Self.code, #"{"requestType":"PASSWORD_RESET","email":"a@b.c"}"#).message == "EMAIL_NOT_FOUND")
            #expect(await port.post("/v1/accounts:signUp?key=a", #"{"email":"a@b.c","password":"secret1"}"#).status == 200)
            #expect(await port.post(Self.code, #"{"requestType":"PASSWORD_RESET","email":"a@b.c"}"#).status == 200)
            let listed = await port.get("/emulator/v1/projects/demo-shop/oobCodes")
            guard case .array(let codes)? = listed.json["oobCodes"], let first = codes.first else {
                Issue.record("\(listed.body)")
                return
            }
            let (code, link) = (Self.text(first, "oobCode"), Self.text(first, "oobLink"))
            #expect(link.hasPrefix("http://\(port.server.address)/emulator/action?mode=resetPassword"))
            #expect(port.log.lines.contains { $0.contains(code) })
            // What opening the link and adding a password does.
            let path = link.replacing("http://\(port.server.address)", with: "")
            #expect(await port.get(path).message.contains("newPassword"))
            #expect(await port.get(path + "&newPassword=secret2").status == 200)
            #expect(await port.post("/v1/accounts:signInWithPassword?key=a", #"{"email":"a@b.c","password":"secret2"}"#).status == 200)
            #expect(await port.get(path + "&newPassword=secret3").message == "INVALID_OOB_CODE")
        }
    }

    // MARK: The command

    private static let mail = AccountMail(
        requestType: "VERIFY_AND_CHANGE_EMAIL", recipient: "new@b.c", email: "old@b.c", newEmail: "new@b.c", code: "the-secret-code", link: "https://a.example/x?oobCode=the-secret-code")

    static let commands: [(command: String, says: String)] = [
        ("exit 3", "the mail command failed [\"kind\": \"VERIFY_AND_CHANGE_EMAIL\", \"code\": \"3\"]"), ("cat > /dev/null", "an e-mail was handed"),
        ("no-such-command-at-all", "the mail command failed"), ("true", "an e-mail was handed"), ("sleep 300 & sleep 300", "longer than"), ("kill -9 $$", "the mail command failed"),
    ]

    @Test(arguments: commands.indices)
    func `the end of the mail command is logged without the code`(index: Int) async throws {
        let (command, says) = Self.commands[index]
        // As the server does: commands may end without reading.
        signal(SIGPIPE, SIG_IGN)
        let log = RecordedLog()
        let mails = MailCommand(command, limit: .seconds(command.hasPrefix("sleep") ? 1 : 30), log: log.logger)
        mails.send(Self.mail)
        await mails.finish(within: .seconds(40))
        let lines = log.lines.joined(separator: "\n")
        let parts = says.components(separatedBy: " [")
        #expect(lines.contains(parts[0]), "\(command): \(lines)")
        if parts.count > 1 { #expect(lines.contains("\"code\": \"3\"") && lines.contains("VERIFY_AND_CHANGE_EMAIL")) }
        #expect(!lines.contains("the-secret-code") && !lines.contains("@b.c"))
    }

    @Test func `the command reads one line of JSON`() throws {
        let json = try JSON(MailCommand.input(Self.mail))
        let expected = ["kind": "VERIFY_AND_CHANGE_EMAIL", "to": "new@b.c", "email": "old@b.c", "newEmail": "new@b.c", "code": "the-secret-code"]
        for (name, text) in expected { #expect(Self.text(json, name) == text) }
    }

    @Test func `mails that exceed the queue are dropped, and sending never waits`() async throws {
        let folder = try ScratchFolder()
        let (gate, file, log) = (folder.file("gate"), folder.file("mails"), RecordedLog())
        let mails = MailCommand("while [ ! -e \(gate) ]; do sleep 0.05; done; cat >> \(file)", capacity: 3, log: log.logger)
        for _ in 0..<10 { mails.send(Self.mail) }
        let dropped = log.lines.filter { $0.contains("an e-mail was dropped") }.count
        #expect((5...7).contains(dropped), "three wait, and up to two are being sent: \(dropped)")
        _ = try folder.file("gate", "")
        await mails.finish(within: .seconds(40))
        #expect(try await Self.mails(file, count: 10 - dropped).count == 10 - dropped)
    }

    // MARK: The page

    @Test func `opening a link changes nothing, its form sets the password once`() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("mails")
        try await AccountsPort.run(Self.writing(to: file)) { port in
            let up = await port.post("/v1/accounts:signUp?key=a", #"{"email":"a@b.c","password":"secret1"}"#)
            _ = await port.post(Self.code, #"{"requestType":"PASSWORD_RESET","email":"a@b.c"}"#)
            let mail = try #require(try await Self.mails(file, count: 1).first)
            let (code, link) = (Self.text(mail, "code"), Self.text(mail, "link").replacing("https://auth.example.com", with: ""))
            for _ in 0..<2 {
                let page = await port.get(link)
                #expect(page.status == 200 && page.body.contains("name=\"newPassword\"") && page.body.contains(code) && !page.body.contains("<script"))
                #expect(page.head.contains("content-security-policy: default-src 'none'") && page.head.contains("cache-control: no-store"))
                #expect(page.body.contains("href=\"action.css\"") && !page.body.contains("fake-api-key"))
            }
            let type = ["content-type: application/x-www-form-urlencoded", "origin: https://auth.example.com", "host: auth.example.com"]
            func submit(_ password: String) async -> AccountsPort.Answer {
                await port.ask("POST", ActionPage.path, type, "mode=resetPassword&oobCode=\(code)&newPassword=\(password)")
            }
            #expect(await submit("abc").body.contains("too short"))
            #expect(await submit("secret2").body.contains("The password is set"))
            #expect(await submit("secret3").status == 400)
            #expect(await port.post("/v1/accounts:signInWithPassword?key=a", #"{"email":"a@b.c","password":"secret2"}"#).status == 200)
            // The sessions from before have ended.
            let refresh = await port.post("/v1/token?key=a", #"{"grantType":"refresh_token","refreshToken":"\#(up.text("refreshToken"))"}"#)
            #expect(refresh.message == "INVALID_REFRESH_TOKEN")
        }
    }

    static let links: [(query: String, status: Int, location: String?)] = [
        ("mode=signIn&oobCode=a&continueUrl=https%3A%2F%2Fapp.example.com%2Fin%3Fx%3D1%23top", 302, "https://app.example.com/in?x=1&mode=signin&oobcode=a&lang=en#top"),
        ("mode=signIn&oobCode=a&apiKey=k-1&continueUrl=https%3A%2F%2Fapp.example.com%2F%23top", 302, "https://app.example.com/?mode=signin&oobcode=a&apikey=k-1&lang=en#top"),
        ("mode=signIn&oobCode=a&apiKey=k%26x%3D1&continueUrl=https%3A%2F%2Fapp.example.com%2F%23top", 302, "https://app.example.com/?mode=signin&oobcode=a&lang=en#top"),
        ("mode=signIn&oobCode=a&continueUrl=https%3A%2F%2Fevil.example", 400, nil), ("mode=signIn&oobCode=a&continueUrl=javascript%3Aalert(1)", 400, nil),
        ("mode=signIn&oobCode=a&continueUrl=https%3A%2F%2Fapp.example.com%40evil.example", 400, nil), ("mode=signIn&oobCode=a", 400, nil),
        ("mode=signIn&oobCode=a&continueUrl=https%3A%2F%2Fapp.example.com%0D%0Ax%3A1", 400, nil),
        ("mode=verifyEmail&oobCode=%22%3E%3Cscript%3E", 400, nil), ("mode=verifyEmail", 400, nil), ("mode=other&oobCode=a", 400, nil), ("", 400, nil),
    ]

    @Test(arguments: links.indices)
    func `links continue to configured domains only, and are not written into the page as they are`(index: Int) async throws {
        let (query, status, location) = Self.links[index]
        try await AccountsPort.run(AccountsPort.production + ["--auth-continue-domains", "example.com"]) { port in
            let answer = await port.get(ActionPage.path + "?" + query)
            #expect(answer.status == status && !answer.body.contains("<script"))
            if let location { #expect(answer.head.contains("location: " + location) && answer.head.contains("#top")) } else { #expect(!answer.head.contains("location:")) }
        }
    }
}
