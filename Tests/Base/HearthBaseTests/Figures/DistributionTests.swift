// SPDX-License-Identifier: Apache-2.0
import HearthBase
import Testing

struct DistributionTests {
    @Test func `a value is counted below the first bound that it does not exceed`() {
        var values = Distribution(bounds: [1, 10])
        for value in [0.5, 1, 1.5, 10, 10.5, 1_000] { values.add(value) }
        #expect(values.counts == [2, 2, 2])
        #expect(values.total == 6)
        #expect(values.sum == 1_023.5)
    }

    @Test func `what was there before is not added again, and a count that begins anew is added whole`() {
        var (sum, values) = (Distribution(bounds: [1]), Distribution(bounds: [1]))
        values.add(1)
        sum.add(values, since: nil)
        let earlier = values
        values.add(2)
        sum.add(values, since: earlier)
        #expect(sum.counts == [1, 1])
        #expect(sum.sum == 3)
        var new = Distribution(bounds: [1])
        new.add(0.5)
        sum.add(new, since: values)
        #expect(sum.counts == [2, 1])
        #expect(sum.sum == 3.5)
    }
}
