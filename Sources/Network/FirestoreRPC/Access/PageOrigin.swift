// SPDX-License-Identifier: Apache-2.0

/// The origin of a web page, as the browser sends it: `https://app.example.com:8443`. Includes the scheme's default port.
struct PageOrigin: Hashable {
    let scheme: String
    let host: String
    let port: Int?

    /// nil if the text is not an origin; `null`, which represents sandboxed pages and local files, is not one.
    init?(_ text: String) {
        guard text.utf8.count <= 400, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = text.utf8[colon...]
        guard rest.starts(with: "://".utf8), let authority = Authority(String(Substring(rest.dropFirst(3)))), !authority.hasEmptyPort
        else { return nil }
        let scheme = Array(text.utf8[..<colon])
        guard let first = scheme.first, Self.isLetter(first), scheme.allSatisfy({ Self.isLetter($0) || Self.isSchemeByte($0) })
        else { return nil }
        self.scheme = String(decoding: scheme, as: UTF8.self).lowercased()
        host = authority.host
        port = authority.port ?? Self.defaultPort(self.scheme)
    }

    static func defaultPort(_ scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// Whether this machine serves the page, as in development.
    var isOfThisMachine: Bool {
        guard Self.defaultPort(scheme) != nil else { return false }
        return host == "127.0.0.1" || host == "::1" || host == "localhost"
            || host.utf8.reversed().starts(with: ".localhost".utf8.reversed())
    }

    /// Whether the server itself has served the page. Without TLS the page may have `https`, spoken by a proxy in front.
    func isOf(_ server: Authority, isEncrypted: Bool) -> Bool {
        guard scheme == "https" || (scheme == "http" && !isEncrypted) else { return false }
        return host == server.host && port == server.port ?? Self.defaultPort(scheme)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }
}
