// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import Foundation
    import Testing

    /// `hearth store copy`: from a server's directory to several nodes and back, while both are written.
    struct StoreCopyTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-copy-" + AutoID.make())

        private static let documents = "/v1/projects/demo/databases/(default)/documents"

        /// The command, while it runs.
        private final class Copy {
            private let process = Process()
            private let output = Pipe()
            private(set) var text = ""

            init(_ words: String...) throws {
                process.executableURL = try HearthCommand.executable
                process.arguments = ["store", "copy"] + words
                process.standardOutput = output
                process.standardError = output
                try process.run()
            }

            /// Reads until the text has these words, or the command ends.
            func wait(for words: String) {
                while !text.contains(words) {
                    let piece = output.fileHandleForReading.availableData
                    if piece.isEmpty { return }
                    text += String(decoding: piece, as: UTF8.self)
                }
            }

            func end() -> Int32 {
                wait(for: "\u{0}")
                process.waitUntilExit()
                return process.terminationStatus
            }
        }

        private func write(_ numbers: Range<Int>, to server: HearthServerProcess) async throws {
            for number in numbers {
                let body = #"{"fields": {"n": {"integerValue": "\#(number)"}}}"#
                let text = try await server.send("PATCH", Self.documents + "/c/d\(number % 40)", body)
                #expect(text.contains("updateTime"), "\(text)")
            }
            _ = try await server.send("DELETE", Self.documents + "/c/d\(numbers.lowerBound % 40)", nil)
        }

        /// Everything, with its times.
        private func contents(_ server: HearthServerProcess) async throws -> String {
            try await server.get(Self.documents + "/c?pageSize=300&orderBy=n")
        }

        @Test func `documents that are written meanwhile arrive, there and back`() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try StoreFixture()
            let (data, other) = (folder.appendingPathComponent("data").path, folder.appendingPathComponent("other").path)
            let server = try HearthServerProcess("--data", data, "--port", "0", "--project", "demo", "--no-console")
            try await write(0..<60, to: server)
            let copy = try Copy(data, store.url)
            copy.wait(for: "stop what serves")
            try await write(60..<101, to: server)
            let before = try await contents(server)
            #expect(before.contains(#""99""#) && !before.contains(#""100""#))
            server.terminate()
            #expect(server.waitForExit() == 0)
            #expect(copy.end() == 0, "\(copy.text)")
            #expect(copy.text.contains("demo/(default): 39 documents") && copy.text.contains("documents took"), "\(copy.text)")
            let node = try store.node()
            #expect(try await contents(node) == before)
            #expect(try HearthCommand("store", "check", "--store", store.url).exitCode == 0)
            // And back.
            try await write(200..<210, to: node)
            let back = try Copy(store.url, other)
            back.wait(for: "stop what serves")
            try await write(210..<240, to: node)
            let last = try await contents(node)
            node.terminate()
            #expect(node.waitForExit() == 0 && back.end() == 0, "\(back.text)")
            let again = try HearthServerProcess("--data", other, "--port", "0", "--project", "demo", "--no-console")
            #expect(try await contents(again) == last)
            again.terminate()
            #expect(again.waitForExit() == 0)
            #expect(try HearthCommand("check", other + "/demo/_default.sqlite").exitCode == 0)
        }

        @Test func `places are checked`() throws {
            let store = try StoreFixture()
            let missing = try HearthCommand("store", "copy", folder.path, store.url)
            #expect(missing.exitCode == 2 && missing.errors.contains("does not exist"), "\(missing.errors)")
            for words in [[folder.path, folder.path], [store.url, store.url], ["postgres://u:secret@127.0.0.1/x", folder.path]] {
                let answer = try HearthCommand(["store", "copy"] + words, environment: [:])
                #expect([2, 64].contains(answer.exitCode) && !answer.errors.contains("u:secret"), "\(words): \(answer.errors)")
            }
        }
    }
#endif
