// SPDX-License-Identifier: Apache-2.0

/// A step of a ``VersionedModel`` from one version to the next.
///
/// Beyond the Apple SDK.
public struct ModelMigration: Sendable {
    let version: Int
    let change: @Sendable (inout MigratingFields) throws -> Void

    /// The step from a version to the next.
    ///
    /// The closure must depend on the fields alone: it runs again whenever an old document is read. An error that it throws is that of
    /// the read.
    public static func step(
        from version: Int, _ change: @escaping @Sendable (_ fields: inout MigratingFields) throws -> Void
    ) -> ModelMigration {
        ModelMigration(version: version, change: change)
    }
}
