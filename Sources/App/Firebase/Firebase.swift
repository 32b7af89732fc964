// SPDX-License-Identifier: Apache-2.0
@_exported public import FirebaseAuth
@_exported public import FirebaseCore
@_exported public import FirebaseFirestore
