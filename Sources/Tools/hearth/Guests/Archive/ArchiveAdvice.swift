// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive

extension ArchivingEnd: AdvisedCause {
    var advice: String {
        self == .unknownDatabase
            ? " (`hearth restore ARCHIVE --all --data DIR` restores what is missing; `hearth serve --archive-begin-anew` begins anew)" : ""
    }
}

extension ArchiveKeyMismatch: AdvisedCause {
    var advice: String { " (--archive-key)" }
}
