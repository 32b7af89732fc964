// SPDX-License-Identifier: Apache-2.0

/// How many dead events a database keeps, and for how long. The oldest are removed first.
package struct DeadLetterBounds: Sendable {
    package var age = Duration.seconds(7 * 86_400)
    package var count = 10_000
    package var bytes = 256 << 20

    package init() {}
}
