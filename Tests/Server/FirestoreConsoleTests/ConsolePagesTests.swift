// SPDX-License-Identifier: Apache-2.0
import EmbeddedPages
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Foundation
import TestSupport
import Testing

@testable import FirestoreConsole

/// The console's files over a real socket.
struct ConsolePagesTests {
    private static let policy = "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        + "font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

    @Test func `pages are served with headers that exclude foreign content`() async throws {
        try await ConsoleFixture.run { console in
            for (verb, path, status, type) in [
                ("GET", "/console/", "200", "text/html"), ("GET", "/console/main.js", "200", "text/javascript"), ("GET", "/console/flame.svg", "200", "image/svg+xml"),
                ("GET", "/console/data/P/D/books/a.html", "200", "text/html"), ("GET", "/console/lib/%2e%2e/main.js", "200", "text/html"), ("GET", "/console/lib/../main.js", "200", "text/html"),
                ("GET", "/console/lib", "200", "text/html"), ("HEAD", "/console/main.js", "200", "text/javascript"), ("POST", "/console/", "405", "application/json"),
                ("OPTIONS", "/console/", "405", "application/json"), ("PUT", "/console/main.js", "405", "application/json"), ("GET", "/console/api/nothing", "404", "application/json"),
                ("GET", "/console/api/", "404", "application/json"), ("GET", "/consoles", "404", "application/json"),
                ("GET", "/guide/", "200", "text/html"), ("GET", "/guide/guide.js", "200", "text/javascript"), ("GET", "/guide/guide.css", "200", "text/css"),
                ("HEAD", "/guide/enums", "200", "text/html"), ("POST", "/guide/", "405", "application/json"), ("GET", "/guides", "404", "application/json"),
            ] {
                let answer = await console.ask(verb, path, token: nil, headers: ["origin: http://localhost:5173"])
                #expect(answer.status == status && answer.head.contains("content-type: \(type)"), "\(verb) \(path): \(answer.head)")
                guard path != "/consoles", path != "/guides" else { continue }
                for header in [Self.policy, "x-content-type-options: nosniff", "referrer-policy: no-referrer", "cross-origin-opener-policy: same-origin", "cross-origin-resource-policy: same-origin"] {
                    #expect(answer.head.contains("\r\n\(header)"), "\(verb) \(path) lacks \(header)")
                }
                #expect(!answer.head.contains("access-control") && !answer.head.contains("set-cookie"), "\(verb) \(path)")
                #expect(verb != "HEAD" || (answer.body.isEmpty && !answer.head.contains("content-length: 0")))
                #expect(status != "405" || answer.head.contains("allow: get, head\r\n"))
            }
            let bare = await console.ask("GET", "/console", token: nil)
            #expect(bare.status == "308" && bare.head.contains("location: /console/"))
            let guide = await console.ask("GET", "/guide", token: nil)
            #expect(guide.status == "308" && guide.head.contains("location: /guide/"))
        }
    }

    @Test func `each page has one address: the guide's are not below the console's, nor the reverse`() async throws {
        try await ConsoleFixture.run { console in
            let page = await console.ask("GET", "/console/", token: nil).body
            let guide = await console.ask("GET", "/guide/", token: nil).body
            #expect(page.contains("/console/main.js") && guide.contains("/guide/guide.js"))
            #expect(await console.ask("GET", "/console/guide/guide.js", token: nil).body == page)
            #expect(await console.ask("GET", "/console/guide/", token: nil).body == page)
            for path in ["main.js", "guide/guide.js", "../main.js", "api/server"] {
                #expect(await console.ask("GET", "/guide/\(path)", token: nil).body == guide, "\(path)")
            }
        }
    }

    @Test func `a page that is known is not sent again`() async throws {
        try await ConsoleFixture.run { console in
            let first = await console.ask("GET", "/console/main.js", token: nil)
            let tag = try #require(first.head.firstMatch(of: /etag: ("[^"]+")/)).output.1
            #expect(first.head.contains("cache-control: no-cache") && !first.body.isEmpty)
            for known in [String(tag), "\"other\", \(tag)", "W/\(tag)", "*"] {
                let again = await console.ask("GET", "/console/main.js", token: nil, headers: ["if-none-match: \(known)"])
                #expect(again.status == "304" && again.body.isEmpty && again.head.contains("etag: \(tag)"), "\(known)")
            }
            #expect(await console.ask("GET", "/console/main.js", token: nil, headers: ["if-none-match: \"other\""]).status == "200")
        }
    }

