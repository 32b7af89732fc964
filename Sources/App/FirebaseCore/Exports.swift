// SPDX-License-Identifier: Apache-2.0

// As on Apple systems, where the header of the framework imports it: files with `import FirebaseCore` alone use `Date` and `Data`.
@_exported public import Foundation
