// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import HearthBase
import TestSupport
import Testing

@testable import FirestoreAccounts

/// Requests in the protocol of Identity Toolkit, and their exact answers.
@Suite(.timeLimit(.minutes(2)))
struct IdentityToolkitTests {
    private let accounts: TestAccounts
    private let toolkit: IdentityToolkit

    init() throws {
        accounts = try TestAccounts.development()
        toolkit = IdentityToolkit(try accounts.service())
    }

    private static let prefix = "/identitytoolkit.googleapis.com/v1/"
    private static let admin = prefix + "projects/demo-accounts/"

    private func post(_ path: String, _ body: String, _ caller: IdentityRequest.Caller = .client) async throws -> IdentityResponse {
        try await send("POST", path, body, caller)
    }

    private func send(
        _ method: String, _ path: String, _ body: String = "{}", _ caller: IdentityRequest.Caller = .client,
        query: [(name: String, value: String)] = [], to toolkit: IdentityToolkit? = nil
    ) async throws -> IdentityResponse {
        await (toolkit ?? self.toolkit).respond(
            to: IdentityRequest(method: method, path: path, query: query, body: try JSON(body.utf8), caller: caller, address: "192.0.2.1"))
    }

    private func text(_ json: JSON?) -> String {
        if case .string(let text)? = json { text } else { "" }
    }

