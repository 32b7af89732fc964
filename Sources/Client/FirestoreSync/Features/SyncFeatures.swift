// SPDX-License-Identifier: Apache-2.0

/// The features of the offline engine. To delete one, delete its folder and its line here.
enum SyncFeatures {
    static var types: [any SyncFeature.Type] {
        [
            QueueFeature.self,
            ConflictFeature.self,
            PinFeature.self,
            BundleFeature.self,
            CollectionFeature.self,
            ConfirmationFeature.self,
            SharingFeature.self,
        ]
    }

    static func make() -> [any SyncFeature] { types.map { $0.init() } }
}
