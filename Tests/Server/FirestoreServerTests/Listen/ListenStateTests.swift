// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

@testable import FirestoreServer

/// What a Listen stream does about everything that can happen to it (LS-1 … LS-30).
@Suite struct ListenStateTests {
    typealias Story = [(ListenEvent, [String])]

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var limits = ListenLimits()
        /// What happens and what is done about it.
        let story: Story

        init(_ name: String, limits: ListenLimits = ListenLimits(), _ story: Story) {
            self.name = name
            self.limits = limits
            self.story = story
        }

        var testDescription: String { name }
    }

    private static func check(_ row: Row) {
        var stream = ListenStory(limits: row.limits)
        for (index, (event, expected)) in row.story.enumerated() {
            let done = stream.tell(event)
            #expect(done == expected, "\(row.name), step \(index + 1)")
        }
    }

    private static func token(_ time: Int64, but laggards: [Int32: DocumentVersion?] = [:]) -> ListenTargetRequest.Start {
        .resumeToken(ListenToken(time: at(time), laggards: laggards).bytes)
    }
    private static let a = document("c/a", at: 5)
    private static var wrongQuery: ListenTargetRequest.Target {
        var query = collection("c")
        query.limit = -1
        return .query(query)
    }
    private static let b = document("c/b", at: 5)

    /// A query target that the peer knows everything of, up to 10.
    private static let started: Story = [
        (.add(2), ["watch 1: c", "ADD 2"]), (.first(1, at: 10, [a]), []),
        (.round(10), ["c/a@5 in 2", "CURRENT 2 @10 +token", "SNAPSHOT @10 +token"]),
    ]

    // MARK: First states

    static let beginnings: [Row] = [
        Row("LS-18: a fresh query", started),
        Row("LS-20: a document that is missing has no frame", [
            (.add(2, ListenEvent.documents("c/a")), ["watch 1: c/a", "ADD 2"]), (.first(1, at: 10), []),
            (.round(10), ["CURRENT 2 @10 +token", "SNAPSHOT @10 +token"]),
        ]),
        Row("a target of several documents is current when all of them are known; one named twice is one", [
            (.add(2, ListenEvent.documents("c/a", "c/b", "c/a")), ["watch 1: c/a", "watch 2: c/b", "ADD 2"]),
            (.first(2, at: 10, [b]), []), (.round(10), ["c/b@5 in 2", "SNAPSHOT @10 +token but 2"]),
            (.first(1, at: 11), []), (.round(11), ["CURRENT 2 @11 +token", "SNAPSHOT @11 +token"]),
        ]),
        Row("LS-6: once is over after its snapshot", [
            (.add(2, once: true), ["watch 1: c", "ADD 2"]), (.first(1, at: 10, [a]), []),
            (.round(10), ["c/a@5 in 2", "CURRENT 2 @10 +token", "SNAPSHOT @10 +token", "cancel 1", "REMOVE 2"]),
        ]),
        Row("LS-3: 0 has the server choose, past what is taken, and from then on always", [
            (.add(1), ["watch 1: c", "ADD 1"]), (.add(0), ["watch 2: c", "ADD 2"]), (.add(0), ["watch 3: c", "ADD 3"]),
            (.remove(2), ["cancel 2", "REMOVE 2"]), (.add(0), ["watch 4: c", "ADD 4"]), (.add(9), ["finish invalidArgument"]),
        ]),
        Row("LS-3: a negative id ends the stream", [(.add(-2), ["finish invalidArgument"])]),
        Row("LS-3: an id in use is refused, and nobody has it any more", started + [
            (.add(2), ["cancel 1", "REMOVE 2 alreadyExists"]), (.change(1, at: 11, [b]), []), (.add(2), ["watch 2: c", "ADD 2"]),
        ]),
        Row("LS-1: a request for another database ends the stream", [(.addElsewhere(2), ["finish invalidArgument"])]),
        Row("LS-9: what is wrong with a target is told without an ADD, and the stream lives", [
            (.addWrong(2, .unimplemented), ["REMOVE 2 unimplemented"]),
            (.add(4, wrongQuery), ["REMOVE 4 invalidArgument"]),
            (.add(6, .documents([])), ["REMOVE 6 invalidArgument"]), (.add(2), ["watch 1: c", "ADD 2"]),
        ]),
        Row("LS-9: what the service refuses is told after it", [
            (.add(2), ["watch 1: c", "ADD 2"]), (.fail(1, .failedPrecondition), ["cancel 1", "REMOVE 2 failedPrecondition"]),
            (.add(2), ["watch 2: c", "ADD 2"]),
        ]),
        Row("a watch that can be begun again ends the stream, not its target", [
            (.add(2), ["watch 1: c", "ADD 2"]), (.fail(1, .unavailable), ["finish unavailable"]),
        ]),
        Row("one document of a target that fails takes the others along", [
            (.add(2, ListenEvent.documents("c/a", "c/b")), ["watch 1: c/a", "watch 2: c/b", "ADD 2"]), (.first(1, at: 10, [a]), []),
            (.fail(2, .internal), ["cancel 2", "cancel 1", "REMOVE 2 internal"]),
        ]),
        Row("more targets than there may be", limits: ListenLimits(targets: 1, watches: 2), [
            (.add(2), ["watch 1: c", "ADD 2"]), (.add(4), ["REMOVE 4 resourceExhausted"]), (.remove(2), ["cancel 1", "REMOVE 2"]),
            (.add(4, ListenEvent.documents("c/a", "c/b", "c/d")), ["REMOVE 4 resourceExhausted"]),
            (.add(4, ListenEvent.documents("c/a", "c/b")), ["watch 2: c/a", "watch 3: c/b", "ADD 4"]),
        ]),
        Row("first states are read a few at a time", limits: ListenLimits(startingWatches: 1), [
            (.add(2), ["watch 1: c", "ADD 2"]), (.add(4), ["ADD 4"]), (.first(1, at: 10), ["watch 2: c"]),
            (.fail(2, .internal), ["cancel 2", "REMOVE 4 internal"]), (.add(6), ["watch 3: c", "ADD 6"]),
        ]),
        Row("and not while others wait to be sent", limits: ListenLimits(heldFirstStates: 1), [
            (.add(2), ["watch 1: c", "ADD 2"]), (.full, []), (.first(1, at: 10, [a, b]), []), (.round(10), []), (.add(4), []),
            (.room, ["ADD 4", "c/a@5 in 2", "c/b@5 in 2", "CURRENT 2 @10 +token", "SNAPSHOT @10 +token but 4", "watch 2: c"]),
        ]),
        Row("LS-8: one that is removed while it starts is told to nobody; one that is not there is ignored", [
            (.add(2), ["watch 1: c", "ADD 2"]), (.remove(2), ["cancel 1", "REMOVE 2"]), (.first(1, at: 10, [a]), []), (.round(10), []),
            (.remove(2), []),
        ]),
    ]

    @Test(arguments: beginnings) func begins(row: Row) { Self.check(row) }

    // MARK: Resuming

    static let resumptions: [Row] = [
        Row("LS-4: garbage for a token", [
            (.add(2, .query(collection("c")), .resumeToken(ByteSlice([1, 2, 3]))), ["REMOVE 2 invalidArgument"]),
        ]),
        Row("LS-19: what has changed since, then CURRENT", [
            (.add(2, .query(collection("c")), token(5)), ["watch 1: c from 5", "ADD 2"]),
            (.change(1, at: 10, [b], gone: ["c/a", "c/x"], departed: [document("c/a", at: 7)]), []),
            (.round(10), ["c/b@5 in 2", "c/a@7 not in 2", "delete c/x from 2 @10", "CURRENT 2 @10 +token", "SNAPSHOT @10 +token"]),
        ]),
        Row("LS-5: a read time is as good as a token", [
            (.add(2, .query(collection("c")), .readTime(at(5).timestamp)), ["watch 1: c from 5", "ADD 2"]),
            (.change(1, at: 10), []), (.round(10), ["CURRENT 2 @10 +token", "SNAPSHOT @10 +token"]),
        ]),
        Row("LS-4: a token too old to replay, then RESET and everything", [
            (.add(2, .query(collection("c")), token(5)), ["watch 1: c from 5", "ADD 2"]), (.first(1, at: 10, [a]), []),
            (.round(10), ["RESET 2", "c/a@5 in 2", "CURRENT 2 @10 +token", "SNAPSHOT @10 +token"]),
        ]),
        Row("LS-7, LS-25: who says how many it knows gets a filter behind the changes, kept up to date", [
            (.add(2, .query(collection("c")), token(5), expects: 3), ["watch 1: c from 5 with keys", "ADD 2"]),
            (.full, []), (.first(1, at: 10, [b], keys: ["c/b", "c/d"], basis: .partial), []), (.change(1, at: 11, [a], gone: ["c/d"]), []), (.round(11), []),
            (.room, ["c/b@5 in 2", "c/a@5 in 2", "delete c/d from 2 @11", "FILTER 2 =2 with names", "CURRENT 2 @11 +token", "SNAPSHOT @11 +token"]),
        ]),
        Row("a whole new state needs no filter", [
            (.add(2, .query(collection("c")), token(5), expects: 3), ["watch 1: c from 5 with keys", "ADD 2"]),
            (.first(1, at: 10, [b], keys: ["c/b"]), []), (.round(10), ["RESET 2", "c/b@5 in 2", "CURRENT 2 @10 +token", "SNAPSHOT @10 +token"]),
        ]),
        Row("LS-30: resumed documents are told as changes, and counted together", [
            (.add(2, ListenEvent.documents("c/a", "c/b", "c/d"), token(5), expects: 3),
             ["watch 1: c/a from 5 with keys", "watch 2: c/b from 5 with keys", "watch 3: c/d from 5 with keys", "ADD 2"]),
            (.first(1, at: 10), []), (.first(2, at: 10, [b]), []), (.first(3, at: 10, keys: ["c/d"], basis: .known), []),
            (.round(10), ["delete c/a from 2 @10", "c/b@5 in 2", "FILTER 2 =2 with names", "CURRENT 2 @10 +token", "SNAPSHOT @10 +token"]),
        ]),
        Row("and not before all of them are known", [
            (.add(2, ListenEvent.documents("c/a", "c/b"), token(5), expects: 2), ["watch 1: c/a from 5 with keys", "watch 2: c/b from 5 with keys", "ADD 2"]),
            (.first(1, at: 10, [a], keys: ["c/a"], basis: .known), []), (.round(10), ["c/a@5 in 2", "SNAPSHOT @10 +token but 2"]),
            (.first(2, at: 11, keys: ["c/b"], basis: .known), []), (.round(11), ["FILTER 2 =2 with names", "CURRENT 2 @11 +token", "SNAPSHOT @11 +token"]),
        ]),
        Row("LS-10: the token of a snapshot tells where the others stand, and is taken for that", started + [
            (.add(4, .query(collection("c")), token(5)), ["watch 2: c from 5", "ADD 4"]), (.add(6), ["watch 3: c", "ADD 6"]),
            (.change(1, at: 11, [b]), []), (.round(11), ["c/b@5 in 2", "SNAPSHOT @11 +token but 4@5 but 6"]),
        ]),
        Row("one that had been told nothing resumes where it stood", [
            (.add(4, .query(collection("c")), token(11, but: [4: at(5), 6: nil])), ["watch 1: c from 5", "ADD 4"]),
            (.add(2, .query(collection("c")), token(11, but: [4: at(5), 6: nil])), ["watch 2: c from 11", "ADD 2"]),
        ]),
        Row("one whose beginning is lost begins anew, as one that is known", [
            (.add(6, .query(collection("c")), token(11, but: [6: nil]), expects: 3), ["watch 1: c", "ADD 6"]), (.first(1, at: 12, [a]), []),
            (.round(12), ["RESET 6", "c/a@5 in 6", "CURRENT 6 @12 +token", "SNAPSHOT @12 +token"]),
        ]),
        Row("and so do documents", [
            (.add(2, ListenEvent.documents("c/a", "c/b"), token(11, but: [2: nil])), ["watch 1: c/a", "watch 2: c/b", "ADD 2"]),
            (.first(1, at: 12), []), (.first(2, at: 12, [b]), []),
            (.round(12), ["delete c/a from 2 @12", "c/b@5 in 2", "CURRENT 2 @12 +token", "SNAPSHOT @12 +token"]),
        ]),
        Row("a running watch that has to start over resets its target", started + [
            (.change(1, at: 11, [b]), []), (.first(1, at: 12, [a]), []),
            (.round(12), ["RESET 2", "c/a@5 in 2", "CURRENT 2 @12 +token", "SNAPSHOT @12 +token"]),
        ]),
    ]

    @Test(arguments: resumptions) func resumes(row: Row) { Self.check(row) }

    // MARK: Changes

    private static let two: Story = started + [
        (.add(4), ["watch 2: c", "ADD 4"]), (.first(2, at: 10, [a]), ["c/a@5 in 4", "CURRENT 4 @10 +token", "SNAPSHOT @10 +token"]), (.round(10), []),
    ]

    static let changes: [Row] = [
        Row("LS-14, LS-15: in, changed away, deleted", started + [
            (.change(1, at: 11, [b]), []), (.round(11), ["c/b@5 in 2", "SNAPSHOT @11 +token"]),
            (.change(1, at: 12, gone: ["c/b"], departed: [document("c/b", at: 12)]), []), (.round(12), ["c/b@12 not in 2", "SNAPSHOT @12 +token"]),
            (.change(1, at: 13, gone: ["c/a"]), []), (.round(13), ["delete c/a from 2 @13", "SNAPSHOT @13 +token"]),
        ]),
        Row("LS-16: one frame for all targets that see the same, whatever they are told", two + [
            (.change(1, at: 11, [b]), []), (.change(2, at: 11, gone: ["c/b"], departed: [b]), []), (.round(11), ["c/b@5 in 2 not in 4", "SNAPSHOT @11 +token"]),
            (.change(2, at: 12, gone: ["c/a"]), []), (.change(1, at: 12, gone: ["c/a"]), []), (.round(12), ["delete c/a from 2,4 @12", "SNAPSHOT @12 +token"]),
        ]),
        Row("projections make different frames of one document", two + [
            (.change(1, at: 11, [document("c/d", at: 11, ("x", .integer(1)))]), []), (.change(2, at: 11, [document("c/d", at: 11)]), []),
            (.round(11), ["c/d@11 in 2", "c/d@11 in 4", "SNAPSHOT @11 +token"]),
        ]),
        Row("LS-17: nothing goes out before all targets have been told of the commit", two + [
            (.change(1, at: 11, [b]), []), (.tick, []), (.change(2, at: 11, [b]), []), (.round(11), ["c/b@5 in 2,4", "SNAPSHOT @11 +token"]),
        ]),
        Row("LS-11: a watch that is ahead of the others waits until they have been told as much", two + [
            (.change(1, at: 15, [b]), []), (.round(11), ["time?"]), (.change(2, at: 12, [b]), []), (.round(12), []), (.time(14), ["time?"]),
            (.time(20), ["c/b@5 in 2,4", "SNAPSHOT @20 +token"]),
        ]),
        Row("LS-11: times never go backwards", started + [
            (.tick, []), (.tick, []), (.tick, ["time?"]), (.time(30), ["SNAPSHOT @30 +token"]), (.add(4), ["watch 2: c", "ADD 4"]),
            (.first(2, at: 20, [b]), ["c/b@5 in 4", "CURRENT 4 @30 +token", "SNAPSHOT @30 +token"]), (.round(20), []),
        ]),
        Row("LS-8: what was to be told of a removed target is not", two + [
            (.full, []), (.change(1, at: 11, [b]), []), (.change(2, at: 11, [b]), []), (.round(11), []), (.remove(2), ["cancel 1"]),
            (.room, ["REMOVE 2", "c/b@5 in 4", "SNAPSHOT @11 +token"]),
        ]),
        Row("and an id that is used again does not get it", started + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (.remove(2), ["cancel 1"]), (.add(2), ["watch 2: c"]),
            (.room, ["REMOVE 2", "ADD 2", "SNAPSHOT @11 +token but 2"]),
        ]),
        Row("LS-22: a round that says nothing is no frame", started + [(.round(11), [])]),
    ]

    @Test(arguments: changes) func tellsChanges(row: Row) { Self.check(row) }

    // MARK: Slow readers

    private static func change(_ n: Int64) -> ListenEvent { .change(1, at: n, [document("c/\(n % 3)", at: n)]) }

    static let slowness: [Row] = [
        Row("what happens meanwhile is folded: the latest of each document", started + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (.change(1, at: 12, [document("c/x", at: 12)]), []), (.round(12), []),
            (.change(1, at: 13, [document("c/y", at: 13)], gone: ["c/x"], departed: [document("c/x", at: 13)]), []), (.round(13), []),
            (.change(1, at: 14, gone: ["c/y"]), []), (.round(14), []), (.change(1, at: 15, [document("c/x", at: 15)]), []), (.round(15), []),
            (.room, ["c/b@5 in 2", "SNAPSHOT @11 +token", "c/x@15 in 2", "delete c/y from 2 @14", "SNAPSHOT @15 +token"]),
        ]),
        Row("beyond the bound watches are given up, and taken up from the last step", limits: ListenLimits(heldChanges: 1), started + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (change(12), []), (.round(12), []), (change(13), ["cancel 1"]),
            (.round(13), []), (change(14), []), (.round(14), []),
            (.room, ["c/b@5 in 2", "SNAPSHOT @11 +token", "watch 2: c from 11"]),
            (.change(2, at: 20, [a]), []), (.round(20), ["c/a@5 in 2", "SNAPSHOT @20 +token"]),
        ]),
        Row("or from scratch if that is too long ago", limits: ListenLimits(heldChanges: 1), started + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (change(12), []), (change(13), ["cancel 1"]), (.round(13), []),
            (.room, ["c/b@5 in 2", "SNAPSHOT @11 +token", "watch 2: c from 11"]),
            (.first(2, at: 20, [a]), []), (.round(20), ["RESET 2", "c/a@5 in 2", "CURRENT 2 @20 +token", "SNAPSHOT @20 +token"]),
        ]),
        Row("no snapshot until all have caught up; a target that had not begun begins again", limits: ListenLimits(heldChanges: 1), two + [
            (.add(6), ["watch 3: c", "ADD 6"]), (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []),
            (change(12), []), (change(13), ["cancel 1", "cancel 2", "cancel 3"].sorted()),
            (.room, ["c/b@5 in 2", "SNAPSHOT @11 +token but 6", "watch 4: c from 11", "watch 5: c from 11", "watch 6: c"]),
            (.change(4, at: 20, [a]), []), (.round(20), []), (.tick, []), (.tick, []), (.first(6, at: 21, [a]), []), (.round(21), []),
            (.change(5, at: 21), ["c/a@5 in 2", "c/a@5 in 6", "CURRENT 6 @21 +token", "SNAPSHOT @21 +token"]), (.round(21), []),
        ]),
        Row("a target that fails while it catches up does not keep the others waiting", limits: ListenLimits(heldChanges: 1), two + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (change(12), []), (change(13), ["cancel 1", "cancel 2"]),
            (.room, ["c/b@5 in 2", "SNAPSHOT @11 +token", "watch 3: c from 11", "watch 4: c from 11"]),
            (.change(3, at: 20, [a]), []), (.round(20), []),
            (.fail(4, .internal), ["cancel 4", "REMOVE 4 internal", "c/a@5 in 2", "SNAPSHOT @20 +token"]),
        ]),
        Row("a target that was told in part begins again from nothing, not from where it stood", limits: ListenLimits(heldChanges: 1), started + [
            (.add(4, ListenEvent.documents("c/a", "c/b"), token(5)), ["watch 2: c/a from 5", "watch 3: c/b from 5", "ADD 4"]),
            (.change(2, at: 10, [document("c/a", at: 7)]), ["c/a@7 in 4", "SNAPSHOT @10 +token but 4"]),
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (change(12), []), (change(13), ["cancel 1", "cancel 2", "cancel 3"].sorted()),
            (.room, ["c/b@5 in 2", "SNAPSHOT @11 +token but 4", "watch 4: c from 11", "watch 5: c/a", "watch 6: c/b"]),
            (.change(4, at: 20), []), (.first(5, at: 20), []), (.first(6, at: 20), []),
            (.round(20), ["delete c/a from 4 @20", "delete c/b from 4 @20", "CURRENT 4 @20 +token", "SNAPSHOT @20 +token"]),
        ]),
        Row("documents count by their bytes too", limits: ListenLimits(heldBytes: 1_000), started + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []),
            (.change(1, at: 12, [document("c/x", at: 12, ("x", .bytes([UInt8](repeating: 7, count: 900))))]), []),
            (.change(1, at: 13, [document("c/x", at: 13, ("x", .bytes([UInt8](repeating: 8, count: 900))))]), []),
            (.change(1, at: 14, [document("c/y", at: 14, ("x", .bytes([UInt8](repeating: 8, count: 900))))]), ["cancel 1"]),
        ]),
        Row("a big commit is not held against a reader that keeps up", limits: ListenLimits(heldChanges: 1), started + [
            (.change(1, at: 11, [a, b]), []), (.round(11), ["c/a@5 in 2", "c/b@5 in 2", "SNAPSHOT @11 +token"]),
        ]),
    ]

    @Test(arguments: slowness) func slowReaders(row: Row) {
        var stream = ListenStory(limits: row.limits)
        for (index, (event, expected)) in row.story.enumerated() {
            let done = stream.tell(event)
            // The order in which watches are cancelled is unspecified.
            let isSet = done.allSatisfy { $0.hasPrefix("cancel") }
            #expect((isSet ? done.sorted() : done) == expected, "\(row.name), step \(index + 1)")
        }
    }

    // MARK: Time and the end

    static let endings: [Row] = [
        Row("LS-21: an idle stream says so at the third tick, and again", started + [
            (.tick, []), (.tick, []), (.tick, ["time?"]), (.tick, []), (.time(50), ["SNAPSHOT @50 +token"]),
            (.tick, []), (.tick, []), (.tick, ["time?"]), (.time(50), ["SNAPSHOT @50 +token"]),
        ]),
        Row("one that was told something is not idle", started + [
            (.tick, []), (.tick, []), (.change(1, at: 11, [b]), []), (.round(11), ["c/b@5 in 2", "SNAPSHOT @11 +token"]), (.tick, []), (.tick, []),
        ]),
        Row("without targets there is nothing to keep fresh", [(.tick, []), (.tick, []), (.tick, []), (.tick, [])]),
        Row("a peer that takes nothing gets no heartbeats either", started + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (.tick, []), (.tick, []), (.tick, []), (.tick, []),
        ]),
        Row("draining ends after a last snapshot", started + [(.drain, ["time?"]), (.time(50), ["SNAPSHOT @50 +token", "finish unavailable"]), (.round(60), [])]),
        Row("draining without a target that began ends at once", [(.add(2), ["watch 1: c", "ADD 2"]), (.drain, ["finish unavailable"])]),
        Row("draining does not wait for a peer that takes nothing", started + [
            (.full, []), (.change(1, at: 11, [b]), []), (.round(11), []), (.drain, ["finish unavailable"]),
        ]),
        Row("when there is no time any more the stream ends", started + [(.drain, ["time?"]), (.noTime, ["finish unavailable"])]),
        Row("a peer that has said everything still hears, until it has no targets", [
            (.add(2, once: true), ["watch 1: c", "ADD 2"]), (.halfClose, []), (.first(1, at: 10), []),
            (.round(10), ["CURRENT 2 @10 +token", "SNAPSHOT @10 +token", "cancel 1", "REMOVE 2", "finish ok"]),
        ]),
        Row("a peer that asked for nothing is done", [(.halfClose, ["finish ok"])]),
    ]

    @Test(arguments: endings) func ends(row: Row) { Self.check(row) }
}
