// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where a server listens.
package struct ModeAddress: Sendable {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `host:port`
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return nil }
        self.init(host: String(text[..<colon]), port: port)
    }

    /// The server of this mode, started when first asked for, once in a process and not again in the processes it starts.
    package static let current: ModeAddress = {
        if let text = ProcessInfo.processInfo.environment[variable], let address = ModeAddress(text) { return address }
        do {
            let address = try start()
            setenv(variable, "\(address.host):\(address.port)", 1)
            return address
        } catch {
            Mode.end(2, "there is no server to run against: \(error)")
        }
    }()

    private static let variable = "HEARTH_MODE_ADDRESS"
    private static let process = ProcessHolder()

    private static func start() throws -> ModeAddress {
        switch Mode.current {
        case .embedded, .loopback: throw StartFailure("the mode \(Mode.current.rawValue) has none")
        case .server: return try startHearth()
        case .emulator: return try findEmulator()
        }
    }

    // MARK: hearth serve

    private static func startHearth() throws -> ModeAddress {
        let folders = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(), Bundle.main.bundleURL,
            Bundle.main.bundleURL.deletingLastPathComponent(),
        ]
        let paths = folders.map { $0.appendingPathComponent("hearth").path }
        guard let binary = paths.first(where: FileManager.default.isExecutableFile) else {
            throw StartFailure("hearth stands not beside the tests: swift build --product hearth")
        }
        let process = try PlaceProcess(
            binary, ["serve", "--in-memory", "--port", "0", "--max-databases", "100000", "--log-level", "error"])
        let line = process.firstLine()
        let digits = line.components(separatedBy: "ready on 127.0.0.1:").last?.prefix { $0.isNumber } ?? ""
        guard let port = Int(digits) else { throw StartFailure("hearth serve has not come up: \(line)") }
        self.process.keep(process)
        return ModeAddress(host: "127.0.0.1", port: port)
    }

    // MARK: The official emulator

    private static func findEmulator() throws -> ModeAddress {
        if let text = ProcessInfo.processInfo.environment["HEARTH_EMULATOR"], !text.isEmpty {
            guard let address = ModeAddress(text) else { throw StartFailure("HEARTH_EMULATOR is host:port, and not \(text)") }
            return address
        }
        guard let jar = try Emulator.jar() else {
            Mode.end(0, "skipped, the official emulator is not installed (\(Emulator.package), and Java)")
        }
        let port = try Emulator.freePort()
        let process = try PlaceProcess(
            "/usr/bin/env",
            ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", jar, Emulator.main, "start", "--host=127.0.0.1", "--port=\(port)"],
            isQuiet: true)
        process.discardOutput()
        let deadline = ContinuousClock.now + .seconds(120)
        while !Emulator.answers(at: port) {
            guard !process.hasEnded, ContinuousClock.now < deadline else { throw StartFailure("the emulator has not come up") }
            usleep(50_000)
        }
        self.process.keep(process)
        return ModeAddress(host: "127.0.0.1", port: port)
    }
}

/// The reason why there is no server.
package struct StartFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