    @Test func `a user signs up, in, refreshes, looks up, updates and is deleted`() async throws {
        let up = try await post(Self.prefix + "accounts:signUp", #"{"email":"A@b.c","password":"secret1","returnSecureToken":true}"#)
        #expect(up.status == 200 && text(up.body["kind"]) == "identitytoolkit#SignupNewUserResponse" && text(up.body["expiresIn"]) == "3600")
        #expect(text(up.body["email"]) == "a@b.c")
        // The form of the Apple SDK.
        let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
        let into = try await post(legacy + "verifyPassword", #"{"email":"a@b.c","password":"secret1","returnSecureToken":true}"#)
        #expect(into.status == 200 && text(into.body["localId"]) == text(up.body["localId"]))
        let refresh = await toolkit.respond(
            to: IdentityRequest(
                method: "POST", path: "/securetoken.googleapis.com/v1/token",
                body: IdentityRequest.body(form: "grant_type=refresh_token&refresh_token=\(text(into.body["refreshToken"]))"[...]), caller: .client,
                address: "192.0.2.1"))
        #expect(refresh.status == 200 && text(refresh.body["token_type"]) == "Bearer" && text(refresh.body["user_id"]) == text(up.body["localId"]))
        let token = text(refresh.body["id_token"])
        #expect(!token.isEmpty && token == text(refresh.body["access_token"]))
        let lookup = try await post(legacy + "getAccountInfo", #"{"idToken":"\#(token)"}"#)
        guard case .array(let users)? = lookup.body["users"], let user = users.first else {
            Issue.record("\(lookup.body.text())")
            return
        }
        #expect(user["passwordHash"] == nil && text(user["email"]) == "a@b.c" && text(user["createdAt"]) == "1700000000000")
        #expect(text(user["lastRefreshAt"]) == "2023-11-14T22:13:20Z", "\(user.text())")
        let update = try await post(Self.prefix + "accounts:update", #"{"idToken":"\#(token)","displayName":"A","password":"secret2"}"#)
        #expect(update.status == 200 && text(update.body["displayName"]) == "A" && !text(update.body["idToken"]).isEmpty)
        let delete = try await post(legacy + "deleteAccount", #"{"idToken":"\#(text(update.body["idToken"]))"}"#)
        #expect(delete.status == 200)
        let gone = try await post(Self.prefix + "accounts:lookup", #"{"idToken":"\#(token)"}"#)
        #expect(gone.body.text() == #"{"error":{"code":400,"message":"USER_NOT_FOUND","errors":[{"message":"USER_NOT_FOUND","reason":"invalid","domain":"global"}]}}"#)
    }

    private static let cookie = "/identitytoolkit.googleapis.com/v1/projects/demo-accounts:createSessionCookie"

    private static func nothing(_ path: String) -> String { "NOT_FOUND : This server has nothing at \(path); its accounts speak Identity Toolkit v1" }

    static let errors: [(method: String, path: String, body: String, caller: IdentityRequest.Caller, status: Int, message: String)] = [
        ("POST", prefix + "accounts:signUp", "{}", .none, 403, "The request is missing a valid API key."),
        ("POST", prefix + "accounts:signUp", #"{"email":"a@b.c"}"#, .client, 400, "MISSING_PASSWORD"),
        ("POST", prefix + "accounts:signUp", #"{"password":"secret1"}"#, .client, 400, "MISSING_EMAIL"),
        ("POST", prefix + "accounts:signUp", #"{"email":"a","password":"secret1"}"#, .client, 400, "INVALID_EMAIL"),
        ("POST", prefix + "accounts:signUp", #"{"email":"a@b.c","password":"short"}"#, .client, 400, "WEAK_PASSWORD : Password should be at least 6 characters"),
        ("POST", prefix + "accounts:signUp", #"{"localId":"x"}"#, .client, 400, "UNEXPECTED_PARAMETER : User ID"),
        ("POST", prefix + "accounts:signInWithPassword", #"{"email":"a@b.c"}"#, .client, 400, "MISSING_PASSWORD"),
        ("POST", prefix + "accounts:signInWithPassword", #"{"email":"a@b.c","password":"secret1"}"#, .client, 400, "EMAIL_NOT_FOUND"),
        ("POST", prefix + "accounts:signInWithPassword", #"{"email":7}"#, .client, 400, "Invalid value at 'email': a string is expected"),
        ("POST", prefix + "accounts:signInWithCustomToken", "{}", .client, 400, "MISSING_CUSTOM_TOKEN"),
        ("POST", prefix + "accounts:lookup", "{}", .client, 400, "MISSING_ID_TOKEN"),
        ("POST", prefix + "accounts:lookup", #"{"idToken":"x"}"#, .client, 400, "INVALID_ID_TOKEN"),
        ("POST", prefix + "accounts:update", #"{"displayName":"x"}"#, .client, 400, "INVALID_REQ_TYPE"),
        ("POST", prefix + "accounts:update", #"{"localId":"x"}"#, .client, 400, "INSUFFICIENT_PERMISSION"),
        ("POST", prefix + "accounts:update", #"{"oobCode":"x"}"#, .client, 400, "INVALID_OOB_CODE"),
        ("POST", prefix + "accounts:delete", #"{"localId":"x"}"#, .client, 400, "MISSING_ID_TOKEN"),
        ("POST", prefix + "accounts:sendOobCode", "{}", .client, 400, "MISSING_REQ_TYPE"),
        ("POST", prefix + "accounts:sendOobCode", #"{"requestType":"PASSWORD_RESET"}"#, .client, 400, "MISSING_EMAIL"),
        ("POST", prefix + "accounts:sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"a@b.c","returnOobLink":true}"#, .client, 400, "INSUFFICIENT_PERMISSION"),
        ("POST", prefix + "accounts:resetPassword", "{}", .client, 400, "MISSING_OOB_CODE"),
        ("POST", prefix + "accounts:createAuthUri", #"{"identifier":"a@b.c"}"#, .client, 400, "MISSING_CONTINUE_URI"),
        ("POST", prefix + "accounts:signInWithIdp", "{}", .client, 400, "MISSING_REQUEST_URI"),
        ("POST", prefix + "accounts:signInWithIdp", #"{"requestUri":"http://localhost"}"#, .client, 400, "INVALID_IDP_RESPONSE : postBody is missing"),
        ("POST", "/securetoken.googleapis.com/v1/token", "{}", .client, 400, "MISSING_GRANT_TYPE"),
        ("POST", "/securetoken.googleapis.com/v1/token", #"{"grantType":"password"}"#, .client, 400, "INVALID_GRANT_TYPE"),
        ("POST", "/securetoken.googleapis.com/v1/token", #"{"grantType":"refresh_token"}"#, .client, 400, "MISSING_REFRESH_TOKEN"),
        ("POST", "/securetoken.googleapis.com/v1/token", #"{"grantType":"refresh_token","refreshToken":"x"}"#, .client, 400, "INVALID_REFRESH_TOKEN"),
        ("POST", admin + "accounts:update", #"{"localId":"x"}"#, .client, 401, "The request does not have valid authentication credentials."),
        ("POST", admin + "accounts:update", #"{"localId":"x"}"#, .administrator, 400, "USER_NOT_FOUND"),
        ("POST", admin + "accounts:batchCreate", #"{"users":[]}"#, .administrator, 400, "MISSING_USER_ACCOUNT"),
        ("POST", cookie, "{}", .administrator, 400, "MISSING_ID_TOKEN"),
        ("POST", cookie, #"{"idToken":"x"}"#, .administrator, 400, "INVALID_ID_TOKEN"),
        ("POST", cookie, #"{"idToken":"x","validDuration":"299"}"#, .administrator, 400, "INVALID_DURATION : A session cookie is valid for 300 to 1209600 seconds"),
        ("POST", cookie, #"{"idToken":"x"}"#, .client, 401, "The request does not have valid authentication credentials."),
        ("POST", "/identitytoolkit.googleapis.com/v1/projects/other/accounts:lookup", "{}", .administrator, 404, "PROJECT_NOT_FOUND"),
        ("POST", prefix + "accounts:nothing", "{}", .client, 404, nothing(prefix + "accounts:nothing")),
        ("GET", prefix + "accounts:signUp", "{}", .client, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/v2/nothing", "{}", .client, 404, nothing("/v2/nothing")),
    ]

    @Test(arguments: errors.indices) func `errors are the codes that clients know`(index: Int) async throws {
        let row = Self.errors[index]
        let response = try await send(row.method, row.path, row.body, row.caller)
        #expect(response.status == row.status && text(response.body["error"]?["message"]) == row.message, "\(response.body.text())")
    }

    @Test func `administrators create, list, change, query and delete accounts`() async throws {
        for name in ["a", "b", "c"] {
            let body = #"{"localId":"\#(name)","email":"\#(name)@b.c","password":"secret1","phoneNumber":"+1555000\#(name.utf8.first ?? 0)"}"#
            let made = try await post(Self.admin + "accounts", body, .administrator)
            #expect(made.status == 200 && text(made.body["localId"]) == name && made.body["idToken"] == nil)
        }
        let again = try await post(Self.admin + "accounts", #"{"localId":"a"}"#, .administrator)
        #expect(text(again.body["error"]?["message"]) == "DUPLICATE_LOCAL_ID")
        let page = try await send("GET", Self.admin + "accounts:batchGet", "{}", .administrator, query: [("maxResults", "2")])
        #expect(text(page.body["nextPageToken"]) == "b")
        let rest = try await send("GET", Self.admin + "accounts:batchGet", "{}", .administrator, query: [("maxResults", "2"), ("nextPageToken", "b")])
        guard case .array(let users)? = rest.body["users"] else { return }
        #expect(users.count == 1 && text(users[0]["passwordHash"]).hasPrefix("scrypt$") && rest.body["nextPageToken"] == nil)
        let change = try await post(
            Self.admin + "accounts:update", #"{"localId":"a","disableUser":true,"customAttributes":"{\"role\":\"x\"}","emailVerified":true}"#, .administrator)
        #expect(change.status == 200)
        let forbidden = try await post(Self.admin + "accounts:update", #"{"localId":"a","customAttributes":"{\"sub\":1}"}"#, .administrator)
        #expect(text(forbidden.body["error"]?["message"]) == "FORBIDDEN_CLAIM : sub")
        let disabled = try await post(Self.prefix + "accounts:signInWithPassword", #"{"email":"a@b.c","password":"secret1"}"#)
        #expect(text(disabled.body["error"]?["message"]) == "USER_DISABLED")
        let deleted = try await post(Self.admin + "accounts:batchDelete", #"{"localIds":["a","b"]}"#, .administrator)
        guard case .array(let problems)? = deleted.body["errors"] else { return }
        #expect(problems.count == 1 && text(problems[0]["localId"]) == "b")
        let count = try await post(Self.admin + "accounts:query", #"{"returnUserInfo":false}"#, .administrator)
        #expect(text(count.body["recordsCount"]) == "2")
    }

    @Test func `development lists and uses codes, production has neither`() async throws {
        _ = try await post(Self.prefix + "accounts:signUp", #"{"email":"a@b.c","password":"secret1"}"#)
        let sent = try await post(Self.prefix + "accounts:sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"a@b.c"}"#)
        #expect(sent.body.text() == #"{"kind":"identitytoolkit#GetOobConfirmationCodeResponse","email":"a@b.c"}"#)
        let list = try await send("GET", "/emulator/v1/projects/demo-accounts/oobCodes", "{}", .none)
        guard case .array(let codes)? = list.body["oobCodes"], let code = codes.first else {
            Issue.record("\(list.body.text())")
            return
        }
        #expect(text(code["requestType"]) == "PASSWORD_RESET" && text(code["oobLink"]).contains("/emulator/action?mode=resetPassword"))
        let used = try await send(
            "GET", "/emulator/action", "{}", .none, query: [("mode", "resetPassword"), ("oobCode", text(code["oobCode"])), ("newPassword", "secret2")])
        #expect(used.status == 200, "\(used.body.text())")
        let into = try await post(Self.prefix + "accounts:signInWithPassword", #"{"email":"a@b.c","password":"secret2"}"#)
        #expect(into.status == 200)

        let production = try TestAccounts.production()
        let closed = IdentityToolkit(try production.service())
        for (method, path) in [
            ("GET", "/"), ("GET", "/emulator/v1/projects/demo-accounts/oobCodes"), ("DELETE", "/emulator/v1/projects/demo-accounts/accounts"),
            ("GET", "/emulator/action"),
        ] {
            let response = try await send(method, path, "{}", .client, to: closed)
            #expect(response.status == 404, "\(path)")
        }
        let keys = try await send("GET", "/.well-known/jwks.json", "{}", .none, to: closed)
        let set = try VerificationKeySet(document: keys.body.bytes())
        #expect(set.keys.count == 1)
    }

    @Test func `a provider's user has one account`() async throws {
        func signIn(_ claims: String, idToken: String? = nil) async throws -> IdentityResponse {
            let form = "providerId=google.com&id_token=" + PercentEncoding.encode(claims)
            let link = idToken.map { #","idToken":"\#($0)""# } ?? ""
            return try await post(Self.prefix + "accounts:signInWithIdp", #"{"requestUri":"http://localhost","postBody":"\#(form)"\#(link)}"#)
        }
        let first = try await signIn(#"{"sub":"g1","email":"a@b.c","email_verified":true,"name":"A"}"#)
        #expect(first.status == 200 && text(first.body["federatedId"]) == "g1" && text(first.body["displayName"]) == "A", "\(first.body.text())")
        let again = try await signIn(#"{"sub":"g1"}"#)
        #expect(text(again.body["localId"]) == text(first.body["localId"]))
        let unproved = try await signIn(#"{"sub":"g2","email":"a@b.c"}"#)
        #expect(text(unproved.body["error"]?["message"]) == "EMAIL_EXISTS")
        let anonymous = try await post(Self.prefix + "accounts:signUp", "{}")
        let taken = try await signIn(#"{"sub":"g1"}"#, idToken: text(anonymous.body["idToken"]))
        #expect(text(taken.body["error"]?["message"]) == "FEDERATED_USER_ID_ALREADY_LINKED")
        let linked = try await signIn(#"{"sub":"g3"}"#, idToken: text(anonymous.body["idToken"]))
        #expect(text(linked.body["localId"]) == text(anonymous.body["localId"]))
    }

    // MARK: Files

    @Test func `an export is imported again, with passwords, and the emulator's too`() async throws {
        _ = try await post(Self.prefix + "accounts:signUp", #"{"email":"a@b.c","password":"secret1"}"#)
        _ = try await send("PATCH", "/emulator/v1/projects/demo-accounts/config", #"{"emailPrivacyConfig":{"enableImprovedEmailPrivacy":true}}"#)
        let scratch = try ScratchFolder()
        try await AuthExport.write(try accounts.service(), to: scratch.file("auth_export"))
        let other = try TestAccounts.development()
        let (count, problems) = try await AuthExport.read(scratch.file("auth_export"), into: try other.service())
        #expect(count == 1 && problems.isEmpty)
        let signIn = try await other.service().signIn(email: "a@b.c", password: "secret1", from: "x")
        #expect(signIn.account.email == "a@b.c")
        let wrong = await code { () throws(AccountError) in _ = try await other.opened().signIn(email: "a@b.c", password: "secret2", from: "x") }
        #expect(wrong == "INVALID_LOGIN_CREDENTIALS")

        let emulator = #"""
            {"kind":"identitytoolkit#DownloadAccountResponse","users":[
              {"localId":"u1","email":"x@y.z","passwordHash":"fakeHash:salt=fakeSaltAbc:password=secret9","salt":"fakeSaltAbc","validSince":"1600000000",
               "createdAt":"1600000000000","lastRefreshAt":"2020-09-13T12:26:40Z","providerUserInfo":[{"providerId":"password","rawId":"x@y.z"},
               {"providerId":"google.com","rawId":"g1"}]},
              {"email":"broken@y.z"},
              {"localId":"u2","createdAt":"99999999999999999999","passwordHash":"md5:x"}]}
            """#
        _ = try scratch.file("emulator.json", "")
        _ = try scratch.write(emulator.utf8, to: "fromEmulator/accounts.json")
        let result = try await AuthExport.read(scratch.file("fromEmulator"), into: try other.service())
        #expect(result.count == 1 && result.problems.map(\.index) == [1, 2])
        #expect(result.problems.first?.message == "MISSING_LOCAL_ID")
        let imported = try await other.service().signIn(email: "x@y.z", password: "secret9", from: "x")
        #expect(imported.account.id == "u1" && imported.account.providers.map(\.id) == ["google.com"])
    }
}
