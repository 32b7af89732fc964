// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC

/// The pages that the web SDK opens for `signInWithPopup` and `signInWithRedirect`: a window in which a person chooses an account, and
/// the frame through which the page gets the answer.
///
/// In development mode the window is the provider: it asks for no proof. In production there is none.
enum SignInWindow {
    case window, frame, windowScript, frameScript, style

    /// Returns nil for other paths. Those with `/__/` are the ones of a server that is not an emulator.
    init?(path: String) {
        switch path {
        case "/emulator/auth/handler", "/__/auth/handler": self = .window
        case "/emulator/auth/iframe", "/__/auth/iframe": self = .frame
        case "/emulator/auth/handler.js", "/__/auth/handler.js": self = .windowScript
        case "/emulator/auth/iframe.js", "/__/auth/iframe.js": self = .frameScript
        case "/emulator/auth/handler.css", "/__/auth/handler.css": self = .style
        default: return nil
        }
    }

    func answer(_ request: HTTPRequest, _ settings: AccountSettings) -> AccountPage.Answer {
        guard settings.isDevelopment else { return Self.refusal(request.path, settings.advice) }
        guard request.method == "GET" || request.method == "HEAD" else { return AccountPage.page(405, "A browser opens this window.") }
        return switch self {
        case .window: Self.windowPage
        case .frame: Self.framePage
        case .windowScript: Self.script(SignInWindowScripts.window)
        case .frameScript: Self.script(SignInWindowScripts.frame)
        case .style: (200, Self.headers("text/css; charset=utf-8"), [UInt8](AccountPage.styles.utf8))
        }
    }

    /// Beside the style of the pages of links, wherever that is.
    private static func refusal(_ path: String, _ advice: OperatorAdvice) -> AccountPage.Answer {
        AccountPage.page(
            501, "This server has no sign-in windows.",
            """
            <p>The app has asked for the sign-in page of a provider, such as Google's. Accounts of this server are signed in \
            with a password, \
            a link by e-mail, or a custom token.</p>
            <p class="muted">For developers: sign-in windows work in development mode\(advice(.development)). In production, verify the \
            provider's ID token on \
            your own server and exchange a custom token, or let the databases accept the provider's tokens\(advice(.issuers)).</p>
            """, style: path.hasPrefix("/__/") ? "action.css" : "../../__/auth/action.css")
    }

    private static var windowPage: AccountPage.Answer {
        var page = AccountPage.page(
            200, "Sign in",
            """
            <p class="muted" id="about"></p>
            <div id="content"></div>
            <noscript>This window needs JavaScript.</noscript>
            <script src="handler.js"></script>
            """, style: "handler.css")
        page.headers = AccountPage.headers(policy: "style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'none'")
        return page
    }

    /// Pages of other origins show it, and it loads the library through which they speak with it: the one that the web SDK loads, too.
    private static var framePage: AccountPage.Answer {
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Accounts of a development server</title></head>
            <body><script src="iframe.js"></script><script src="https://apis.google.com/js/api.js"></script></body></html>

            """
        return (200, headers("text/html; charset=utf-8"), [UInt8](html.utf8))
    }

    private static func script(_ text: String) -> AccountPage.Answer {
        (200, headers("text/javascript; charset=utf-8"), [UInt8](text.utf8))
    }

    private static func headers(_ type: String) -> RPCMetadata {
        RPCMetadata([("content-type", type), ("cache-control", "no-store"), ("x-content-type-options", "nosniff")])
    }
}
