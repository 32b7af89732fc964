// SPDX-License-Identifier: Apache-2.0
// One database: its settings, what expires in it, its archive, its operations.
import { adminCall } from '../lib/admin.js';
import { consoleCall } from '../lib/api.js';
import { button, facts, failure, h, iconButton, loading, muted, region, replace, small } from '../lib/dom.js';
import { formatRoute, isReadOnly, server } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { cloneAt, drawBackups, makings } from './backups.js';
import { isRunning, operationEntry } from './operations.js';
import { entry, part, repeating, spanText, timeText } from './parts.js';
import { ask, attempt, confirm, panelHead, toast } from './widgets.js';

export const protection = (isOn) => (isOn ? 'DELETE_PROTECTION_ENABLED' : 'DELETE_PROTECTION_DISABLED');

const recovery = (isOn) => (isOn ? 'POINT_IN_TIME_RECOVERY_ENABLED' : 'POINT_IN_TIME_RECOVERY_DISABLED');
const expiryWords = { CREATING: 'being set up', ACTIVE: 'active', NEEDS_REPAIR: 'needs repair' };

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
const drawArchive = ({ place, report, canRestore }, clone) => [
  h('.row', h('h3.heading.grow', 'Archive'),
    clone && canRestore && report.windows.length > 0 && small('Restore a moment', () => clone(report.windows))),
  facts({
    Place: h('span.mono', place.place), State: stateOf(report), 'Last copy': report.lastBase && timeText(report.lastBase),
    Checked: h('span', verifiedText(report, place.verified)), Kept: spanText(place.keep),
    'Can be restored': report.windows.length ? h('ul', report.windows.map((window) => h('li.lines', moments(window)))) : undefined,
  }),
  !report.windows.length && !report.problem && muted('No copy is complete yet: nothing can be restored.'),
];

