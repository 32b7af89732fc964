// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// One side of a case of `make bench-server`: says `ready`, then answers every line of its input by one line with a
/// result, until the input ends. So the driver can let several sides take turns.
nonisolated func runProbe(_ arguments: [String]) async throws {
    switch (arguments.first ?? "", arguments.count) {
    // Answers on its port, not on its output.
    case ("echo", 3):
        guard let port = Int(arguments[1]) else { throw ProbeFailure("\(arguments[1]) is no port") }
        try await FixedAnswer.serve(port: port, file: arguments[2])
    case ("commits", 3):
        let commits = try EngineCommits(directory: arguments[1], durability: arguments[2])
        try await answer { try await commits.rate(seconds: $0) }
        await commits.close()
    case ("scan", 3):
        guard let count = Int(arguments[2]) else { throw ProbeFailure("\(arguments[2]) is no number") }
        let scan = try await EngineScan(directory: arguments[1], documents: count)
        try await answer { _ in try await scan.rate() }
        await scan.close()
    case ("fill", 3):
        guard let count = Int(arguments[2]) else { throw ProbeFailure("\(arguments[2]) is no number") }
        try await ProbeDatabase.fill(path: arguments[1], documents: count)
        say("ready")
    case ("decoding", 3):
        let decoding = try CommitDecoding(side: arguments[1], file: arguments[2])
        try await answer { try decoding.seconds(repetitions: Int($0)) }
    case ("posts", 2):
        guard let port = Int(arguments[1]) else { throw ProbeFailure("\(arguments[1]) is no port") }
        let posts = PlainPosts(port: port)
        try await answer { try await posts.rate(count: Int($0)) }
    case ("app", 3):
        guard let port = Int(arguments[1]) else { throw ProbeFailure("\(arguments[1]) is no port") }
        try await measure(arguments[2], of: AppMeasurements(port: port))
    default:
        throw ProbeFailure(
            "usage: ServerProbe commits DIRECTORY full|relaxed | scan DIRECTORY COUNT | fill FILE COUNT | echo PORT FILE"
                + " | decoding rest|grpc FILE | posts PORT"
                + " | app PORT gets|tasks|unawaited|awaited|listen")
    }
}

/// An app in Swift at a server; the numbers are documents, or seconds.
nonisolated func measure(_ what: String, of app: AppMeasurements) async throws {
    switch what {
    case "gets": try await answer { try await app.oneByOne(count: Int($0)) }
    case "tasks": try await answer { try await app.sideBySide(tasks: 64, seconds: $0) }
    case "unawaited": try await answer { try await app.addedWithoutWaiting(count: Int($0)) }
    case "awaited": try await answer { try await app.addedOneByOne(count: Int($0)) }
    case "listen":
        say("ready")
        try await app.listen()
    default: throw ProbeFailure("an app does not measure \(what)")
    }
}

/// Measures once for each line, with the number on it.
nonisolated func answer(_ measure: (Double) async throws -> Double) async throws {
    say("ready")
    while let line = readLine() {
        guard let number = Double(line) else { throw ProbeFailure("\(line) is no number") }
        say("\(try await measure(number))")
    }
}

nonisolated func say(_ text: String) {
    print(text)
    fflush(nil)
}

struct ProbeFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

Task.detached {
    do {
        try await runProbe(Array(CommandLine.arguments.dropFirst()))
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("ServerProbe: \(error)\n".utf8))
        exit(1)
    }
}
dispatchMain()
