// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreArchive
import Glibc

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.run([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// libFuzzer's own `main`, under another name.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM begins an executable at the symbol of this name, so that libFuzzer's `main` is never linked.
@_cdecl("FuzzArchive_main")
public func begin(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var count = count
    var arguments = arguments
    return runFuzzer(&count, &arguments, fuzz)
}

/// The first byte chooses: the answer of a listing, or that of an error; an encrypted object. `HEARTH_FUZZ_TARGET` is not asked.
enum FuzzTarget {
    private static let key = ArchiveKey([UInt8](1...32))

    static func run(_ input: [UInt8]) {
        guard let choice = input.first else { return }
        let rest = Array(input.dropFirst())
        switch choice % 3 {
        case 0:
            guard let listing = S3Listing(rest) else { return }
            precondition(listing.objects.allSatisfy { $0.size >= 0 } && listing.continuation != "")
        case 1:
            guard let error = S3ErrorAnswer(rest) else { return }
            precondition(!error.code.isEmpty && error.message.unicodeScalars.count <= 200)
            precondition(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
        default: open(rest)
        }
    }

    /// Without the key no bytes are accepted.
    private static func open(_ object: [UInt8]) {
        guard let key else { return }
        do throws(FirestoreError) {
            _ = try SealedObject.open(object, "name", key, at: "fuzz")
            preconditionFailure("a forged object was accepted")
        } catch {
            precondition([.dataLoss, .failedPrecondition].contains(error.code) && error.location == "fuzz: name")
        }
    }
}
