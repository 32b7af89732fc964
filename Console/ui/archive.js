// SPDX-License-Identifier: Apache-2.0
// The archive of a database: how far it is, when it was checked, and which moments can be restored.
import { facts, h, muted, small } from '../lib/dom.js';
import { spanText, timeText } from './parts.js';

const moments = ({ start, end }) => (start === end ? timeText(start) : `${timeText(start)} –\n${timeText(end)}`);

function stateOf({ ended, problem, lag }) {
  if (ended) return h('span.danger-text', 'ended: another server archives this database');
  if (problem) return h('span.danger-text', `does not proceed: ${problem}`);
  if (lag === undefined) return 'complete; the database is closed';
  return lag > 10 ? h('span.warn-text', `${spanText(lag)} behind`) : h('span.ok-text', lag > 0 ? `${spanText(lag)} behind` : 'complete');
}

function verifiedText({ lastVerified, damage }, isVerified) {
  if (damage) return h('span.danger-text', `damaged: ${damage.slice(0, 3).join('; ')}`);
  if (lastVerified) return h('span.ok-text', `sound on ${timeText(lastVerified)}`);
  return isVerified ? 'not yet' : ['never; start the server with ', h('code', '--archive-verify')];
}

/** `place` is that of the server's archive, `report` the state of this database's; `clone` makes a database of a moment. */
export const drawArchive = ({ place, report, canRestore }, clone) => [
  h('.row', h('h3.heading.grow', 'Archive'),
    clone && canRestore && report.windows.length > 0 && small('Restore a moment', () => clone(report.windows))),
  facts({
    Place: h('span.mono', place.place), State: stateOf(report), 'Last copy': report.lastBase && timeText(report.lastBase),
    Checked: h('span', verifiedText(report, place.verified)), Kept: spanText(place.keep),
    'Can be restored': report.windows.length ? h('ul', report.windows.map((window) => h('li.lines', moments(window)))) : undefined,
  }),
  !report.windows.length && !report.problem && muted('No copy is complete yet: nothing can be restored.'),
];
