// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import FirestoreRules
import Testing

@testable import FirebaseFirestore

/// Which caller an operation has, and when listeners are judged again.
struct CallerMachineTests {
    // MARK: The latest caller

    private static let ada = CallerIdentity.signedIn(uid: "ada", token: "1")
    private static let adaLater = CallerIdentity.signedIn(uid: "ada", token: "2")

    private static func caller(_ id: String) -> RequestContext.Caller { .user(id: id, claims: FieldMap()) }

    private static func isUser(_ caller: RequestContext.Caller, _ id: String) -> Bool {
        if case .user(let user, _) = caller { user == id } else { false }
    }

    @Test func `a caller is made once for every user and token`() {
        var latest = LatestCaller()
        let first = latest.beginReading()
        #expect(latest.read(Self.ada, by: first) == nil)
        #expect(latest.apply(Self.caller("ada"), of: Self.ada, by: first).number == 1)
        let second = latest.beginReading()
        let known = latest.read(Self.ada, by: second)
        #expect(known?.number == 1 && known.map { Self.isUser($0.caller, "ada") } == true)
        let third = latest.beginReading()
        #expect(latest.read(Self.adaLater, by: third) == nil)
        #expect(latest.apply(Self.caller("ada"), of: Self.adaLater, by: third).number == 2)
    }

    @Test func `a reading that began before the applied one is not used`() {
        var latest = LatestCaller()
        let (early, late) = (latest.beginReading(), latest.beginReading())
        #expect(latest.apply(Self.caller("bert"), of: .signedIn(uid: "bert", token: nil), by: late).number == 1)
        let known = latest.read(Self.ada, by: early)
        #expect(known.map { Self.isUser($0.caller, "bert") } == true)
        // One that began early, and found the user unknown then.
        #expect(Self.isUser(latest.apply(Self.caller("ada"), of: Self.ada, by: early).caller, "bert"))
    }

    @Test func `two readings of one new user make one caller`() {
        var latest = LatestCaller()
        let (first, second) = (latest.beginReading(), latest.beginReading())
        #expect(latest.read(Self.ada, by: first) == nil && latest.read(Self.ada, by: second) == nil)
        #expect(latest.apply(Self.caller("ada"), of: Self.ada, by: first).number == 1)
        #expect(latest.apply(Self.caller("ada"), of: Self.ada, by: second).number == 1)
    }

    // MARK: Judgements

    @Test(arguments: [
        (.resting, true, .due), (.judging, false, .due), (.due, false, .due),
    ] as [(JudgingState, Bool, JudgingState)])
    func `a change of the user makes a judgement due, and one thread judges`(before: JudgingState, begins: Bool, after: JudgingState) {
        var state = before
        #expect(state.userChanged() == begins)
        #expect(state == after)
    }

    @Test(arguments: [
        (.due, true, .judging), (.due, false, .resting), (.judging, true, .resting), (.judging, false, .resting),
    ] as [(JudgingState, Bool, JudgingState)])
    func `a judgement follows while one is due and there are listeners`(before: JudgingState, hasListeners: Bool, after: JudgingState) {
        var state = before
        #expect(state.next(hasListeners: hasListeners) == (after == .judging))
        #expect(state == after)
    }
}
