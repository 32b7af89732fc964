// SPDX-License-Identifier: Apache-2.0
#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [FirestoreModelMacro.self, NotStoredMacro.self]
    }
#else
    /// Without the trait there is nothing to expand, and nothing of swift-syntax is fetched or compiled.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
