// SPDX-License-Identifier: Apache-2.0
#if DEBUG
    import FirestoreCore
    package import Testing

    /// Records an issue if work at four times a size is more than six times the work at the size: what a stranger sizes must not cost more
    /// than its size. Work is what `WorkCounter` counts on this thread, not time.
    ///
    /// - Parameters:
    ///   - size: Large enough that what every input costs does not matter.
    ///   - prepare: Makes the input, which is not counted.
    package func expectLinear<Input>(
        _ what: String, at size: Int = 1_000, location: SourceLocation = #_sourceLocation, _ prepare: (Int) throws -> Input,
        _ run: (Input) throws -> Void
    ) rethrows {
        let (small, large) = (try prepare(size), try prepare(4 * size))
        let (one, four) = (try WorkCounter.measure { try run(small) }, try WorkCounter.measure { try run(large) })
        #expect(one >= size / 50, "\(what): nothing is counted", sourceLocation: location)
        #expect(four <= 6 * one, "\(what): \(one) at \(size), \(four) at four times the size", sourceLocation: location)
    }
#endif
