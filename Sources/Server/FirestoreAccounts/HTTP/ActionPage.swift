// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import HearthBase

/// The page that links in e-mails lead to in production: sets a new password, confirms an address, or continues to the app.
///
/// Opening a link changes nothing, because mail scanners open links; the form's button does. The page has no script.
package struct ActionPage {
    typealias Answer = AccountPage.Answer

    package static let path = AccountSettings.actionPath

    private let settings: AccountSettings
    private let toolkit: IdentityToolkit

    init(_ settings: AccountSettings, _ toolkit: IdentityToolkit) {
        self.settings = settings
        self.toolkit = toolkit
    }

    func answer(_ request: HTTPRequest, from address: String) async -> Answer {
        switch request.method {
        case "GET", "HEAD":
            let parameters = request.query
            return shown { name in parameters.last { equalUTF8($0.name, name) }?.value ?? "" }
        case "POST":
            guard request.body.count <= 16_384 else { return Self.page(413, "The form is too large.") }
            let fields = PercentEncoding.parameters(of: String(decoding: request.body.array, as: UTF8.self)[...])
            return await done(from: address) { name in fields.last { equalUTF8($0.name, name) }?.value ?? "" }
        default: return Self.page(405, "This page is opened with a link from an e-mail.")
        }
    }

    // MARK: Showing

    private func shown(_ parameter: (String) -> String) -> Answer {
        let code = parameter("oobCode")
        guard Self.isCode(code) else { return Self.page(400, "The link is not complete. Open it again from the e-mail.") }
        switch parameter("mode") {
        case "resetPassword":
            return Self.form("Choose a new password", "resetPassword", code, "Set password", password: true)
        case "verifyEmail": return Self.form("Confirm your e-mail address", "verifyEmail", code, "Confirm")
        case "verifyAndChangeEmail": return Self.form("Confirm your new e-mail address", "verifyAndChangeEmail", code, "Confirm")
        case "signIn": return redirect(to: parameter("continueUrl"), code, key: parameter("apiKey"))
        default: return Self.page(400, "The link is not complete. Open it again from the e-mail.")
        }
    }

    /// The app takes the code from its own address and signs in itself.
    private func redirect(to url: String, _ code: String, key: String) -> Answer {
        let policy = settings.policy(project: settings.project, base: "")
        guard policy.allows(continueURL: url) else { return Self.page(400, "The link leads to an address that is not configured.") }
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var target = parts[0] + (parts[0].contains("?") ? "&" : "?") + "mode=signIn&oobCode=\(code)"
        if AccountRules.isPlainKey(key) { target += "&apiKey=" + key }
        var headers = AccountPage.headers
        headers.append("location", target + "&lang=en" + (parts.count > 1 ? "#" + parts[1] : ""))
        return (302, headers, [])
    }

    private static func form(_ title: String, _ mode: String, _ code: String, _ button: String, password: Bool = false) -> Answer {
        let field = #"""
            <label>New password
            <input type="password" name="newPassword" autocomplete="new-password" minlength="6" maxlength="4096" required autofocus></label>
            <p class="muted">At least 6 characters.</p>
            """#
        return page(
            200, title,
            """
            <form method="post" action="action">
            <input type="hidden" name="mode" value="\(mode)"><input type="hidden" name="oobCode" value="\(code)">
            \(password ? field : "")<button type="submit">\(button)</button>
            </form>
            """)
    }

    // MARK: Doing

    private func done(from address: String, _ field: (String) -> String) async -> Answer {
        let (mode, code, password) = (field("mode"), field("oobCode"), field("newPassword"))
        guard Self.isCode(code) else { return Self.page(400, "The link is not complete. Open it again from the e-mail.") }
        let response: IdentityResponse
        switch mode {
        case "resetPassword":
            guard !password.isEmpty else { return Self.form("Choose a new password", mode, code, "Set password", password: true) }
            response = await send("resetPassword", [("oobCode", .string(code)), ("newPassword", .string(password))], address)
        case "verifyEmail", "verifyAndChangeEmail": response = await send("update", [("oobCode", .string(code))], address)
        default: return Self.page(400, "The link is not complete. Open it again from the e-mail.")
        }
        guard response.status != 200 else {
            let isReset = mode == "resetPassword"
            return Self.page(200, isReset ? "The password is set. You can sign in with it now." : "The e-mail address is confirmed.")
        }
        if case .string(let message)? = response.body["error"]?["message"] {
            if message.hasPrefix("WEAK_PASSWORD") || message.hasPrefix("PASSWORD_DOES_NOT_MEET") {
                return Self.form("The password is too short or too long. Choose another one", mode, code, "Set password", password: true)
            }
            if message.hasPrefix("TOO_MANY_ATTEMPTS") { return Self.page(429, "There were too many attempts. Try again later.") }
        }
        return Self.page(400, "The link was used already or has expired. Ask the app for a new one.")
    }

    private func send(_ method: String, _ members: [(name: String, value: JSON)], _ address: String) async -> IdentityResponse {
        await toolkit.respond(
            to: IdentityRequest(method: "POST", path: "/v1/accounts:" + method, body: .object(members), caller: .client, address: address))
    }

    /// Whether a text may appear in an attribute unchanged.
    private static func isCode(_ text: String) -> Bool { AccountRules.isPlainKey(text) }

    private static func page(_ status: Int, _ title: String, _ content: String = "") -> Answer { AccountPage.page(status, title, content) }
}
