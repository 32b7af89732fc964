// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite(.waitingForProcesses) struct BenchCommandTests {
    @Test(arguments: CommandPlace.Kind.allCases)
    func `figures for every operation, and nothing is left`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        let bench = try place.run("bench", "--seconds", "0.05", "--tasks", "3", "--documents", "20")
        #expect(bench.exitCode == 0, "\(bench)")
        let lines = bench.output.split(separator: "\n")
        let figures = try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        #expect(figures.map { $0["operation"] as? String } == ["set", "get", "update", "query"])
        #expect(figures[0]["count"] as? Int == 20)
        for figure in figures { #expect(try #require(figure["perSecond"] as? Double) > 0) }
        #expect(try place.run("collections").output.isEmpty)
        let table = try place.run("bench", "--seconds", "0.05", "--tasks", "1", "--documents", "5", "-o", "table")
        #expect(table.output.hasPrefix("operation  count  per second"), "\(table)")
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `Ctrl-C ends it early, and nothing is left`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        let bench = try RunningCommand(["bench", "--seconds", "600", "--documents", "20"] + place.options)
        if kind == .data {
            // Its first document is there when the log has something in it.
            try bench.wait(until: { (try? FileManager.default.attributesOfItem(atPath: place.options[1] + "-wal")[.size] as? Int) ?? 0 > 0 })
        } else {
            try bench.wait(until: { (try? place.run("collections").output.contains("hearth-bench-")) == true })
        }
        bench.interrupt(SIGINT)
        #expect(bench.end() == 130)
        let errors = bench.errors
        #expect(errors.contains("hearth bench: interrupted; deleting the documents in hearth-bench-") && errors.hasSuffix("nothing is left of it\n"), "\(errors)")
        #expect(try place.run("collections").output.isEmpty)
    }
}
