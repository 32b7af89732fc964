// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreSync

@Suite("OnlineStateTracker: state × event")
struct OnlineStateTrackerTests {
    enum Start: CaseIterable { case fresh, trying, online, offlineByFailure, offlineByTime }

    private func tracker(in start: Start) -> OnlineStateTracker {
        var tracker = OnlineStateTracker()
        switch start {
        case .fresh: break
        case .trying: _ = tracker.streamStarted()
        case .online:
            _ = tracker.streamStarted()
            _ = tracker.set(.online)
        case .offlineByFailure:
            _ = tracker.streamStarted()
            _ = tracker.streamFailed()
        case .offlineByTime:
            _ = tracker.streamStarted()
            _ = tracker.timerFired()
        }
        return tracker
    }

    // SY-113
    @Test(arguments: zip(
        Start.allCases,
        [[.startTimer], [], [.changed(.unknown), .startTimer], [], [.changed(.unknown), .startTimer]] as [[OnlineStateTracker.Effect]]))
    func `an attempt without failures before it is timed`(start: Start, effects: [OnlineStateTracker.Effect]) {
        var tracker = tracker(in: start)
        #expect(tracker.streamStarted() == effects)
    }

    // T6, T82, T83
    @Test(arguments: zip(
        Start.allCases,
        [[.changed(.offline)], [.stopTimer, .changed(.offline)], [.changed(.unknown)], [], []] as [[OnlineStateTracker.Effect]]))
    func `the first break of a working stream is not counted`(start: Start, effects: [OnlineStateTracker.Effect]) {
        var tracker = tracker(in: start)
        #expect(tracker.streamFailed() == effects)
    }

    // T5
    @Test(arguments: zip(Start.allCases, [[], [.changed(.offline)], [], [], []] as [[OnlineStateTracker.Effect]]))
    func `time matters only to an attempt`(start: Start, effects: [OnlineStateTracker.Effect]) {
        var tracker = tracker(in: start)
        #expect(tracker.timerFired() == effects)
    }

    @Test(arguments: zip(
        Start.allCases,
        [[.changed(.online)], [.stopTimer, .changed(.online)], [], [.changed(.online)], [.changed(.online)]] as [[OnlineStateTracker.Effect]]))
    func `an answer makes the client online`(start: Start, effects: [OnlineStateTracker.Effect]) {
        var tracker = tracker(in: start)
        #expect(tracker.set(.online) == effects)
        #expect(tracker.state == .online)
    }

    @Test func `a second break without an answer between makes the client offline`() {
        var tracker = tracker(in: .online)
        #expect(tracker.streamFailed() == [.changed(.unknown)])
        #expect(tracker.streamStarted() == [.startTimer])
        #expect(tracker.streamFailed() == [.stopTimer, .changed(.offline)])
        // Later attempts go on in the background.
        #expect(tracker.streamStarted() == [])
        #expect(tracker.state == .offline)
    }
}
