// SPDX-License-Identifier: Apache-2.0

// `import SwiftUI` brings Combine and Foundation along on Apple platforms, and the guide relies on it.
@_exported import Foundation
@_exported import OpenCombine
