// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// A file with damaged bytes gives right answers or errors, and the check finds the damage.
@Suite struct DamagedAnswersTests {
    private static let files = TestScale.pick(quick: 16, full: 200)

    /// A closed database: documents of all lengths, some written again and some deleted, with indexes.
    private func makeFile(_ folder: ScratchFolder) async throws -> Data {
        let engine = try Engine.file(folder.file())
        func write(_ number: Int, _ round: Int) -> Write {
            let length = number % 17 == 0 ? 15_000 : 100 + number % 7 * 150
            return .set(
                "c/\(number)", ("n", .integer(Int64(number * 37 % 101))), ("round", .integer(Int64(round))),
                ("text", .string(String(repeating: "x", count: length))))
        }
        for start in stride(from: 0, to: 200, by: 50) {
            _ = try await engine.commit((start..<start + 50).map { write($0, 1) }, context: .embedded)
        }
        for number in stride(from: 0, to: 200, by: 9) { try await engine.commit(write(number, 2), .set("c/\(number)/sub/a")) }
        for number in stride(from: 5, to: 200, by: 20) { try await engine.commit(.delete("c/\(number)")) }
        _ = try await engine.paths(.collection("c").ordered(by: "n"))
        try await engine.indexesSettled()
        await engine.shutdown()
        return try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    }

    /// Each question with its answer or its error; one error if the file cannot be opened.
    private func answers(_ file: String) async -> [String: Result<[String], FirestoreError>] {
        let engine: Engine
        do throws(FirestoreError) {
            engine = try Engine.file(file)
        } catch {
            return ["open": .failure(error)]
        }
        var answers: [String: Result<[String], FirestoreError>] = [:]
        let all = StructuredQuery.collection("c")
        let queries = ["list": all, "by n": all.ordered(by: "n"), "equal": all.filter("n", .equal, .integer(37)), "sub": .group("sub")]
        for (name, query) in queries {
            answers[name] = await result {
                try await engine.run(query, options: .latest, context: .embedded).documents.map(Self.text)
            }
            answers["count \(name)"] = await result {
                let count = Aggregation(.count(upTo: nil), alias: "count")
                return try await engine.aggregate(query, [count], options: .latest, context: .embedded).values.map { "\($0.value)" }
            }
        }
        for number in 0..<200 {
            answers["get \(number)"] = await result { [try await engine.get("c/\(number)").map(Self.text) ?? "-"] }
        }
        await engine.shutdown()
        return answers
    }

    private static func text(_ document: Document) -> String {
        "\(document.key) \(document.updateTime) \([UInt8](document.fields.bytes.buffer))"
    }

    private func result(_ body: () async throws -> [String]) async -> Result<[String], FirestoreError> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error as? FirestoreError ?? FirestoreError(.internal, "\(error)"))
        }
    }

    @Test(arguments: [1, 30]) func `damaged bytes give no wrong answer, and the check finds them`(bytes: Int) async throws {
        let folder = try ScratchFolder()
        let original = try await makeFile(folder)
        let right = await answers(folder.file())
        #expect(right.values.allSatisfy { (try? $0.get()) != nil })
        var (generator, silent, found, failing) = (SeededGenerator(seed: UInt64(bytes)), 0, 0, 0)
        for number in 0..<Self.files {
            var data = original
            for _ in 0..<bytes {
                data[Int.random(in: 0..<data.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            }
            let damaged = try ScratchFolder()
            try data.write(to: URL(fileURLWithPath: damaged.file()))
            if (try? DatabaseInspection.check(damaged.file()))?.report.isSound != true { found += 1 }
            for (question, answer) in await answers(damaged.file()) {
                switch (answer, right[question]) {
                case (.success(let answer), .success(let right)?) where answer != right:
                    silent += 1
                    Issue.record("file \(number): \(question)")
                case (.failure(let error), _):
                    failing += 1
                    #expect(error.code == .dataLoss, "file \(number): \(question): \(error)")
                default: break
                }
            }
        }
        #expect(silent == 0 && found == Self.files && failing > 0, "\(silent) wrong answers, \(found) files found, \(failing) errors")
    }
}
