// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRemote

/// A line of commits and a server that fails, loses and forgets at random: whatever happens, every commit comes to an end
/// once, in order, is applied at most once, and reported truthfully.
struct WritePipelineModelTests {
    /// A server with the promises of LS-39, and a connection that can be cut between any two of its steps.
    private struct Server {
        /// Of the stream that is open.
        var received: [Int] = []
        var isOpening = false
        var isOpen = false
        var called: Int?
        var applied: [Int] = []
    }

    private struct Told {
        var order: [Int] = []
        var outcomes: [Int: FirestoreError.Code] = [:]
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `no write is applied twice, and answers are true`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        var pipeline = WritePipeline<Int>(WriteAhead(most: 8, first: 4, least: 2))
        var server = Server()
        var reported = Told()
        var isResting = false
        var isPaused = false
        var submitted = 0
        let total = 120

        /// A commit that no server would take.
        func isBad(_ number: Int) -> Bool { number % 7 == 0 }
        func code(of number: Int) -> FirestoreError.Code { isBad(number) ? .failedPrecondition : .ok }
        func tell(_ number: Int, _ code: FirestoreError.Code) {
            reported.order.append(number)
            reported.outcomes[number] = code
        }
        /// `answer`: of the call or the batch that has just been answered.
        func play(_ effects: [WritePipeline<Int>.Effect], answer: FirestoreError.Code = .ok) {
            for effect in effects {
                switch effect {
                case .open: (server.received, server.isOpening, server.isOpen) = ([], true, false)
                case .send(let number):
                    #expect(server.isOpen)
                    server.received.append(number)
                case .call(let number):
                    #expect(server.called == nil && server.received.isEmpty)
                    server.called = number
                case .finish(let number): tell(number, answer)
                case .fail(let number, let error): tell(number, error.code)
                case .rest: isResting = true
                case .pause: isPaused = true
                case .lookAround: break
                case .close, .cancel: (server.isOpening, server.isOpen) = (false, false)
                }
            }
        }
        func loseStream() {
            // Some of what is in flight may still arrive, in order, up to one that fails.
            for number in server.received {
                guard chance(60), !isBad(number) else { break }
                server.applied.append(number)
            }
            (server.received, server.isOpening, server.isOpen) = ([], false, false)
            let code = [FirestoreError.Code.unavailable, .cancelled, .internal].randomElement(using: &random) ?? .unavailable
            play(pipeline.ended(FirestoreError(code, "lost")))
        }

        var steps = 0
        while reported.order.count < total, steps < 50_000 {
            steps += 1
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2 where submitted < total:
                submitted += 1
                play(pipeline.submit(submitted, bytes: 10, by: chance(5) ? .call : .stream))
            case 3:
                guard let number = server.called else { continue }
                server.called = nil
                if chance(5) {
                    // Not applied.
                    play(pipeline.callEnded(FirestoreError(.aborted, "a conflict")), answer: .aborted)
                } else if chance(10) {
                    if chance(50), !isBad(number) { server.applied.append(number) }
                    play(pipeline.callEnded(), answer: .unavailable)
                } else {
                    if !isBad(number) { server.applied.append(number) }
                    play(pipeline.callEnded(), answer: code(of: number))
                }
            case 4 where server.isOpening:
                server.isOpening = false
                if chance(85) {
                    server.isOpen = true
                    play(pipeline.opened())
                } else {
                    let code = [FirestoreError.Code.unavailable, .unauthenticated, .notFound].randomElement(using: &random) ?? .unavailable
                    play(pipeline.ended(FirestoreError(code, "refused")))
                }
            case 5...7:
                guard server.isOpen, let number = server.received.first else { continue }
                if chance(5) {
                    (server.received, server.isOpen) = ([], false)
                    play(pipeline.ended(FirestoreError(.aborted, "a conflict")), answer: .aborted)
                } else if isBad(number) {
                    (server.received, server.isOpen) = ([], false)
                    play(pipeline.ended(FirestoreError(.failedPrecondition, "bad")))
                } else {
                    server.received.removeFirst()
                    server.applied.append(number)
                    play(pipeline.answered())
                }
            case 8 where chance(15) && (server.isOpen || server.isOpening): loseStream()
            case 9 where isPaused:
                isPaused = false
                play(pipeline.resumed())
            case 9 where isResting:
                isResting = false
                play(pipeline.rested())
            default: continue
            }
        }
        #expect(reported.order == Array(1...total), "seed \(seed)")
        #expect(Set(server.applied).count == server.applied.count && server.applied == server.applied.sorted(), "seed \(seed)")
        for number in 1...total {
            switch reported.outcomes[number] {
            case .ok: #expect(server.applied.contains(number), "\(number), seed \(seed)")
            case .aborted: #expect(!server.applied.contains(number), "\(number), seed \(seed)")
            case .failedPrecondition: #expect(isBad(number) && !server.applied.contains(number), "\(number), seed \(seed)")
            // The result is unknown.
            case .unavailable, .internal: break
            case let other: Issue.record("\(number) was told \(String(describing: other)), seed \(seed)")
            }
        }
    }
}
