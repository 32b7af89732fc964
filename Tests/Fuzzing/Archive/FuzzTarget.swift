// SPDX-License-Identifier: Apache-2.0
import Crypto
@testable import FirestoreArchive
import FirestoreCore
import FirestoreStorage
import FuzzFrame

/// The first byte chooses: the answer of a listing, or that of an error; an encrypted object; the records of a piece of the journal, or all
/// of it but its hash. `HEARTH_FUZZ_TARGET` is not asked.
@main
enum FuzzTarget: Fuzzer {
    private static let key = ArchiveKey([UInt8](1...32))

    static func run(_ input: [UInt8]) {
        guard let choice = input.first else { return }
        let rest = Array(input.dropFirst())
        switch choice % 5 {
        case 0:
            guard let listing = S3Listing(rest) else { return }
            precondition(listing.objects.allSatisfy { $0.size >= 0 } && listing.continuation != "")
        case 1:
            guard let error = S3ErrorAnswer(rest) else { return }
            precondition(!error.code.isEmpty && error.message.unicodeScalars.count <= 200)
            precondition(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
        case 2: open(rest)
        case 3: read(records: rest)
        default: read(segment: rest)
        }
    }

    private static func read(records: [UInt8]) {
        guard let commits = SegmentRecords.decode(ByteSlice(records), after: .none) else { return }
        let again = SegmentRecords.encode(commits, after: .none)
        precondition(SegmentRecords.decode(ByteSlice(again), after: .none)?.count == commits.count)
        precondition(zip(commits, commits.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    private static func read(segment: [UInt8]) {
        let whole = segment + Array(SHA256.hash(data: segment))
        do throws(FirestoreError) {
            try ArchiveSegment.read(whole, name: "name") { (segment, _) in
                precondition(segment.commits.last?.time ?? segment.after == segment.through)
            }
        } catch {
            precondition([.dataLoss, .failedPrecondition].contains(error.code) && error.location == "name")
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
