// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The folder of this repository, found from this file's own path.
package let repositoryRoot: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
        folder.deleteLastPathComponent()
    }
    return folder
}()
