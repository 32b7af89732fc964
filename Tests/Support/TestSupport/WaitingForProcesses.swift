// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Testing

/// Runs tests that wait for another process on threads of their own.
///
/// The cooperative pool has a thread per core. Tests that block one, for the end of a command or the next line of a server,
/// would make all others wait, the handlers of sockets among them.
package struct WaitingForProcesses: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await function() }
        try await withTaskExecutorPreference(WaitingExecutor.shared) { try await function() }
    }
}

extension Trait where Self == WaitingForProcesses {
    /// The tests block their thread until another process has done something.
    package static var waitingForProcesses: Self { WaitingForProcesses() }
}

/// As many threads as the machine has cores, and at least two.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class WaitingExecutor: TaskExecutor {
    static let shared = WaitingExecutor()

    private let operations = OperationQueue()

    private init() { operations.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        operations.addOperation { job.runSynchronously(on: executor) }
    }
}
