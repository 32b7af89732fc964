// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreClient

@Suite("ListenerStateMachine: state × event")
struct ListenerStateMachineTests {
    enum Start: CaseIterable { case idle, scheduled, delivering, deliveringScheduled, deliveringWithNews, ended }

    private func machine(in state: Start) -> ListenerStateMachine {
        var machine = ListenerStateMachine()
        switch state {
        case .idle: break
        case .scheduled: _ = machine.newsArrived()
        case .delivering:
            _ = machine.newsArrived()
            _ = machine.jobStarted()
        case .deliveringScheduled:
            _ = machine.newsArrived()
            _ = machine.jobStarted()
            _ = machine.newsArrived()
        case .deliveringWithNews:
            _ = machine.newsArrived()
            _ = machine.jobStarted()
            _ = machine.newsArrived()
            _ = machine.jobStarted()
        case .ended: _ = machine.end()
        }
        return machine
    }

    @Test(arguments: zip(Start.allCases, [true, false, true, false, false, false]))
    func `news schedules a job only when none waits for the next turn`(state: Start, schedules: Bool) {
        var machine = machine(in: state)
        #expect((machine.newsArrived() == .schedule) == schedules)
    }

    @Test(arguments: zip(Start.allCases, [false, true, false, false, false, false]))
    func `a job delivers only when it was scheduled`(state: Start, delivers: Bool) {
        var machine = machine(in: state)
        #expect((machine.jobStarted() == .deliver) == delivers)
    }

    @Test(arguments: zip(Start.allCases, [false, false, false, false, true, false]))
    func `a finished job schedules another only when it is behind and none waits`(state: Start, schedules: Bool) {
        var machine = machine(in: state)
        #expect((machine.jobFinished() == .schedule) == schedules)
    }

    @Test(arguments: Start.allCases)
    func `ending is final and reported once`(state: Start) {
        var machine = machine(in: state)
        #expect(machine.end() == (state != .ended))
        #expect(machine.end() == false)
        #expect(machine.newsArrived() == .doNothing)
        #expect(machine.jobStarted() == .doNothing)
        #expect(machine.jobFinished() == .doNothing)
        let hasEnded = machine.hasEnded
        #expect(hasEnded)
    }

    @Test
    func `a job for news that came during another one delivers after it`() {
        var machine = machine(in: .deliveringScheduled)
        #expect(machine.jobFinished() == .doNothing)
        #expect(machine.jobStarted() == .deliver)
        #expect(machine.jobFinished() == .doNothing)
    }

    @Test
    func `a job that is behind gets another turn and then rests`() {
        var machine = machine(in: .deliveringWithNews)
        #expect(machine.jobFinished() == .schedule)
        #expect(machine.jobStarted() == .deliver)
        #expect(machine.jobFinished() == .doNothing)
        #expect(machine.newsArrived() == .schedule)
    }
}