/** The panel of a database. `remove` is offered unless the database is protected. */
export function databasePanel({ name, bytes }, { close, remove, made }) {
  const [, project, , database] = name.split('/');
  const body = region('.panel-body.content', 'Details');
  const href = formatRoute({ page: 'data', project, database });
  let uid;
  /** Whether the past can be restored here. */
  let canRestore = false;
  const patch = (of, query, message, done) => attempt(async () => {
    await adminCall('PATCH', of, { query, body: message });
    toast(done);
    await asking.now();
  });

  const setProtected = (isOn) => patch(name, { updateMask: 'deleteProtectionState' }, { deleteProtectionState: protection(isOn) },
    isOn ? 'Protected from deletion.' : 'No longer protected.');

  const setExpiry = (group, field, config, done) =>
    patch(`${name}/collectionGroups/${group}/fields/${field}`, { updateMask: 'ttlConfig' }, { ttlConfig: config }, done);

  async function addExpiry() {
    const made = await ask({
      title: 'Let documents expire', action: 'Set up', fields: { 'Collection id': '', 'Field with the time': '' },
      text: 'Documents of all collections of this id are deleted after the time in the field, those with an earlier time immediately. It '
        + 'cannot be undone.',
      read: (group, field) => {
        if (!group || !field) throw new Error('A collection and a field are needed.');
        return { group, field };
      },
    });
    if (made) setExpiry(made.group, made.field, {}, 'Documents will expire.');
  }

  async function removeExpiry(group, field) {
    const text = 'Documents no longer expire. Those that have expired are gone.';
    if (await confirm({ title: `Stop expiry of ${group}?`, action: 'Stop', text })) setExpiry(group, field, undefined, 'Stopped.');
  }

  const cancel = (operation) => attempt(async () => {
    await adminCall('POST', operation.name, { verb: ':cancel', body: {} });
    toast('Cancelled.');
    await asking.now();
  });

  const setRecovery = (isOn) => patch(name, { updateMask: 'pointInTimeRecoveryEnablement' },
    { pointInTimeRecoveryEnablement: recovery(isOn) }, isOn ? 'The past week can be restored.' : 'The past hour can be restored.');

  const settings = part(({ message, canRecover }) => {
    const recovers = message.pointInTimeRecoveryEnablement === recovery(true);
    ({ uid } = message);
    const isProtected = message.deleteProtectionState === protection(true);
    return [facts({
      Size: bytes === undefined ? undefined : sizeText(bytes), Location: message.locationId, Created: timeText(message.createTime),
      Changed: timeText(message.updateTime), 'Delete protection': isProtected ? 'on' : 'off',
      'Moments to restore': canRecover ? `of the past ${recovers ? 'week' : 'hour'}` : undefined, 'Unique id': h('span.mono', message.uid),
    }), h('.row.wrap', h('a.button', { href }, 'Open the data'), !isReadOnly() && [
      button(isProtected ? 'Unprotect' : 'Protect', () => setProtected(!isProtected)),
      canRecover && button(recovers ? 'Recovery off' : 'Recovery on', () => setRecovery(!recovers)),
      button('Delete', remove, { class: 'danger-text', disabled: isProtected, title: isProtected ? 'It is protected from deletion.' : '' }),
    ])];
  });
  const expiring = part((fields) => [
    h('.row', h('h3.heading.grow', 'Expiry'), !isReadOnly() && small('Set up', addExpiry)),
    fields.length ? h('ul', fields.map(({ name: of, ttlConfig: { state, expirationOffset } }) => {
      const [, group, field] = /\/collectionGroups\/([^/]+)\/fields\/(.*)$/.exec(of);
      const word = [expiryWords[state] ?? state, expirationOffset && `${expirationOffset} later`].filter(Boolean).join(', ');
      return entry(h('span.mono', `${group}.${field}`), [h('span.faint', word),
        !isReadOnly() && iconButton('trash', `Stop expiry of ${group}`, () => removeExpiry(group, field))]);
    })) : muted('No documents expire.'),
  ]);
  const making = makings({ done: made });
  const archive = part((state) => drawArchive(state, !isReadOnly() && ((windows) => cloneAt(making, { name, uid, windows }))));
  const backups = part(drawBackups(name, making, () => askingArchive.now()));
  const operations = part((list) => list.length > 0
    && [h('h3.heading', 'Operations'), h('ul', list.map((operation) => operationEntry(operation, isReadOnly() ? null : cancel)))]);
  const parts = h('.section', settings.element, expiring.element, making.element, archive.element, backups.element,
    operations.element);
  const about = (path) => consoleCall('GET', `${path}?database=${encodeURIComponent(name)}`);

  const asking = repeating(async () => {
    try {
      const answer = await about('database');
      settings.show({ message: answer.database, canRecover: canRestore });
      expiring.show(answer.expiring);
      operations.show(answer.operations);
      if (!parts.isConnected) replace(body, parts);
      return answer.operations.some(isRunning) ? 1000 : 5000;
    } catch (error) {
      // What is shown stays, while the server is away.
      if (error.code !== 0 || !parts.isConnected) replace(body, failure(error, () => asking.now()));
      return 5000;
    }
  });
  const askingArchive = repeating(async () => {
    // The server is known a moment later than the page.
    if (!server.value) return 200;
    const { archive: place } = server.value;
    if (!place) return 60000;
    const known = await about('backups').catch(({ message }) => ({ schedules: [], backups: [], problem: message }));
    backups.show(known);
    canRestore = !known.problem;
    await about('archive').then((report) => archive.show({ place, report, canRestore }), () => { /* The other parts say it. */ });
    return 15000;
  });

  loading(body);
  return {
    element: h('.panel', panelHead(`${project} / ${database}`, null, close), body),
    destroy() {
      asking.stop();
      askingArchive.stop();
      making.stop();
    },
  };
}

/** The panel of a deleted database. */
export function deletedPanel({ name, deleteTime }, { close, restore }) {
  const [, project, , database] = name.split('/');
  return {
    element: h('.panel', panelHead(`${project} / ${database}`, null, close), region('.panel-body.content', 'Details',
      facts({ State: 'deleted', Deleted: timeText(deleteTime) }), muted('It is removed a day after it was deleted.'),
      !isReadOnly() && h('.row', button('Bring back', restore)))),
    destroy() { /* It asks nothing. */ },
  };
}