    @Test(arguments: [
        ("text/html,application/xhtml+xml;q=0.9", "302"), ("TEXT/HTML;q=1, */*", "302"), ("*/*", "200"), ("application/json, text/html", "200"), ("", "200"),
    ])
    func `a browser is redirected from the root to the console, and other clients get the health answer`(accept: String, status: String) async throws {
        try await ConsoleFixture.run { console in
            let answer = await console.ask("GET", "/", token: nil, headers: accept.isEmpty ? [] : ["accept: \(accept)"])
            #expect(answer.status == status)
            #expect(status == "302" ? answer.head.contains("location: /console/") : answer.body == "Ok\n")
        }
    }

    @Test func `files of a directory, for work on them`() async throws {
        let folder = try ScratchFolder()
        _ = try folder.file("index.html", "<p>first</p>")
        _ = try folder.file("secret.key", "secret")
        _ = try folder.write("let a = 1".utf8, to: "lib/a.js")
        try await ConsoleFixture.run(change: { $0.directory = folder.path }) { console in
            #expect(await console.ask("GET", "/console/lib/a.js", token: nil).body == "let a = 1")
            let first = await console.ask("GET", "/console/books", token: nil)
            #expect(first.body == "<p>first</p>")
            _ = try folder.file("index.html", "<p>second</p>")
            let second = await console.ask("GET", "/console/", token: nil)
            #expect(second.body == "<p>second</p>" && second.head.firstMatch(of: /etag: .*/)?.output != first.head.firstMatch(of: /etag: .*/)?.output)
            for path in ["secret.key", "../\(folder.url.lastPathComponent)/secret.key", "/etc/passwd", ".hidden.js", "lib"] {
                #expect(await console.ask("GET", "/console/\(path)", token: nil).body == "<p>second</p>", "\(path)")
            }
        }
    }

    @Test func `what the program contains is what Console has`() throws {
        let folder = PageFolder(directory: repositoryRoot.appendingPathComponent("Console").path)
        #expect(EmbeddedFile.all.contains { $0.path == "index.html" } && EmbeddedFile.all.count > 40)
        for file in EmbeddedFile.all {
            #expect(PageFolder().bytes(of: file.path) == folder.bytes(of: file.path), "\(file.path)")
        }
    }

    @Test(arguments: [nil, repositoryRoot.appendingPathComponent("Console").path])
    func `the guide shows the code of the example, and its documents`(directory: String?) async throws {
        let example = repositoryRoot.appendingPathComponent("Examples/Guide/Sources")
        try await ConsoleFixture.run(change: { $0.directory = directory }) { console in
            let module = await console.ask("GET", "/guide/sources.js", token: nil).body
            let match = try #require(module.firstMatch(of: /^export const code = (.*);\nexport const samples = ((?s).*);\n$/))
            let shown = try #require(try JSONSerialization.jsonObject(with: Data(match.1.utf8)) as? [String: String])
            let sections = try FileManager.default.contentsOfDirectory(atPath: example.appendingPathComponent("Guide/Sections").path)
            #expect(shown.count > 10 && Set(shown.keys) == Set(sections))
            for (name, code) in shown {
                let text = try String(contentsOf: example.appendingPathComponent("Guide/Sections/\(name)"), encoding: .utf8)
                #expect(text == "// SPDX-License-Identifier: Apache-2.0\n" + code, "\(name)")
            }
            #expect(try String(contentsOf: example.appendingPathComponent("GuideLive/Resources/samples.json"), encoding: .utf8) == match.2)
            // Only as this module.
            #expect(await console.ask("GET", "/guide/code/Arrays.swift", token: nil).body.hasPrefix("<!doctype html>"))
        }
    }
}
