// SPDX-License-Identifier: Apache-2.0

/// What a call holds for its answers while it runs, such as memory.
///
/// A call that waits for another call gives it back meanwhile: the other one may need it to end.
package protocol CallRoom: Sendable {
    func giveBack()
    /// Returns once the call holds it again, or has ended.
    func takeAgain() async
}

/// The room of the call that a task answers.
package enum CurrentCallRoom {
    /// nil for callers in this process.
    @TaskLocal package static var value: (any CallRoom)?
}
