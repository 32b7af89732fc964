// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What the peer of a new target knows of it.
enum ListenTargetStart: Equatable {
    case nothing
    case known(WatchResumption)
    /// Some of it, of no particular moment: its beginning got lost on the way.
    case unclear

    var resumption: WatchResumption? { if case .known(let resumption) = self { resumption } else { nil } }
}

/// A target of a Listen stream, from its ADD to its REMOVE.
struct ListenedTarget {
    /// How much of it the peer knows.
    enum Standing: Equatable {
        /// Nothing has been told of it on this stream: it stands where the peer says (`start`).
        case asked
        /// Some of its first state has been told, and may be on its way or with the peer once it `isOut`: it stands nowhere in
        /// particular until its CURRENT.
        case partial(isOut: Bool)
        /// Some of its first state has been told, here or on an earlier stream, and its watches were given up then: it begins
        /// again from nothing, as one that the peer knows something of.
        case interrupted
        /// Its CURRENT has been made out: the peer has, or is about to get, its state as of the last step.
        case current
    }

    /// What the peer calls it. May come back for another target (LS-3).
    let id: Int32
    /// What this stream calls it; never comes back.
    let number: Int
    /// One query, or documents, each with a watch of its own.
    let watched: [WatchTarget]
    /// Gone after its first snapshot (LS-6).
    let isOnce: Bool
    /// The state the peer says it knows (LS-4, LS-5).
    let start: WatchResumption?
    /// The watches, in the order of `watched`: numbers that are never used again.
    var watches: Range<Int>
    /// Watches that have not told their first state.
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

    /// Its watches were given up and have not caught up with what the peer knows.
    var isCatchingUp: Bool { isCurrent && unheard > 0 }

    /// The peer may know something of it: a new beginning has to be announced (LS-13).
    var announcesBeginning: Bool {
        switch standing {
        case .asked, .partial(isOut: false): start != nil
        case .partial(isOut: true), .interrupted, .current: true
        }
    }

    /// The peer may know documents of it that its watches do not tell of when they begin.
    var hasOlderState: Bool {
        switch standing {
        case .asked, .partial: start != nil
        case .interrupted, .current: true
        }
    }

    // MARK: What happens

    /// One of its watches tells something.
    mutating func heard() { if standing == .asked { standing = .partial(isOut: false) } }

    /// A watch tells a whole new state, which voids what was told.
    mutating func beganAnew() { if standing == .current { standing = .partial(isOut: true) } }

    /// What was told of its first state is part of a step that is sent.
    mutating func wentOut() { if standing == .partial(isOut: false) { standing = .partial(isOut: true) } }

    /// Its CURRENT is part of a step that is sent.
    mutating func becameCurrent() { standing = .current }

    /// Its watches are given up. They begin again from the last step if it was current, and from nothing if the peer may have
    /// been told a part.
    mutating func gaveUp() {
        watches = 0..<0
        if case .partial = standing { standing = .interrupted }
    }
}
