// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

extension Firestore.Decoder {
    /// A decoder that migrates documents of older versions of a model in memory.
    ///
    /// ```swift
    /// let city = try snapshot.data(as: City.self, decoder: .migrating(City.self))
    /// ```
    /// Documents of the current version cost nothing but a look at their version.
    ///
    /// Beyond the Apple SDK.
    public static func migrating(_ model: any VersionedModel.Type) -> Firestore.Decoder {
        let decoder = Firestore.Decoder()
        decoder.migrate(model)
        return decoder
    }

    /// Makes the decoder migrate documents of older versions of a model in memory.
    ///
    /// Decoding then throws ``FirestoreModelError``: for documents of newer versions, for a step that fails, and for steps that are not
    /// complete.
    ///
    /// Beyond the Apple SDK.
    public func migrate(_ model: any VersionedModel.Type) {
        let steps = Result { try VersionSteps(model) }
        preparing = { fields, reference in
            try steps.get().migrated(fields, of: reference)?.fields ?? fields
        }
    }
}

extension Firestore.Encoder {
    /// An encoder that stores the current version of a model with each document.
    ///
    /// ```swift
    /// try ref.setData(from: city, encoder: .versioned(City.self))
    /// ```
    /// A version that the type encodes itself takes precedence.
    ///
    /// Beyond the Apple SDK.
    public static func versioned(_ model: any VersionedModel.Type) -> Firestore.Encoder {
        let encoder = Firestore.Encoder()
        encoder.storeVersion(of: model)
        return encoder
    }

    /// Makes the encoder store the current version of a model with each document.
    ///
    /// Encoding then throws ``FirestoreModelError`` if the steps of the model are not complete.
    ///
    /// Beyond the Apple SDK.
    public func storeVersion(of model: any VersionedModel.Type) {
        let steps = Result { try VersionSteps(model) }
        completing = { fields in try steps.get().stamped(fields) }
    }
}
