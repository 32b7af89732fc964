// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The forms of texts. Each function looks at a byte a bounded number of times.
enum TextScanner {
    typealias Bytes = UnsafeRawBufferPointer

    // MARK: Bytes

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    static func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
    static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
    static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
    static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
    static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66 }

    /// `pattern` has `9` for a digit; other characters are themselves.
    private static func has(_ text: Bytes, from start: Int, form pattern: StaticString) -> Bool {
        guard text.count >= start + pattern.utf8CodeUnitCount else { return false }
        for index in 0..<pattern.utf8CodeUnitCount {
            let (expected, byte) = (pattern.utf8Start[index], text[start + index])
            guard expected == UInt8(ascii: "9") ? isDigit(byte) : expected == byte else { return false }
        }
        return true
    }

    private static func number(_ text: Bytes, at start: Int, digits: Int) -> Int {
        text[start..<(start + digits)].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    // MARK: Words and colours

    static func isWord(_ text: Bytes) -> Bool {
        guard let first = text.first, isLetter(first), text.count <= 32 else { return false }
        return text.allSatisfy { isAlphanumeric($0) || $0 == 0x20 || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    /// `#F80`, `#FF8800`, `#FF8800CC`
    static func isHexColor(_ text: Bytes) -> Bool {
        guard text.first == UInt8(ascii: "#"), [4, 5, 7, 9].contains(text.count) else { return false }
        return text.dropFirst().allSatisfy(isHex)
    }

    static func isNumeral(_ text: Bytes) -> Bool {
        guard let first = text.first else { return false }
        var rest = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        guard !whole.isEmpty else { return false }
        if rest.isEmpty { return true }
        guard rest.first == UInt8(ascii: "."), rest.count > 1 else { return false }
        return rest.dropFirst().allSatisfy(isDigit)
    }

    // MARK: Dates

    private static func beginsWithDate(_ text: Bytes, form: StaticString = "9999-99-99") -> Bool {
        guard has(text, from: 0, form: form) else { return false }
        return (1...12).contains(number(text, at: 5, digits: 2)) && (1...31).contains(number(text, at: 8, digits: 2))
    }

    static func isDate(_ text: Bytes) -> Bool { text.count == 10 && beginsWithDate(text) }

    static func isSlashDate(_ text: Bytes) -> Bool { text.count == 10 && beginsWithDate(text, form: "9999/99/99") }

    /// `2024-05-01T10:00`, with seconds, a fraction, and `Z` or an offset, or without.
    static func isDateTime(_ text: Bytes) -> Bool {
        guard text.count >= 16, text.count <= 40, beginsWithDate(text), text[10] == UInt8(ascii: "T") || text[10] == 0x20,
            has(text, from: 11, form: "99:99"), number(text, at: 11, digits: 2) < 25, number(text, at: 14, digits: 2) < 60
        else { return false }
        var index = 16
        if has(text, from: index, form: ":99") {
            index += 3
            if index < text.count, text[index] == UInt8(ascii: ".") {
                let start = index + 1
                index = start
                while index < text.count, isDigit(text[index]) { index += 1 }
                if index == start { return false }
            }
        }
        if index == text.count { return true }
        switch text[index] {
        case UInt8(ascii: "Z"): return index + 1 == text.count
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return has(text, from: index + 1, form: "99:99") && index + 6 == text.count
                || has(text, from: index + 1, form: "9999") && index + 5 == text.count
        default: return false
        }
    }

    // MARK: Ids

    static func isUUID(_ text: Bytes) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            guard isDash ? byte == UInt8(ascii: "-") : isHex(byte) else { return false }
        }
        return true
    }

    /// As SDKs make them: 20 letters and digits, of more than one kind.
    static func isAutomaticID(_ text: Bytes) -> Bool { text.count == 20 && isMixed(text) }

    /// As Authentication makes them.
    static func isUserID(_ text: Bytes) -> Bool { text.count == 28 && isMixed(text) }

    /// Letters and digits only, and not all of one kind as in a long word or number.
    private static func isMixed(_ text: Bytes) -> Bool {
        guard text.allSatisfy(isAlphanumeric) else { return false }
        let kinds = [text.contains(where: isDigit), text.contains(where: isUpper), text.contains(where: isLower)]
        return kinds.count { $0 } >= 2
    }

    static func isEmail(_ text: Bytes) -> Bool {
        guard text.count <= 254, let at = text.firstIndex(of: UInt8(ascii: "@")), at > 0, at <= 64 else { return false }
        let local = text[..<at]
        let domain = text[(at + 1)...]
        let extra: StaticString = ".!#$%&'*+/=?^_`{|}~-"
        guard local.allSatisfy({ isAlphanumeric($0) || has(extra, $0) }) else { return false }
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.count >= 2, last.allSatisfy(isLetter) else { return false }
        return labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") } }
    }

    private static func has(_ set: StaticString, _ byte: UInt8) -> Bool {
        UnsafeBufferPointer(start: set.utf8Start, count: set.utf8CodeUnitCount).contains(byte)
    }

    /// Long enough not to be a word, and not all of one kind.
    static func isBase64(_ text: Bytes) -> Bool {
        guard text.count >= 20, text.count % 4 == 0 else { return false }
        var end = text.count
        while end > text.count - 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let body = text[..<end]
        let signs = { (byte: UInt8) in byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") }
        guard body.allSatisfy({ isAlphanumeric($0) || signs($0) }) else { return false }
        return body.contains(where: isUpper) && body.contains(where: isLower) && (body.contains(where: isDigit) || end < text.count)
    }

    /// `users/alice`, `users/alice/books/b1`: an even number of segments of letters, digits, `_` and `-`.
    static func isDocumentPath(_ text: Bytes) -> Bool {
        guard text.count <= 1_500 else { return false }
        var (slashes, length) = (0, 0)
        for byte in text {
            if byte == UInt8(ascii: "/") {
                guard length > 0 else { return false }
                (slashes, length) = (slashes + 1, 0)
            } else {
                guard isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") else { return false }
                // The names of collections begin with a letter.
                if length == 0, slashes % 2 == 0, !isLetter(byte) { return false }
                length += 1
            }
        }
        return slashes % 2 == 1 && length > 0
    }

    // MARK: URLs

    /// Stricter than `URL(string:)`, so that every text that matches decodes and encodes unchanged.
    static func isURL(_ text: Bytes) -> Bool {
        var start = 0
        for scheme: StaticString in ["https://", "http://", "gs://"] {
            let length = scheme.utf8CodeUnitCount
            if text.count > length, text.prefix(length).elementsEqual(UnsafeBufferPointer(start: scheme.utf8Start, count: length)) {
                start = length
            }
        }
        guard start > 0, text.count <= 2_048 else { return false }
        let rest = text[start...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard isAuthority(authority) else { return false }
        var (index, fragments) = (authority.endIndex, 0)
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < text.count, isHex(text[index + 1]), isHex(text[index + 2]) else { return false }
                index += 3
                continue
            }
            if byte == UInt8(ascii: "#") { fragments += 1 }
            guard fragments < 2, isAlphanumeric(byte) || has("-._~/?#&=+,:;@!$'()*", byte) else { return false }
            index += 1
        }
        return true
    }

    /// A host of letters, digits, dots and dashes, and optionally a port.
    private static func isAuthority(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, let first = host.first, let last = host.last, isAlphanumeric(first), isAlphanumeric(last) else {
            return false
        }
        guard host.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else {
            return false
        }
        guard parts.count == 2 else { return true }
        return (1...5).contains(parts[1].count) && parts[1].allSatisfy(isDigit)
            && (Int(String(decoding: parts[1], as: UTF8.self)) ?? 65_536) < 65_536
    }

    // MARK: Languages and countries

    /// `de`, `pt-BR`, `zh_TW`
    static func isLanguageCode(_ text: Bytes) -> Bool {
        guard text.count >= 2, isCode(text, in: languages) else { return false }
        if text.count == 2 { return true }
        let rest = text.dropFirst(3)
        guard text[2] == UInt8(ascii: "-") || text[2] == UInt8(ascii: "_") else { return false }
        return rest.count == 2 && rest.allSatisfy(isUpper) || rest.count == 4 && rest.allSatisfy(isLetter)
    }

    static func isCountryCode(_ text: Bytes) -> Bool { text.count == 2 && isCode(text, in: countries) }

    /// Whether the first two bytes are among the codes, which are separated by blanks.
    private static func isCode(_ text: Bytes, in codes: StaticString) -> Bool {
        var index = 0
        while index + 1 < codes.utf8CodeUnitCount {
            if codes.utf8Start[index] == text[0], codes.utf8Start[index + 1] == text[1] { return true }
            index += 3
        }
        return false
    }

    private static let languages: StaticString =
        """
        aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu \
        fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km \
        kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om \
        or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr \
        ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """
    private static let countries: StaticString =
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF \
        CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH \
        GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW \
        KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG \
        NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN \
        SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE \
        YT ZA ZM ZW
        """
}
