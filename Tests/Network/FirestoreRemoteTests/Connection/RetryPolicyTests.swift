// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

@testable import FirestoreRemote

/// LS-40, as a table.
struct RetryPolicyTests {
    @Test(arguments: FirestoreError.Code.allCases) func `an error that the server answered is not retried`(code: FirestoreError.Code) {
        let error = FirestoreError(code, "")
        #expect(RetryPolicy.allows(.none, after: error) == (code == .unavailable))
        #expect(!RetryPolicy.allows(.change, after: error))
    }

    @Test(arguments: FirestoreError.Code.allCases) func `a change is made again only if it was not begun`(code: FirestoreError.Code) {
        var error = FirestoreError(code, "")
        for progress: FirestoreError.Progress in [.answered, .notBegun, .notConnected, .unknown] {
            error.progress = progress
            let isCertain = progress == .notBegun || progress == .notConnected
            #expect(RetryPolicy.allows(.change, after: error) == (isCertain && code == .unavailable))
        }
    }

    @Test func `a read is made again when its answer was lost, but not past its deadline`() {
        var error = FirestoreError(.internal, "")
        for progress: FirestoreError.Progress in [.notBegun, .notConnected, .unknown] {
            error.progress = progress
            for code: FirestoreError.Code in [.unavailable, .internal, .unknown, .cancelled] {
                error.code = code
                #expect(RetryPolicy.allows(.none, after: error))
            }
            for code: FirestoreError.Code in [.deadlineExceeded, .resourceExhausted, .unauthenticated, .failedPrecondition] {
                error.code = code
                #expect(!RetryPolicy.allows(.none, after: error))
            }
        }
    }

    @Test func `delays grow up to the limit of attempts and of time`() {
        let policy = RetryPolicy(backoff: Backoff(first: .milliseconds(250), factor: 2.5, longest: .seconds(5), jitter: 0))
        let delays = (1...6).map { policy.delay(afterFailures: $0, elapsed: .zero, hasContact: true) }
        #expect(delays == [.milliseconds(250), .milliseconds(625), .microseconds(1_562_500), .nanoseconds(3_906_250_000), nil, nil])
        // A wrong port is reported within a second.
        #expect((1...3).map { policy.delay(afterFailures: $0, elapsed: .zero, hasContact: false) } == [.milliseconds(250), .milliseconds(625), nil])
        #expect(policy.delay(afterFailures: 1, elapsed: .seconds(10), hasContact: true) == nil)
        #expect(RetryPolicy.never.delay(afterFailures: 1, elapsed: .zero, hasContact: true) == nil)
    }

    @Test func `only methods that write, or may write, change something`() {
        let writing: Set<FirestoreMethod> = [.commit, .write, .batchWrite, .createDocument, .updateDocument, .deleteDocument, .executePipeline]
        for method in FirestoreMethod.allCases {
            #expect((method.effect == .change) == writing.contains(method))
        }
    }
}
