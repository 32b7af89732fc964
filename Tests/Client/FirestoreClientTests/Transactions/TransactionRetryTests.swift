// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore
import Testing

@Suite struct TransactionRetryTests {
    @Test("five attempts, further and further apart", arguments: [(false, Duration.milliseconds(5)), (true, .seconds(1))])
    func delays(isShared: Bool, first: Duration) {
        var retry = TransactionRetry()
        let conflict = FirestoreError(.aborted, "conflict")
        var delays: [Duration] = []
        while let delay = retry.delay(after: conflict, isShared: isShared) { delays.append(delay) }
        #expect(delays.count == 4)  // TX-17
        // TX-18: each half to one and a half times its nominal length, which grows by half.
        var nominal = first
        for delay in delays {
            #expect(delay >= nominal * 0.5 && delay <= nominal * 1.5)
            nominal = nominal * 1.5
        }
    }

    @Test func `permanent errors are not retried`() {
        let permanent: [FirestoreError.Code] = [
            .invalidArgument, .notFound, .permissionDenied, .outOfRange, .unimplemented, .dataLoss,
        ]
        for code in FirestoreError.Code.allCases where code != .ok {
            var retry = TransactionRetry()
            let again = retry.delay(after: FirestoreError(code, "")) != nil
            #expect(again == !permanent.contains(code), "\(code)")
        }
        var once = TransactionRetry(attempts: 0)
        #expect(once.delay(after: FirestoreError(.aborted, "")) == nil)
    }
}
