// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// `hearth watch` as a long-running process.
@Suite(.waitingForProcesses) struct WatchCommandTests {
    @Test func `changes come as they happen, until there were enough`() throws {
        let place = try CommandPlace(.server)
        try place.fill([("cities/SF", #"{"population": 2}"#), ("cities/LA", #"{"population": 1}"#)])
        let watch = try RunningCommand(["watch", "cities", "--where", "population > 0", "--order-by", "population", "--count", "5"] + place.options)
        #expect(try watch.line().contains(#""change":"added","path":"cities/LA""#))
        #expect(try watch.line().contains(#""change":"added","path":"cities/SF","fields":{"population":2}"#))
        _ = try place.run("set", "cities/DC", #"{"population": 3}"#)
        #expect(try watch.line().contains(#""change":"added","path":"cities/DC""#))
        _ = try place.run("update", "cities/DC", "population=4")
        #expect(try watch.line().contains(#""change":"modified","path":"cities/DC","fields":{"population":4}"#))
        _ = try place.run("update", "cities/LA", "population=0")
        let last = try watch.line()
        #expect(last.contains(#""change":"removed","path":"cities/LA","readTime""#) && !last.contains("fields"), "\(last)")
        #expect(watch.end() == 0)
        #expect(watch.errors.isEmpty)
    }

    @Test func `a document is followed from nothing to nothing`() throws {
        let place = try CommandPlace(.server)
        let watch = try RunningCommand(["watch", "cities/SF", "-o", "pretty"] + place.options)
        #expect(try watch.line().hasPrefix("- cities/SF missing "))
        _ = try place.run("set", "cities/SF", #"{"name": "San Francisco"}"#)
        #expect(try watch.line().hasPrefix("+ cities/SF updated "))
        #expect(try watch.line() == "  name: \"San Francisco\"")
        _ = try place.run("update", "cities/SF", "name=\"SF\"")
        #expect(try watch.line().hasPrefix("~ cities/SF updated "))
        #expect(try watch.line() == "  name: \"SF\"")
        _ = try place.run("delete", "cities/SF")
        #expect(try watch.line().hasPrefix("- cities/SF removed "))
        watch.interrupt(SIGINT)
        #expect(watch.end() == 130)
        #expect(watch.errors.isEmpty)
    }

    @Test func `a watch of a server that goes away waits for it`() throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0")
        let options = ["--server", "127.0.0.1:\(try server.port)", "--project", "p"]
        let watch = try RunningCommand(["watch", "cities/SF"] + options)
        _ = try watch.line()
        server.kill()
        _ = server.waitForExit()
        watch.interrupt(SIGTERM)
        #expect(watch.end() == 143)
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `once prints the current documents and ends`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("cities/SF", #"{"n": 1}"#), ("cities/LA", #"{"n": 2}"#)])
        let all = try place.run("watch", "cities", "--order-by", "n:desc", "--once", "-o", "pretty")
        #expect(all.exitCode == 0, "\(all)")
        #expect(all.timeless == "+ cities/LA updated TIME\n  n: 2\n+ cities/SF updated TIME\n  n: 1\n")
        let last = try place.run("watch", "cities", "--order-by", "n", "--limit-to-last", "1", "--once")
        #expect(last.timeless == #"{"change":"added","path":"cities/LA","fields":{"n":2},"createTime":"TIME","updateTime":"TIME","readTime":"TIME"}"# + "\n")
        #expect(try place.run("watch", "cities/DC", "--once").timeless == #"{"change":"missing","path":"cities/DC","readTime":"TIME"}"# + "\n")
        #expect(try place.run("watch", "nothing", "--once").output.isEmpty)
        let refused = try place.run("watch", "cities", "--where", "a in []")
        #expect(refused.exitCode == 2 && !refused.errors.isEmpty, "\(refused)")
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `a watch ends when its output is closed, although nothing changes any more`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("cities/SF", "{}")])
        let run = try HearthCommand.shell("\"$0\" watch cities \"$@\" | head -1 | wc -l; echo ${PIPESTATUS[0]}", arguments: place.options)
        #expect(run.output == "1\n0\n" && run.errors.isEmpty, "\(run)")
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `Ctrl-C ends a watch with 130, and the database is closed`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("cities/SF", "{}")])
        let watch = try RunningCommand(["watch", "cities"] + place.options)
        _ = try watch.line()
        watch.interrupt(SIGINT)
        #expect(watch.end() == 130)
        #expect(watch.errors.isEmpty)
        if kind == .data {
            // Everything is in the file: it was closed, not torn off.
            #expect(!FileManager.default.fileExists(atPath: place.options[1] + "-wal"))
        }
        #expect(try place.run("get", "cities/SF").exitCode == 0)
    }
}
