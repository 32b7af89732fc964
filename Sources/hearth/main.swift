// SPDX-License-Identifier: Apache-2.0
await Hearth.execute()
