// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The state that the peer knows of a new target.
enum ListenTargetStart: Equatable {
    case nothing
    case known(WatchResumption)
    /// A part, of no particular moment: its initial state was interrupted.
    case unclear

    var resumption: WatchResumption? { if case .known(let resumption) = self { resumption } else { nil } }
}

/// A target of a Listen stream, from its ADD to its REMOVE.
struct ListenedTarget {
    /// How much of the target the peer knows.
    enum Standing: Equatable {
        /// Nothing was delivered on this stream: its position is the one given by the peer (`start`).
        case asked
        /// A part of its initial state was delivered; with `isOut`, it may be in flight or with the peer. The target does not have a
        /// position until its CURRENT.
        case partial(isOut: Bool)
        /// A part of its initial state was delivered, here or on an earlier stream, before its watches were cancelled: it starts again
        /// from nothing, and the peer may know documents of it.
        case interrupted
        /// Its CURRENT was made: the peer has, or is about to get, its state as of the last step.
        case current
    }

    /// The peer's id. May be used again for another target (LS-3).
    let id: Int32
    /// The stream's number, never used again.
    let number: Int
    /// One query, or documents, each with a separate watch.
    let watched: [WatchTarget]
    /// Removed after its first snapshot (LS-6).
    let isOnce: Bool
    /// The state that the peer says it knows (LS-4, LS-5).
    let start: WatchResumption?
    /// The watches, in the order of `watched`; the numbers are never used again.
    var watches: Range<Int>
    /// The number of watches that have not delivered their initial state.
    var unheard: Int
    private(set) var standing: Standing

    init(
        id: Int32, number: Int, watched: [WatchTarget], isOnce: Bool, start: ListenTargetStart, watches: Range<Int>
    ) {
        self.id = id
        self.number = number
        self.watched = watched
        self.isOnce = isOnce
        self.start = start.resumption
        self.watches = watches
        unheard = watches.count
        standing = start == .unclear ? .interrupted : .asked
    }

    var isCurrent: Bool { standing == .current }

    /// Whether its watches were cancelled and have not caught up with what the peer knows.
    var isCatchingUp: Bool { isCurrent && unheard > 0 }

    /// Whether the peer may know documents of it, so that a new start must be announced (LS-13).
    var announcesBeginning: Bool {
        switch standing {
        case .asked, .partial(isOut: false): start != nil
        case .partial(isOut: true), .interrupted, .current: true
        }
    }

    /// Whether the peer may know documents that its watches do not report when they start.
    var hasOlderState: Bool {
        switch standing {
        case .asked, .partial: start != nil
        case .interrupted, .current: true
        }
    }

    // MARK: What happens

    /// One of its watches has delivered something.
    mutating func heard() { if standing == .asked { standing = .partial(isOut: false) } }

    /// A watch delivers a completely new state, which replaces earlier changes.
    mutating func beganAnew() { if standing == .current { standing = .partial(isOut: true) } }

    /// The delivered part of its initial state belongs to a step being sent.
    mutating func wentOut() { if standing == .partial(isOut: false) { standing = .partial(isOut: true) } }

    /// Its CURRENT belongs to a step being sent.
    mutating func becameCurrent() { standing = .current }

    /// Its watches are cancelled. They resume from the last step if it was current, and start from nothing if the peer may have
    /// received a part.
    mutating func gaveUp() {
        watches = 0..<0
        if case .partial = standing { standing = .interrupted }
    }
}
