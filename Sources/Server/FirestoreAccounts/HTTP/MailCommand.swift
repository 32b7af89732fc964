// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation
package import Logging

/// Hands e-mails to the operator's command, one process each. Signing in never waits for it: mails wait in a bounded queue, and what
/// exceeds it is dropped and logged.
package final class MailCommand: Sendable {
    private struct State {
        var waiting: [AccountMail] = []
        var running = 0
    }

    private let command: String
    private let limit: Duration
    private let capacity: Int
    private let log: Logger
    private let state = Mutex(State())
    private let threads = DispatchQueue(label: "hearth.mail", attributes: .concurrent)
    private static let concurrent = 2

    /// - Parameter limit: How long the command may take before it is ended.
    package init(_ command: String, limit: Duration = .seconds(30), capacity: Int = 1_000, log: Logger) {
        self.command = command
        self.limit = limit
        self.capacity = capacity
        self.log = log
    }

    /// Takes a mail to send later. Does not wait.
    package func send(_ mail: AccountMail) {
        let (isTaken, starts) = state.withLock { state in
            guard state.waiting.count < capacity else { return (false, false) }
            state.waiting.append(mail)
            guard state.running < Self.concurrent else { return (true, false) }
            state.running += 1
            return (true, true)
        }
        if !isTaken {
            log.error("an e-mail was dropped: too many wait for the mail command", metadata: ["kind": "\(mail.requestType)"])
        }
        if starts { threads.async { self.work() } }
    }

    /// Waits until nothing is left to send, but no longer than `limit`.
    package func finish(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while state.withLock({ $0.running > 0 }), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(20)) }
    }

    private func work() {
        while true {
            let mail: AccountMail? = state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.running -= 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            guard let mail else { return }
            run(mail)
        }
    }

    /// The JSON object on the command's standard input.
    package static func input(_ mail: AccountMail) -> [UInt8] {
        var members: [(name: String, value: JSON)] = [
            ("kind", .string(mail.requestType)), ("to", .string(mail.recipient)), ("email", .string(mail.email)),
        ]
        if let newEmail = mail.newEmail { members.append(("newEmail", .string(newEmail))) }
        members += [("code", .string(mail.code)), ("link", .string(mail.link))]
        return JSON.object(members).bytes() + [UInt8(ascii: "\n")]
    }

    private func run(_ mail: AccountMail) {
        // Neither addresses nor codes: logs are read more widely than mails.
        let about: Logger.Metadata = ["kind": "\(mail.requestType)"]
        let (process, input, ended) = (Process(), Pipe(), DispatchSemaphore(value: 0))
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { _ in ended.signal() }
        do {
            try process.run()
        } catch {
            log.error("the mail command could not be started", metadata: about)
            return
        }
        try? input.fileHandleForReading.close()
        // Smaller than a pipe, so that a command that does not read it cannot block this thread.
        try? input.fileHandleForWriting.write(contentsOf: Data(Self.input(mail)))
        try? input.fileHandleForWriting.close()
        let milliseconds = Int(limit.components.seconds * 1_000 + limit.components.attoseconds / 1_000_000_000_000_000)
        guard ended.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else {
            // The shell and the processes that it has started.
            if kill(-process.processIdentifier, SIGKILL) != 0 { kill(process.processIdentifier, SIGKILL) }
            _ = ended.wait(timeout: .now() + .seconds(5))
            log.error("the mail command was ended: it took longer than \(limit)", metadata: about)
            return
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            log.error("the mail command failed", metadata: about.merging(["code": "\(process.terminationStatus)"]) { $1 })
            return
        }
        log.info("an e-mail was handed to the mail command", metadata: about)
    }
}
