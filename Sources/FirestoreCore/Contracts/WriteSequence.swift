/// Commits of which none may be applied behind one that has failed: those of one Write stream (LS-39).
///
/// They can then be handed over without waiting for each other, and become durable together. Whoever applies them asks
/// before each, and notes the first that fails; who gives the rest up, because nobody waits for the answers any more, does
/// so by the same note.
package final class WriteSequence: Sendable {
    private let failed = Mutex(false)

    package init() {}

    package var hasFailed: Bool { failed.withLock { $0 } }

    package func fail() { failed.withLock { $0 = true } }
}
