// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreServer
import Logging

/// The file of `--quotas`. A file that cannot be used leaves the quotas before it.
final class QuotaFileReloader: Sendable {
    let quotas: Quotas
    private let path: String
    private let log: Logger

    /// - Parameter directory: Where daily sums are kept; nil for a server that keeps nothing.
    init(_ path: String, directory: String?, metrics: any MetricsFactory, log: Logger) throws(QuotaFile.Mistake) {
        self.path = path
        self.log = log
        quotas = Quotas(try QuotaFile.read(path), directory: directory, metrics: metrics, log: log)
        log.info("quotas in effect", metadata: ["file": "\(path)"])
    }

    /// Reads the file again: SIGHUP.
    func reload() {
        do throws(QuotaFile.Mistake) {
            quotas.install(try QuotaFile.read(path))
            log.info("quotas in effect", metadata: ["file": "\(path)"])
        } catch {
            log.error("\(error)")
            log.error("the new quota file is rejected; the previous quotas stay in effect", metadata: ["file": "\(path)"])
        }
    }
}
