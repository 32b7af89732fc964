// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Guide

struct CityFileTests {
    @Test func `the data file holds 4,028 different cities`() throws {
        let cities = try CityFile.read()
        #expect(cities.count == 4028)
        #expect(Set(cities.compactMap(\.id)).count == 4028)
        #expect(cities.allSatisfy { $0.population >= 150_000 })
    }
}
