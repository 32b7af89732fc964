// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A program that opens a file in the user's browser.
struct BrowserProgram {
    /// How long a browser may take to read the file after the program has ended.
    static let reading = Duration.seconds(3)

    private let path: String

    /// `$BROWSER`, or the program that the system has for this; nil if there is none, or no screen to show it on.
    init?(_ environment: [String: String]) {
        #if os(macOS)
            let usual = "open"
        #else
            let usual = "xdg-open"
        #endif
        let chosen = environment["BROWSER"]?.split(separator: ":").first.map { String($0) }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map { String($0) }
        let candidates = [chosen, Self.hasScreen(environment) ? usual : nil].compactMap(\.self).flatMap { name in
            name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        path = found
    }

    /// Whether a window would be seen by the user who runs the command.
    private static func hasScreen(_ environment: [String: String]) -> Bool {
        #if os(macOS)
            environment["SSH_CONNECTION"] == nil
        #else
            ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        #endif
    }

    /// Shows the console; false if the program has failed. Every user of the machine can read the arguments of a program, so the token
    /// is not one of them: the browser
    /// gets a file that sends it on, and that only this user can read.
    func show(_ address: ConsoleAddress, directory: String, reading: Duration = Self.reading) async throws -> Bool {
        let file = "\(directory)/open-\(AutoID.make()).html"
        try PrivateFile.write(Array(Self.redirect(to: address.url).utf8), to: file)
        defer { unlink(file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [file]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw FirestoreError(
                .failedPrecondition, "the browser cannot be started; `hearth console --print` prints the address", at: path)
        }
        // Some programs end only with the browser. It has read the file by then.
        let limit = ContinuousClock.now + reading
        while ContinuousClock.now < limit {
            if !process.isRunning, process.terminationStatus != 0 { return false }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return process.isRunning || process.terminationStatus == 0
    }

    private static func redirect(to url: String) -> String {
        """
        <!doctype html>
        <meta charset="utf-8">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0;url=\(url)">
        <title>Hearth</title>
        <p>Opening the console …</p>

        """
    }
}
