// SPDX-License-Identifier: Apache-2.0

extension FirestoreSettings {
    /// Security rules for the embedded database. nil, the default: everything is granted.
    ///
    /// Rules that cannot be read or have errors make every operation fail with the errors, with line and column. Rules apply to what
    /// the app does through this instance; they do not protect the file from the process. Bundles and indexes are not subject to them.
    ///
    /// A server decides by its own rules: for a database on a server the setting has no effect, and a warning is logged.
    ///
    /// Beyond the Apple SDK.
    public var rules: SecurityRules? {
        get { values.rules }
        set { values.rules = newValue }
    }

    /// The user for whom the rules of the embedded database decide.
    ///
    /// nil, the default, is the user signed in to the app with Firebase Authentication, if any. The user can change at any
    /// time, also while the database is in use: running listeners are judged again, and end with `permissionDenied` if the rules no
    /// longer grant them.
    ///
    /// Without `rules`, and for a database on a server, it has no effect.
    ///
    /// Beyond the Apple SDK.
    public var user: SecurityRules.User? {
        get { values.user }
        set { values.user = newValue }
    }

    /// Whether the rules deny lists that cannot be proved.
    ///
    /// False by default, as in Cloud Firestore: a condition that is true because a field is missing grants every list that does not
    /// filter by that field, even if documents in its result have the field. Such conditions are logged when the rules are loaded.
    /// With true, every document of a granted list satisfies the condition. Use it for new rules.
    ///
    /// Beyond the Apple SDK.
    public var strictLists: Bool {
        get { values.strictLists }
        set { values.strictLists = newValue }
    }
}
