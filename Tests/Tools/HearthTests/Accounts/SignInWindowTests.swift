// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import TestSupport
import Testing

@testable import hearth

/// The windows of `signInWithPopup`. `Tests/Console/test_sign_in_windows.py` opens them in a browser.
@Suite(.timeLimit(.minutes(2)))
struct SignInWindowTests {
    private static let query = "?apiKey=k&appName=%5BDEFAULT%5D&authType=signInViaPopup&eventId=1&providerId=google.com&v=12.0.0"

    @Test func `in development the window has only its own script, and other pages may show the frame`() async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            let window = await port.get("/emulator/auth/handler" + Self.query)
            #expect(window.status == 200 && window.body.contains(#"<script src="handler.js">"#) && !window.body.contains("google.com"))
            #expect(window.head.contains("script-src 'self'") && window.head.contains("frame-ancestors 'none'"))
            let frame = await port.get("/emulator/auth/iframe" + Self.query)
            #expect(frame.status == 200 && !frame.head.contains("frame-ancestors") && frame.body.contains(#"<script src="iframe.js">"#))
            for name in ["handler.js", "iframe.js"] {
                let script = await port.get("/emulator/auth/" + name)
                #expect(script.status == 200 && script.head.contains("content-type: text/javascript"))
            }
            #expect(await port.get("/emulator/auth/handler.css").head.contains("content-type: text/css"))
            #expect(await port.post("/emulator/auth/handler", "{}").status == 405)
        }
    }

    @Test func `the answer of the window signs in, with the account of the provider`() async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            let claims = PercentEncoding.encode(#"{"sub":"g1","email":"a@b.c","email_verified":true,"name":"Ada"}"#)
            let target = "http://127.0.0.1:9099/emulator/auth/handler?providerId=google.com&id_token=\(claims)"
            let answer = await port.post(
                "/v1/accounts:signInWithIdp?key=k", #"{"requestUri":"\#(target)","sessionId":"development","returnSecureToken":true}"#)
            #expect(answer.status == 200 && answer.text("email") == "a@b.c" && answer.text("providerId") == "google.com", "\(answer.body)")
            #expect(answer.text("rawUserInfo").contains("Ada") && answer.text("oauthAccessToken") == "development-access-token")
        }
    }

    @Test func `in production the window explains that it does not exist`() async throws {
        try await AccountsPort.run(AccountsPort.production) { port in
            for path in ["/emulator/auth/handler", "/emulator/auth/iframe", "/__/auth/handler", "/__/auth/iframe", "/emulator/auth/handler.js"] {
                let answer = await port.get(path + Self.query)
                #expect(answer.status == 501 && answer.body.contains("no sign-in windows") && answer.head.contains("text/html"), "\(path)")
            }
            #expect(await port.get("/__/auth/action.css").head.contains("content-type: text/css"))
        }
    }
}
