// SPDX-License-Identifier: Apache-2.0

extension AccountPolicy {
    /// Whether a link of this server may continue to an address.
    package func allows(continueURL text: String) -> Bool { (try? check(continueURL: text)) != nil }

    /// Links may continue to configured hosts only, so that an e-mail of this server cannot lead to an attacker's page.
    func check(continueURL text: String) throws(AccountError) {
        let invalid = AccountError("INVALID_CONTINUE_URI", "((expected an absolute URI with valid scheme and host))")
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix), text.utf8.count <= 2_048 else { throw invalid }
        let authority = lower.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        // Browsers and parsers of URLs disagree about other characters.
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F && $0 != "\\" }
        guard isPlain, !authority.isEmpty, !authority.contains("@"), !authority.contains("%") else { throw invalid }
        if isDevelopment { return }
        let host = authority.prefix { $0 != ":" }
        let isAllowed = continueHosts.contains { allowed in String(host) == allowed || host.hasSuffix("." + allowed) }
        guard isAllowed else { throw AccountError("UNAUTHORIZED_DOMAIN", "The host of continueUrl is not configured") }
    }
}
