import Testing

/// Every mapping rule has a test that names it.
struct RuleCitationTests {
    @Test func `every rule from R1 to R111 is cited by a test`() throws {
        var cited: Set<Int> = []
        for file in Repository.swiftFiles where file.path.hasPrefix("Tests/") && !file.path.hasPrefix("Tests/RepositoryTests/") {
            let text = try file.text
            // A single rule, or a range of them: R12–R16, R12-R16, R12…R16.
            for match in text.matches(of: /\bR(\d{1,3})(?:\s?[–…-]\s?R?(\d{1,3}))?\b/) {
                guard let first = Int(match.output.1) else { continue }
                let last = match.output.2.flatMap { Int($0) } ?? first
                cited.formUnion(first <= last && last <= 111 ? Array(first...last) : [first])
            }
        }
        let missing = (1...111).filter { !cited.contains($0) }
        #expect(missing.isEmpty, "no test cites \(missing.map { "R\($0)" }.joined(separator: ", "))")
    }
    /// Rules about messages on the wire, which nothing here speaks yet.
    private static let wireRules: Set<Int> = [4, 44, 45, 46, 51, 70, 72]

    @Test func `every query rule from QR-1 to QR-72 is cited by a test`() throws {
        var cited: Set<Int> = []
        for file in Repository.swiftFiles where file.path.hasPrefix("Tests/") && !file.path.hasPrefix("Tests/RepositoryTests/") {
            for match in try file.text.matches(of: /\bQR-(\d{1,2})\b/) {
                if let rule = Int(match.output.1) { cited.insert(rule) }
            }
        }
        let missing = Set(1...72).subtracting(cited).subtracting(Self.wireRules).sorted()
        #expect(missing.isEmpty, "no test cites \(missing.map { "QR-\($0)" }.joined(separator: ", "))")
    }
}
