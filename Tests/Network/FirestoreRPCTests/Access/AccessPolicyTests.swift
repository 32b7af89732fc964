// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRPC

/// Which requests are allowed, by the headers alone.
struct AccessPolicyTests {
    private func policy(hosts: [String] = [], origins: [String] = []) throws -> AccessPolicy {
        var policy = AccessPolicy()
        for host in hosts { try policy.allow(host: host) }
        for origin in origins { try policy.allow(origin: origin) }
        policy.openPaths = ["/healthz"]
        return policy
    }

    /// The status of the rejection; 200 if there is none.
    private func status(
        _ policy: AccessPolicy, hosts: [String], origins: [String] = [], path: String = "/v1/x", isEncrypted: Bool = false, mayLackHost: Bool = false
    ) -> Int {
        let request = RequestOrigin(hosts: hosts, origins: origins, path: path, isEncrypted: isEncrypted, mayLackHost: mayLackHost)
        do throws(HTTPRefusal) {
            let page = try policy.admit(request)
            #expect(page == origins.first)
            return 200
        } catch {
            return error.status
        }
    }

    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST", "localhost.", "localhost.:80", "localhost:", "app.localhost", "a.b.LocalHost:1", "127.0.0.1", "127.0.0.1:8080", "127.0.0.1.",
        "0.0.0.0", "192.168.1.20:9000", "255.255.255.255", "[::1]", "[::1]:8080", "[2001:DB8::7]", "[::ffff:127.0.0.1]:80", "[::]", "db.example.com", "DB.Example.COM.:443",
    ])
    func `addresses, localhost and configured names are the server's own`(host: String) throws {
        #expect(status(try policy(hosts: ["db.Example.com."]), hosts: [host]) == 200)
    }

    @Test(arguments: [
        "evil-localhost.com", "localhost.evil.com", "127.0.0.1.evil.com", "evillocalhost", "notlocalhost", "evil.com:localhost", "localhost@evil.com", "evil.com", "example.com",
        "xdb.example.com", "db.example.com.evil.com", "www.db.example.com", ".localhost", "localhost..", "local host", "localhost\u{0}", "[::1", "::1", "[::1]evil.com", "[evil.com]",
        "[::1%25eth0]", "[]", "[::1\u{0}.evil]", "1.2.3", "1.2.3.4.5", "256.0.0.1", "0127.0.0.1", "127.0.0.1:80:80", "localhost:80a", "localhost:123456", "localhost:65536", "2130706433",
        "0x7f.0.0.1", "löcalhost", "localhost%2eevil.com", "localhost/", "localhost?", ":80", ".", " localhost", "localhost ",
    ])
    func `every other host is misdirected, whatever it looks like`(host: String) throws {
        #expect(status(try policy(hosts: ["db.example.com"]), hosts: [host]) == 421)
    }

    @Test func `a request says which host it is for, once`() throws {
        let policy = try policy()
        #expect(status(policy, hosts: []) == 400)
        #expect(status(policy, hosts: [""]) == 400)
        #expect(status(policy, hosts: [], mayLackHost: true) == 200)
        #expect(status(policy, hosts: [""], mayLackHost: true) == 400)
        #expect(status(policy, hosts: ["evil.com"], mayLackHost: true) == 421)
        #expect(status(policy, hosts: ["localhost", "evil.com"]) == 400)
        #expect(status(policy, hosts: ["evil.com", "localhost"]) == 400)
        #expect(status(policy, hosts: ["localhost", "localhost"]) == 200)
    }

    @Test func `probes are answered under every name, and only they`() throws {
        let policy = try policy()
        #expect(status(policy, hosts: ["10.example"], path: "/healthz") == 200)
        #expect(status(policy, hosts: [], path: "/healthz") == 200)
        for path in ["/healthz/", "//healthz", "/healthz/../v1", "/%68ealthz", "/Healthz"] { #expect(status(policy, hosts: ["10.example"], path: path) == 421, "\(path)") }
        // A name that was not checked makes no page the server's own.
        #expect(status(policy, hosts: ["evil.com"], origins: ["http://evil.com"], path: "/healthz") == 403)
    }

    @Test(arguments: [
        "http://localhost:5173", "http://localhost", "https://app.localhost", "http://127.0.0.1:3000", "http://[::1]:8000", "https://app.example.com", "https://app.example.com:443",
        "HTTPS://App.Example.com", "capacitor://app",
    ])
    func `pages of this machine and of allowed origins may ask`(origin: String) throws {
        #expect(status(try policy(origins: ["https://app.example.com", "capacitor://app"]), hosts: ["localhost:8080"], origins: [origin]) == 200)
    }

    @Test(arguments: [
        "https://example.com", "http://app.example.com", "https://app.example.com:8443", "https://www.app.example.com", "https://app.example.com.evil.com", "https://app.example.com/",
        "http://localhost.example.com", "http://evil-localhost", "null", "", "*", "localhost", "file://localhost", "file://", "http://127.0.0.1.example.com", "http://.localhost.",
        "http://localhost:", "http://localhost:80a", "http://localhost@evil.com", "http://192.168.1.1", "//localhost", "://localhost", "1http://localhost", "http:/localhost", "data:text/html,x",
        "http://localhost http://evil.com", "http://localhost\u{0}",
    ])
    func `pages from elsewhere may not`(origin: String) throws {
        #expect(status(try policy(origins: ["https://app.example.com"]), hosts: ["localhost:8080"], origins: [origin]) == 403)
    }

    @Test(arguments: [
        ("http://db.example.com:8080", "db.example.com:8080", false, 200), ("http://db.example.com", "db.example.com", false, 200), ("http://db.example.com", "db.example.com:80", false, 200),
        ("http://192.168.1.20:8080", "192.168.1.20:8080", false, 200), ("https://db.example.com", "db.example.com", true, 200), ("https://db.example.com:443", "DB.example.com.", true, 200),
        // A proxy in front may speak TLS.
        ("https://db.example.com", "db.example.com", false, 200),
        ("http://db.example.com", "db.example.com", true, 403), ("http://db.example.com:9090", "db.example.com:8080", false, 403), ("http://db.example.com", "db.example.com:8080", false, 403),
        ("http://other.example.com:8080", "db.example.com:8080", false, 403), ("ftp://db.example.com", "db.example.com", false, 403),
        // DNS rebinding: the page's name points here, and is not one of the server's.
        ("http://evil.com:8080", "evil.com:8080", false, 421),
    ])
    func `a page that the server itself gave out may ask`(origin: String, host: String, isEncrypted: Bool, expected: Int) throws {
        #expect(status(try policy(hosts: ["db.example.com"]), hosts: [host], origins: [origin], isEncrypted: isEncrypted) == expected)
    }

    @Test func `two origins are none`() throws {
        #expect(status(try policy(), hosts: ["localhost"], origins: ["http://localhost", "https://evil.com"]) == 403)
        #expect(status(try policy(), hosts: ["localhost"], origins: ["http://localhost", "http://localhost"]) == 403)
    }

    @Test(arguments: ["*", "*.example.com", "https://db.example.com", "db.example.com:8080", "db.example.com:", "db.example.com/x", "", "a b", "[::1", "::1"])
    func `text that is not a host name cannot be allowed`(text: String) {
        let error = #expect(throws: RPCStatus.self) { try policy(hosts: [text]) }
        #expect(error?.message.contains("db.example.com") == true)
    }

    @Test(arguments: ["*", "null", "https://*.example.com", "app.example.com", "https://app.example.com/", "https://app.example.com/x", "https://", "https://a:b@c", ""])
    func `text that is not one origin cannot be allowed`(text: String) {
        let error = #expect(throws: RPCStatus.self) { try policy(origins: [text]) }
        #expect(error?.message.contains("\"\(text)\"") == true && error?.message.contains("https://app.example.com") == true)
    }

    @Test func `any bytes in the headers get an answer`() throws {
        var random = SeededGenerator(seed: 14)
        let policy = try policy(hosts: ["db.example.com"], origins: ["https://app.example.com"])
        let pieces = ["localhost", "127.0.0.1", "[", "]", "::1", ":", ".", "80", "http", "://", "@", "/", "\u{0}", "é", "evil", "null", "*", " ", "%", "99999999999999999999"]
        for _ in 0..<TestScale.pick(quick: 2_000, full: 100_000) {
            func text() -> String { (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined() }
            let answer = status(policy, hosts: Bool.random(using: &random) ? [text()] : ["localhost"], origins: Bool.random(using: &random) ? [text()] : [])
            #expect([200, 400, 403, 421].contains(answer))
        }
        #expect(status(policy, hosts: [String(repeating: "a.", count: 50_000) + "localhost"]) == 421)
        #expect(status(policy, hosts: ["localhost"], origins: ["http://" + String(repeating: "a", count: 100_000)]) == 403)
    }

    @Test func `a forwarded request is rejected where every caller is trusted`() throws {
        for isRefused in [false, true] {
            var policy = try policy()
            policy.refusesForwarded = isRefused
            for (isForwarded, path, status) in [(false, "/v1/x", 200), (true, "/v1/x", isRefused ? 403 : 200), (true, "/healthz", 200)] {
                var request = RequestOrigin(hosts: ["localhost"], origins: [], path: path, isEncrypted: false)
                request.isForwarded = isForwarded
                var answer = 200
                do throws(HTTPRefusal) { _ = try policy.admit(request) } catch { answer = error.status }
                #expect(answer == status, "\(isRefused) \(isForwarded) \(path)")
            }
        }
    }
}
