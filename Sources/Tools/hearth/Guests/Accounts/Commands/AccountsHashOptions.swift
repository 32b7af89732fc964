// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreCore

/// How the passwords of a file are hashed, with the option names of `firebase auth:import`.
struct AccountsHashOptions: ParsableArguments {
    @Option(help: ArgumentHelp("SCRYPT (Firebase), STANDARD_SCRYPT, BCRYPT, PBKDF_SHA1 or PBKDF2_SHA256.", valueName: "name"))
    var hashAlgo: String?

    @Option(help: ArgumentHelp("SCRYPT: the signer key of the project, in Base64.", valueName: "key"))
    var hashKey: String?

    @Option(help: ArgumentHelp("SCRYPT: what stands between the salt of an account and the rest, in Base64.", valueName: "text"))
    var saltSeparator: String?

    @Option(help: ArgumentHelp("SCRYPT and PBKDF2: the number of rounds.", valueName: "n"))
    var rounds: Int?

    @Option(help: ArgumentHelp("SCRYPT: the memory cost, 14 at Firebase. STANDARD_SCRYPT: the parameter N.", valueName: "n"))
    var memCost: Int?

    @Option(help: ArgumentHelp("STANDARD_SCRYPT: the parameter p. (default: 1)", valueName: "n"))
    var parallelization: Int?

    @Option(help: ArgumentHelp("STANDARD_SCRYPT: the parameter r. (default: 8)", valueName: "n"))
    var blockSize: Int?

    /// In the form of a request.
    private var members: [(name: String, value: JSON)] {
        let texts: [(name: String, value: String?)] = [("signerKey", hashKey), ("saltSeparator", saltSeparator)]
        let numbers: [(name: String, value: Int?)] = [
            ("rounds", rounds), ("memoryCost", memCost), ("parallelization", parallelization), ("blockSize", blockSize),
        ]
        return texts.compactMap { text in text.value.map { (text.name, .string($0)) } }
            + numbers.compactMap { number in number.value.map { (number.name, .number($0)) } }
    }

    /// nil if the options are not used.
    func parameters() throws -> HashImport? {
        guard let hashAlgo else {
            guard members.isEmpty else { throw ValidationError("the parameters of hashes need --hash-algo") }
            return nil
        }
        do throws(AccountError) {
            return try HashImport(.object([("hashAlgorithm", .string(hashAlgo))] + members))
        } catch {
            throw ValidationError("--hash-algo: \(error.detail ?? error.code)")
        }
    }
}
