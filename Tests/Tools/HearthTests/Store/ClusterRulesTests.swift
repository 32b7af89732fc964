// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Foundation
    import FirestoreCore
    import Testing

    /// `hearth rules deploy`: the rules of all nodes (DN-6.3).
    struct ClusterRulesTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-rules-" + AutoID.make())

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

        private static let documents = "/v1/projects/demo/databases/(default)/documents/c"

        private func isGranted(_ node: HearthServerProcess) async throws -> Bool {
            !(try await node.get(Self.documents)).contains("PERMISSION_DENIED")
        }

        // DN-9.3 g
        @Test func `from the answer on no node grants by the rules of before, not even one that was paused`() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try StoreFixture()
            let (open, closed) = (try store.rules(granting: true, in: folder), try store.rules(granting: false, in: folder))
            #expect(try HearthCommand("rules", "deploy", "--store", store.url, open).output.contains("no node is running"))
            let nodes = [try store.node(), try store.node(), try store.node()]
            for node in nodes { #expect(try await isGranted(node)) }
            for round in 0..<4 {
                let answer = try HearthCommand("rules", "deploy", "--store", store.url, round % 2 == 0 ? closed : open)
                #expect(answer.exitCode == 0 && answer.output.contains("in effect on 3 nodes"), "\(answer.output) \(answer.errors)")
                for node in nodes { #expect(try await isGranted(node) == (round % 2 == 1)) }
            }
            kill(nodes[1].processID, SIGSTOP)
            let answer = try HearthCommand("rules", "deploy", "--store", store.url, closed)
            #expect(answer.output.contains("in effect on 2 nodes"), "\(answer.output) \(answer.errors)")
            kill(nodes[1].processID, SIGCONT)
            for _ in 0..<10 {
                let text = try await nodes[1].get(Self.documents)
                #expect(text.contains("PERMISSION_DENIED") || text.contains("UNAVAILABLE"), "\(text)")
            }
            let status = try HearthCommand("store", "status", "--store", store.url)
            #expect(status.output.components(separatedBy: ": serving").count == 4, "\(status.output)")
        }

        @Test func `a node with other rules than the cluster's does not start, and says what to do`() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try StoreFixture()
            let (open, closed) = (try store.rules(granting: true, in: folder), try store.rules(granting: false, in: folder))
            func refusal(_ words: String...) throws -> String {
                let answer = try HearthCommand(["serve", "--store", store.url, "--port", "0", "--no-console"] + words, environment: [:])
                #expect(answer.exitCode == 2)
                return answer.errors
            }
            #expect(try refusal("--rules", open).contains("the cluster has no rules for all databases without rules of their own; deploy"))
            #expect(try refusal("--host", "0.0.0.0").contains("the cluster has no rules, and every client that reaches 0.0.0.0"))
            #expect(try HearthCommand("rules", "deploy", "--store", store.url, open, "archive=\(closed)").exitCode == 0)
            #expect(try refusal("--rules", closed).contains("differs from the rules that the cluster has for all databases"))
            #expect(try refusal("--rules", "archive=\(open)").contains("for databases archive"))
            #expect(try refusal().contains("give --development"))
            let node = try HearthServerProcess("--store", store.url, "--port", "0", "--rules", open, "--rules", "archive=\(closed)")
            node.terminate()
            #expect(node.waitForExit() == 0)
        }

        @Test func `rules with errors change nothing, and the words are checked`() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try StoreFixture()
            let broken = folder.appendingPathComponent("broken.rules")
            try Data("service cloud.firestore {".utf8).write(to: broken)
            let open = try store.rules(granting: true, in: folder)
            let errors = try HearthCommand("rules", "deploy", "--store", store.url, open, "archive=\(broken.path)")
            #expect(errors.exitCode == 1 && errors.errors.contains("broken.rules:1:"), "\(errors.errors)")
            #expect(try HearthCommand("rules", "deploy", "--store", store.url, open + "-").exitCode == 2)
            for words in [[], [open, open], ["--remove", "a", "a=\(open)"]] {
                let answer = try HearthCommand(["rules", "deploy", "--store", store.url] + words, environment: [:])
                #expect(answer.exitCode == 64 || answer.exitCode == 2, "\(words)")
            }
            #expect(try HearthCommand("rules", "deploy", "--store", store.url, "--remove", "archive").exitCode == 0)
        }
    }
#endif
