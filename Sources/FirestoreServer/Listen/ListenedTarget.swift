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
    /// The peer may know something of it: a new beginning has to be announced (LS-13).
    var isKnown: Bool
    /// Something has been told of it on this stream, and may be on its way or with the peer: it stands nowhere in particular
    /// until its CURRENT.
    var hasHeard = false
    /// Its CURRENT has been made out: the peer has, or is about to get, its state as of the last step.
    var isCurrent = false
    /// Its watches were given up before the peer had all of the first state, here or on an earlier stream.
    var beganBefore = false

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
        isKnown = start != .nothing
        beganBefore = start == .unclear
    }

    /// Its watches were given up and have not caught up with what the peer knows.
    var isCatchingUp: Bool { isCurrent && unheard > 0 }
}
