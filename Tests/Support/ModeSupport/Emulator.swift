// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Google's emulator on this machine.
package enum Emulator {
    static let package = "google-cloud-cli-firestore-emulator"
    package static let main = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"

    /// The archive it is in; nil where it is not installed, or there is no Java to run it.
    package static func jar() throws -> String? {
        guard try output(of: ["sh", "-c", "command -v java && command -v dpkg"]) != nil else { return nil }
        let files = try output(of: ["dpkg", "-L", package]) ?? ""
        return files.split(separator: "\n").first { $0.hasSuffix("/cloud-firestore-emulator.jar") }.map(String.init)
    }

    private static func output(of command: [String]) throws -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text : nil
    }

    /// A port of this machine that was free a moment ago.
    package static func freePort() throws -> Int {
        let descriptor = newSocket()
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw StartFailure("no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    package static func answers(at port: Int) -> Bool {
        let descriptor = newSocket()
        defer { close(descriptor) }
        var address = loopback(port: port)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func newSocket() -> Int32 {
        #if canImport(Glibc)
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// Retains the server that was started until the process ends.
package final class ProcessHolder: Sendable {
    private let process = Mutex<PlaceProcess?>(nil)

    package func keep(_ started: PlaceProcess) { process.withLock { $0 = started } }
}
