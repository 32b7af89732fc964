// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import FirestorePipelines

@Suite struct TimeZonesTests {
    @Test func offsetsAreThoseOfTheDatabase() throws {
        for (name, facts) in TimeZoneFacts.offsets {
            let zone = try #require(TimeZones.system[name], "\(name)")
            for fact in facts { #expect(zone.offset(at: fact.time) == fact.offset, "\(name) at \(fact.time)") }
        }
    }

    /// PL-120
    @Test func distancesFromGreenwichAreWestWithAPlus() throws {
        let zones = TimeZones(directory: "/nowhere")
        #expect(zones["GMT+06:32:43"]?.offset(at: 0) == -23_563)
        #expect(zones["GMT-05:30"]?.offset(at: 0) == 19_800)
        #expect(zones["UTC"]?.offset(at: 0) == 0)
        #expect(zones["GMT"]?.offset(at: 0) == 0)
        for name in ["Europe/Berlin", "GMT+6", "GMT06:00", "GMT+24:00", "GMT+06:60", "GMT+06:00:60", "GMT+0a:00", "GMT+06:00:", "gmt+06:00"] {
            #expect(zones[name] == nil, "\(name)")
        }
    }

    @Test func namesDoNotLeaveTheDirectory() {
        let zones = TimeZones(directory: "/usr/share/zoneinfo/Europe")
        #expect(zones["Berlin"] != nil)
        for name in ["../UTC", "/usr/share/zoneinfo/UTC", "./Berlin", "Berlin/", "", "..", "Ber%lin", "Berlin\u{0}"] {
            #expect(zones[name] == nil, "\(name)")
        }
    }

    @Test func theFirstMomentOfALocalTimeIsThatOfTryingAllOffsets() throws {
        var generator = SeededGenerator(seed: 11)
        for (name, facts) in TimeZoneFacts.offsets {
            let zone = try #require(TimeZones.system[name])
            for fact in facts {
                let local = fact.time + fact.offset + Int64.random(in: -7_200...7_200, using: &generator)
                let moment = zone.firstMoment(ofLocal: local)
                let offsets = Set((-30...30).map { zone.offset(at: local + $0 * 3_600) })
                if let first = offsets.map({ local - $0 }).filter({ $0 + zone.offset(at: $0) == local }).min() {
                    #expect(moment == first, "\(name) at \(local)")
                } else {
                    // Clocks skip the time.
                    #expect(moment + zone.offset(at: moment) > local, "\(name) at \(local)")
                    #expect(moment - 1 + zone.offset(at: moment - 1) < local, "\(name) at \(local)")
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3]) func damagedFilesAreNoZonesOrOtherZones(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let file = Self.file(footer: "CET-1CEST,M3.5.0,M10.5.0/3")
        #expect(TimeZoneFile.rules(file)?.offset(at: 1_720_000_000) == 7_200)
        for _ in 0..<2_000 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator)) }
            if let zone = TimeZoneFile.rules(bytes) { _ = zone.offset(at: 1_720_000_000) }
        }
    }

    @Test func filesThatCountLeapSecondsAreRefused() {
        var file = Self.file(footer: "UTC0")
        file[file.count - 6 - Self.blockCount - 44 + 31] = 1
        #expect(TimeZoneFile.rules(file) == nil)
    }

    private static let blockCount = 17

    /// A file of version 2 with one change, at the time 0, from one hour to none.
    private static func file(footer: String) -> [UInt8] {
        func header(_ counts: [UInt8]) -> [UInt8] {
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts.flatMap { [0, 0, 0, $0] }
        }
        let type: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0]
        let first = header([0, 0, 0, 0, 1, 2]) + type + [0x41, 0]
        let second = header([0, 0, 0, 1, 1, 2]) + [UInt8](repeating: 0, count: 8) + [0] + type + [0x41, 0]
        return first + second + Array("\n\(footer)\n".utf8)
    }
}

@Suite struct RecurringOffsetsTests {
    private static let newYear2030: Int64 = 1_893_456_000

    /// The offsets in the middle of January and of July 2030.
    @Test(arguments: [
        ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400), ("<-03>3", -10_800, -10_800), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 39_600, 36_000),
        ("IST-2IDT,M3.4.4/26,M10.5.0", 7_200, 10_800), ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 39_600, 37_800),
        ("XXX3EDT4,0/0,J365/23", -14_400, -14_400), ("AAA1BBB,J60,J300", -3_600, 0), ("UTC0", 0, 0),
    ] as [(String, Int64, Int64)])
    func rulesHoldInEveryYear(text: String, january: Int64, july: Int64) throws {
        let rules = try #require(RecurringOffsets(Array(text.utf8)[...]))
        #expect(rules.offset(at: Self.newYear2030 + 15 * 86_400) == january)
        #expect(rules.offset(at: Self.newYear2030 + 195 * 86_400) == july)
    }

    @Test func theLastSundayIsFoundInMonthsOfFourAndFiveSundays() throws {
        let rules = try #require(RecurringOffsets(Array("CET-1CEST,M3.5.0,M10.5.0/3".utf8)[...]))
        // 2030-03-31T01:00Z and 2030-10-27T01:00Z.
        for (change, before, after) in [(1_901_149_200, 3_600, 7_200), (1_919_293_200, 7_200, 3_600)] as [(Int64, Int64, Int64)] {
            #expect(rules.offset(at: change - 1) == before)
            #expect(rules.offset(at: change) == after)
        }
    }

    @Test(arguments: ["", "5", "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,J0,J5", "<EST5", "EST5EDT,M3.2.0,M11.1.0x"])
    func otherTextsAreNoRules(text: String) { #expect(RecurringOffsets(Array(text.utf8)[...]) == nil) }
}
