// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// A duration in seconds, to the microsecond.
    package static func number(seconds duration: Duration) -> JSON {
        .number("\((duration / .microseconds(1)).rounded() / 1_000_000)")
    }
}
