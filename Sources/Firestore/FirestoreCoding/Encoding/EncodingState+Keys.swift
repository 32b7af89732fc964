// SPDX-License-Identifier: Apache-2.0

/// Key strategies for encoding; unused without a strategy.
extension EncodingState {
    /// The field name of a key in a frame (R62, R63, R66).
    func convertedName(of key: some CodingKey, in token: FrameToken) -> String {
        if frame(token)?.pointee.isExemptFromKeyStrategy == true { return key.stringValue }  // R43, R67
        switch options.keys {
        case .useDefaultKeys: return key.stringValue
        case .convertToSnakeCase: return SnakeCase.fromCamelCase(key.stringValue)
        case .custom(let convert): return convert(codingPath(of: token) + [key]).stringValue
        }
    }
}
