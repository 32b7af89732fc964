// SPDX-License-Identifier: Apache-2.0

/// The hash of RFC 1321. It is not used for security: bloom filters are defined by it (LS-26), and conditions of rules can ask for
/// it.
package struct MD5 {
    /// The sixteen bytes of the result as two numbers, little-endian.
    package struct Digest: Hashable {
        package var low: UInt64
        package var high: UInt64

        package var bytes: [UInt8] {
            withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { [UInt8]($0) }
        }
    }

    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476

    package static func hash(_ message: UnsafeRawBufferPointer) -> Digest {
        var state = MD5()
        let whole = message.count / 64 * 64
        for offset in stride(from: 0, to: whole, by: 64) {
            state.add(UnsafeRawBufferPointer(rebasing: message[offset..<(offset + 64)]))
        }
        // The remaining bytes, a one bit, zeros, and the length in bits fill one or two blocks.
        withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { tail in
            tail.initializeMemory(as: UInt8.self, repeating: 0)
            let rest = message.count - whole
            tail.copyMemory(from: UnsafeRawBufferPointer(rebasing: message[whole...]))
            tail[rest] = 0x80
            let blocks = rest < 56 ? 1 : 2
            let bits = UInt64(truncatingIfNeeded: message.count) &* 8
            tail.storeBytes(of: bits.littleEndian, toByteOffset: 64 * blocks - 8, as: UInt64.self)
            for offset in stride(from: 0, to: 64 * blocks, by: 64) {
                state.add(UnsafeRawBufferPointer(rebasing: tail[offset..<(offset + 64)]))
            }
        }
        return Digest(low: UInt64(state.b) << 32 | UInt64(state.a), high: UInt64(state.d) << 32 | UInt64(state.c))
    }

    private mutating func add(_ block: UnsafeRawBufferPointer) {
        var (a, b, c, d) = (self.a, self.b, self.c, self.d)
        Self.sines.withUnsafeBufferPointer { sines in
            @inline(__always) func step(_ mixed: UInt32, _ word: Int, _ index: Int, _ shift: UInt32) {
                let number = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: word &* 4, as: UInt32.self))
                let sum = a &+ mixed &+ sines[index] &+ number
                (a, d, c) = (d, c, b)
                b = b &+ (sum &<< shift | sum &>> (32 &- shift))
            }
            @inline(__always) func shift(_ index: Int, _ shifts: (UInt32, UInt32, UInt32, UInt32)) -> UInt32 {
                switch index & 3 {
                case 0: shifts.0
                case 1: shifts.1
                case 2: shifts.2
                default: shifts.3
                }
            }
            for index in 0..<16 { step((b & c) | (~b & d), index, index, shift(index, (7, 12, 17, 22))) }
            for index in 16..<32 { step((d & b) | (~d & c), (5 &* index &+ 1) & 15, index, shift(index, (5, 9, 14, 20))) }
            for index in 32..<48 { step(b ^ c ^ d, (3 &* index &+ 5) & 15, index, shift(index, (4, 11, 16, 23))) }
            for index in 48..<64 { step(c ^ (b | ~d), (7 &* index) & 15, index, shift(index, (6, 10, 15, 21))) }
        }
        self.a = self.a &+ a
        self.b = self.b &+ b
        self.c = self.c &+ c
        self.d = self.d &+ d
    }

    /// The integer parts of 2³² · |sin i|.
    private static let sines: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]
}
