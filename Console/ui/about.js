// SPDX-License-Identifier: Apache-2.0
// What stands in dialogs about the console itself.
import { loadServer } from '../lib/api.js';
import { facts } from '../lib/dom.js';
import { server } from '../lib/store.js';
import { dialog } from './widgets.js';

export async function showServer() {
  // Nodes come and go.
  await loadServer().catch(() => { /* What was known is shown. */ });
  const { version, address, data = 'in memory', startTime, development, settings, nodes } = server.value;
  const nodeText = (node) => [node.address, node.self && 'this one', !node.live && 'without a lease'].filter(Boolean).join(', ');
  const mode = development ? 'development: tokens are not verified' : 'tokens are verified';
  dialog({ title: 'This server', body: facts({
    Version: version, Address: address, Data: data, Nodes: nodes?.map(nodeText).join('; '), Started: startTime, Mode: mode, ...settings,
  }) });
}

export const showKeys = () => dialog({ title: 'Keys', body: facts({
  '/ or Ctrl K': 'Path and commands', 'g d, g q, g r': 'Data, query, requests',
  'g i, g u, g t, g s, g a': 'Indexes, usage, transfer, rules, users', 'g b, g e, g o': 'Databases, events, insights',
  '↑ ↓ ← → Home End': 'Move in tables', Enter: 'Open, or edit a field', e: 'Edit the document', n: 'New document',
  Space: 'Select a row', Delete: 'Delete', '[ and ]': 'Previous and next document', 'Ctrl S': 'Save', 'Ctrl Enter': 'Run the query',
  'Alt ↑ ↓': 'Move an element of an array', '.': 'Pause live updates', Escape: 'Take back, close', '?': 'This list',
}) });
