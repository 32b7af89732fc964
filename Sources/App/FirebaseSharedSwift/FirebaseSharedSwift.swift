// SPDX-License-Identifier: Apache-2.0

/// `FirebaseDataEncoder`, `FirebaseDataDecoder`, their strategies and the two structure-coding protocols.
///
/// They are declared in the module of the codec; this module is the name under which user code imports them.
@_exported public import FirestoreCoding
