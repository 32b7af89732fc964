// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The exit codes of subcommands. A command that was not understood ends with the same code as one that failed.
enum Outcome {
    /// The answer is no.
    static let findings = ExitCode(1)
    static let failure = ExitCode(2)
}
