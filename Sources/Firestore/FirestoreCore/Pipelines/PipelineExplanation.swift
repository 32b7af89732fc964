// SPDX-License-Identifier: Apache-2.0

/// How a pipeline is executed: a text, the only form in which the protocol carries it.
package struct PipelineExplanation: Sendable, Hashable {
    /// Lines without an end of line behind the last one, which do not begin with a brace; or an object of JSON, if that was asked for.
    package var text: String

    package init(text: String) { self.text = text }
}
