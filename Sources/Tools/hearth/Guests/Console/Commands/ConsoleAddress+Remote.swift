// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

extension ConsoleAddress {
    /// The one line for where no browser can be opened, as on a server over SSH: the address, and how to reach it from another machine.
    /// A terminal shows the address with the token; a pipe would store it.
    func withoutBrowser(_ environment: [String: String], command: String, isTerminal: Bool = ConsoleAddressFile.isTerminal) -> String {
        let forwarding = forwarding(environment)
        guard isTerminal else {
            return "no browser can be opened here; `hearth \(command) --print` prints the address"
                + (forwarding.map { ", which `\($0)` makes reachable from another machine" } ?? "")
        }
        return "open \(url)" + (forwarding.map { " (from another machine, first: \($0))" } ?? "")
    }

    /// `ssh -L 8080:127.0.0.1:8080 user@host`; nil for a server that is reached without.
    private func forwarding(_ environment: [String: String]) -> String? {
        let place = page.split(separator: "/")[1]
        guard place.hasPrefix("127.") || place.hasPrefix("localhost:") || place.hasPrefix("[::1]:"),
            let port = place.split(separator: ":").last
        else { return nil }
        // The address by which this machine was reached.
        let words = environment["SSH_CONNECTION"]?.split(separator: " ") ?? []
        let host = words.count == 4 ? String(words[2]) : Self.hostName
        let user = (environment["USER"] ?? environment["LOGNAME"]).map { $0 + "@" } ?? ""
        return "ssh -L \(port):\(place) \(user)\(host)"
    }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "this-machine" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
