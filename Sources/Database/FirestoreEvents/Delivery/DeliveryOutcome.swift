// SPDX-License-Identifier: Apache-2.0

/// What came of one attempt to deliver an event.
package enum DeliveryOutcome: Sendable, Equatable {
    case acknowledged
    case failed(DeliveryFailure)
    /// The receiver wants no more events.
    case gone(DeliveryFailure)
    /// The attempt was cancelled by this side.
    case cancelled
}

/// Why an event was not acknowledged.
package struct DeliveryFailure: Sendable, Equatable {
    /// The status of the answer; nil without one.
    package var status: Int?
    /// The beginning of the answer, or the reason why there is none.
    package var answer: String
    /// The receiver wants to be left alone for so long.
    package var retryAfter: Duration?

    package static let maximumAnswer = 1_024

    package init(status: Int? = nil, answer: String, retryAfter: Duration? = nil) {
        self.status = status
        self.answer = String(decoding: answer.utf8.prefix(Self.maximumAnswer), as: UTF8.self)
        self.retryAfter = retryAfter
    }
}

/// An attempt to deliver an event.
package struct Delivery: Sendable {
    /// Names the event in the machine.
    package let number: Int
    package let event: ChangeEvent
    /// 1 for the first one.
    package let attempt: Int

    package init(number: Int, event: ChangeEvent, attempt: Int) {
        self.number = number
        self.event = event
        self.attempt = attempt
    }
}
