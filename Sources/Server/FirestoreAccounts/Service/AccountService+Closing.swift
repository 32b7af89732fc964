// SPDX-License-Identifier: Apache-2.0

extension AccountService {
    /// Closes the file of the accounts. Later calls that need it fail.
    package func close() { store.close() }
}
