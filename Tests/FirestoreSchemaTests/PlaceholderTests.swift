// SPDX-License-Identifier: Apache-2.0
import Testing

// Replaced by the first suite of this folder.
