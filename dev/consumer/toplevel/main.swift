// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

// Top-level code with `await`: the compiler picks the forms that do not wait, and must warn of it.
let document = Firestore.firestore().document("books/dune")
try await document.setData(["title": "Dune"])
try await document.delete()
