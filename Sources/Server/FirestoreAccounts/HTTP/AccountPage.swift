// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC

/// The pages that a person sees of the accounts: they look like the console, and load nothing from elsewhere.
enum AccountPage {
    typealias Answer = (status: Int, headers: RPCMetadata, body: [UInt8])

    /// Beside `ActionPage.path`, so that pages name it without knowing where they are.
    static let stylePath = "/__/auth/action.css"

    /// Not `no-referrer`: with it browsers send the form with the origin `null`, which the listener rejects.
    static var headers: RPCMetadata { headers(policy: "style-src 'self'; form-action 'self'") }

    static func headers(policy: String, type: String = "text/html; charset=utf-8") -> RPCMetadata {
        RPCMetadata([
            ("content-type", type), ("cache-control", "no-store"), ("referrer-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; \(policy); frame-ancestors 'none'; base-uri 'none'"),
        ])
    }

    /// A page with a heading. Nothing in the texts is escaped.
    static func page(_ status: Int, _ title: String, _ content: String = "", style: String = "action.css") -> Answer {
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title><link rel="stylesheet" href="\(style)"></head><body><main>
            \(flame)<h1>\(title)</h1>
            \(content)
            </main></body></html>

            """
        return (status, headers, [UInt8](html.utf8))
    }

    static var style: Answer { (200, headers(policy: "form-action 'none'", type: "text/css; charset=utf-8"), [UInt8](styles.utf8)) }

    /// The console's sign (Console/flame.svg).
    private static let flame = """
        <svg viewBox="0 0 16 16" aria-hidden="true"><path fill="#E2570F" d="M8.4 1c.5 3 4.3 4.6 4.3 8.9A4.7 4.7 0 0 1 8 \
        14.7a4.7 4.7 0 0 \
        1-4.7-4.800c0-2 1-3.3 2.1-4.3.1 1.1.6 1.8 1.2 2.2.1-2.5.4-4.9 1.8-6.800Z"/></svg>
        """

    /// The console's colours (Console/console.css).
    static let styles = """
        :root {
          color-scheme: light dark;
          --bg: light-dark(#FAFAF9, #141210); --surface: light-dark(#FFFFFF, #1C1A18); --line: light-dark(#E3E0DC, #33302C);
          --line-strong: light-dark(#8A837B, #7A736B); --text: light-dark(#1C1917, #EEEAE5); --muted: light-dark(#5F5953, #B3ABA2);
          --accent: light-dark(#B93E0A, #FF9A5C); --on-accent: light-dark(#FFFFFF, #2A1206); --focus: light-dark(#1D5FD1, #7FB0FF);
        }
        * { box-sizing: border-box; margin: 0; }
        body {
          min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--bg); color: var(--text);
          font: 15px/22px system-ui, sans-serif;
        }
        main {
          width: min(400px, 100%); display: grid; gap: 16px; padding: 28px; background: var(--surface); border: 1px solid var(--line);
          border-radius: 8px; overflow-wrap: anywhere;
        }
        svg { width: 28px; }
        h1 { font-size: 18px; line-height: 24px; font-weight: 600; }
        form, label, #content { display: grid; gap: 8px; border: 0; padding: 0; min-width: 0; }
        form, #content { gap: 12px; }
        label { font-weight: 500; }
        .muted { color: var(--muted); }
        input, button {
          font: inherit; height: 36px; padding: 0 12px; border-radius: 6px; border: 1px solid var(--line-strong); color: inherit;
          background: var(--surface); min-width: 0;
        }
        button { background: var(--accent); border-color: transparent; color: var(--on-accent); font-weight: 500; cursor: pointer; }
        button.plain { background: none; border-color: var(--line); color: inherit; text-align: left; height: auto; padding: 8px 12px; }
        :focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }

        """
}
