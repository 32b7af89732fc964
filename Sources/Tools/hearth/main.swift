// SPDX-License-Identifier: Apache-2.0
StandardDescriptors.prepare()
await Hearth.execute()
