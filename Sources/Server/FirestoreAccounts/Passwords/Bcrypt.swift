// SPDX-License-Identifier: Apache-2.0

/// The password hash bcrypt (Provos and Mazières, 1999), to verify hashes made by other systems: `$2b$12$`, 22 characters of salt
/// and 31 of hash. Hearth hashes with scrypt.
struct Bcrypt {
    /// The permitted costs of a stored hash: 2^14 rounds take about a second.
    static let costs = 4...14
    private static let alphabet = Array("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// Longer passwords are cut, as by all implementations.
    private static let mostPasswordBytes = 72

    private let cost: Int
    private let salt: [UInt8]
    private let digest: [UInt8]

    /// Returns nil if the text is not such a hash. The versions 2a, 2b and 2y are the same for passwords in UTF-8.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, ["2a", "2b", "2y"].contains(parts[1]), parts[2].utf8.count == 2, let cost = Int(parts[2]),
            Self.costs.contains(cost), parts[3].utf8.count == 53, let salt = Self.decode(parts[3].utf8.prefix(22), count: 16),
            let digest = Self.decode(parts[3].utf8.dropFirst(22), count: 23)
        else { return nil }
        (self.cost, self.salt, self.digest) = (cost, salt, digest)
    }

    func matches(_ password: String) -> Bool {
        Secrets.areEqual(Self.digest(password, salt: salt, cost: cost), digest)
    }

    private static func digest(_ password: String, salt: [UInt8], cost: Int) -> [UInt8] {
        let key = Array((password.utf8 + [0]).prefix(mostPasswordBytes))
        var blowfish = Blowfish()
        blowfish.expand(key: key, salt: salt)
        for _ in 0..<(1 << cost) {
            blowfish.expand(key: key)
            blowfish.expand(key: salt)
        }
        var words = stride(from: 0, to: 24, by: 4).map { Blowfish.word(Array("OrpheanBeholderScryDoubt".utf8), at: $0) }
        for place in stride(from: 0, to: 6, by: 2) {
            for _ in 0..<64 { (words[place], words[place + 1]) = blowfish.encrypted(words[place], words[place + 1]) }
        }
        return Array(words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }.prefix(23))
    }

    /// Base64 with a different alphabet, and without padding.
    private static func decode(_ text: some Collection<UInt8>, count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, width) = (0, 0)
        for letter in text {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            (bits, width) = (bits << 6 | value, width + 6)
            guard width >= 8 else { continue }
            width -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> width))
            bits &= (1 << width) - 1
        }
        return bytes.count == count ? bytes : nil
    }
}

/// The cipher Blowfish with bcrypt's key schedule.
struct Blowfish {
    /// P, then the four tables of S.
    private var words = BlowfishTables.words
    private static let keys = 18

    /// The bytes from `place` on as a word. They begin again after the last.
    static func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[(place + $1) % bytes.count]) }
    }

    /// Mixes a key into the tables; a salt, of 16 bytes, into the data that is encrypted for them.
    mutating func expand(key: [UInt8], salt: [UInt8]? = nil) {
        for index in 0..<Self.keys { words[index] ^= Self.word(key, at: 4 * index) }
        let mixed = salt.map { salt in (0..<4).map { Self.word(salt, at: 4 * $0) } } ?? [0, 0, 0, 0]
        words.withUnsafeMutableBufferPointer { words in
            var (left, right): (UInt32, UInt32) = (0, 0)
            for place in stride(from: 0, to: words.count, by: 2) {
                (left, right) = Self.encrypt(left ^ mixed[place & 2], right ^ mixed[place & 2 | 1], UnsafeBufferPointer(words))
                (words[place], words[place + 1]) = (left, right)
            }
        }
    }

    func encrypted(_ left: UInt32, _ right: UInt32) -> (UInt32, UInt32) {
        words.withUnsafeBufferPointer { Self.encrypt(left, right, $0) }
    }

    private static func encrypt(_ left: UInt32, _ right: UInt32, _ words: UnsafeBufferPointer<UInt32>) -> (UInt32, UInt32) {
        var (left, right) = (left ^ words[0], right)
        for round in 1...16 {
            let (a, b) = (keys + Int(left >> 24), keys + 256 + Int(left >> 16 & 0xFF))
            let (c, d) = (keys + 512 + Int(left >> 8 & 0xFF), keys + 768 + Int(left & 0xFF))
            right ^= ((words[a] &+ words[b]) ^ words[c]) &+ words[d] ^ words[round]
            (left, right) = (right, left)
        }
        return (right ^ words[17], left)
    }
}
