// SPDX-License-Identifier: Apache-2.0
// Backups of a database and their schedules; databases made from them, and from moments of the past.
import { adminCall } from '../lib/admin.js';
import { counted, h, iconButton, input, muted, select, small } from '../lib/dom.js';
import { isReadOnly } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { operationEntry, isRunning } from './operations.js';
import { entry, part, repeating, spanText, timeText } from './parts.js';
import { ask, attempt, confirm, toast } from './widgets.js';

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const dayWord = (day) => day[0] + day.slice(1).toLowerCase();
const projectOf = (name) => name.split('/').slice(0, 2).join('/');
const scheduleText = ({ weeklyRecurrence, retention }) =>
  `${weeklyRecurrence ? `Every ${dayWord(weeklyRecurrence.day)}` : 'Every day'}, kept ${spanText(parseInt(retention, 10))}`;

/** Databases that are being made from the past of another one. */
export function makings({ done }) {
  let running = [];
  const shown = part((list) => list.length > 0
    && [h('h3.heading', 'New databases'), h('ul', list.map((operation) => operationEntry(operation, cancel)))]);
  const cancel = (operation) => attempt(async () => {
    await adminCall('POST', operation.name, { verb: ':cancel', body: {} });
    await asking.now();
  });
  const asking = repeating(async () => {
    if (!running.some(isRunning)) return 60000;
    // One whose state cannot be asked for is shown as it was.
    const latest = await Promise.all(running.map((operation) =>
      (isRunning(operation) ? adminCall('GET', operation.name).catch(() => operation) : operation)));
    const ended = latest.filter((operation, i) => operation.done && !running[i].done);
    running = latest;
    shown.show(running);
    for (const { error, response } of ended) {
      if (error) toast(error.message, { isError: true });
      else done(response.name);
    }
    return 1000;
  });
  return {
    element: shown.element,
    stop: asking.stop,
    /** Begins one: `request` is that of `:restore` or `:clone`. */
    begin: (verb, name, request) => attempt(async () => {
      running = [await adminCall('POST', `${projectOf(name)}/databases`, { verb, body: request }), ...running];
      shown.show(running);
      asking.now();
    }),
  };
}

const askDatabase = (options) => ask({
  action: 'Create', ...options, read: (id, ...more) => {
    if (!id) throw new Error('A new database has an id.');
    return options.read?.(id, ...more) ?? { databaseId: id };
  },
});

/** Asks for a moment of the past, up to the minute and in UTC, and for the id of a new database that is as it was then. */
export async function cloneAt(making, { name, uid, windows }) {
  const minute = (time) => time.slice(0, 16);
  const first = minute(new Date(Math.ceil(Date.parse(windows[0].start) / 60000) * 60000).toISOString());
  const last = minute(windows.at(-1).end);
  if (first > last) {
    toast('The archive has no whole minute of this database yet.');
    return;
  }
  const moment = input({ type: 'datetime-local', min: first, max: last, value: last, step: 60 });
  const request = await askDatabase({
    title: 'A database of the past', fields: { 'New database id': '', 'Moment, UTC': moment },
    text: 'The new database has the documents of that minute. This one stays as it is.', read: (databaseId, time) => {
      if (!time) throw new Error('A moment is a date and a time.');
      return { databaseId, pitrSnapshot: { database: name, databaseUid: uid, snapshotTime: `${minute(time)}:00Z` } };
    },
  });
  if (request) making.begin(':clone', name, request);
}

/** Draws the backups of a database; `changed` is called after a change. */
export const drawBackups = (name, making, changed) => ({ schedules, backups, problem }) => {
  const change = (message, ...call) => attempt(async () => {
    await adminCall(...call);
    toast(message);
    await changed();
  });

  async function schedule() {
    const when = select('When', [['', 'every day'], ...days.map((day) => [day, `every ${dayWord(day)}`])], '');
    const keep = input({ type: 'number', min: 1, max: 98, value: 7 });
    const made = await ask({
      title: 'Schedule backups', action: 'Schedule', fields: { When: when, 'Days to keep each': keep },
      text: 'A backup is the database at one moment. It stays in the archive for as long as it is kept.', read: (day, kept) => ({
        retention: `${Math.round(kept * 86400)}s`, ...(day ? { weeklyRecurrence: { day } } : { dailyRecurrence: {} }),
      }),
    });
    if (made) change('Scheduled.', 'POST', `${name}/backupSchedules`, { body: made });
  }

  async function remove(of, title, text, done) {
    if (await confirm({ title, action: 'Delete', text })) change(done, 'DELETE', of);
  }

  async function restore(backup) {
    const request = await askDatabase({
      title: 'Restore a backup', fields: { 'New database id': '' },
      text: `The new database has the documents of ${timeText(backup.snapshotTime)}. This one stays as it is.`,
    });
    if (request) making.begin(':restore', name, { ...request, backup: backup.name });
  }

  const scheduleEntry = (one) => entry(scheduleText(one), !isReadOnly() && iconButton('trash', `Delete the schedule: ${scheduleText(one)}`,
    () => remove(one.name, 'Delete the schedule?', 'No more backups are made by it. Those that there are stay.', 'Deleted.')));
  const backupEntry = (backup) => {
    const { snapshotTime, expireTime, state, stats = {} } = backup;
    const time = timeText(snapshotTime);
    const figures = [stats.documentCount && counted(Number(stats.documentCount), 'document'), stats.sizeBytes
      && sizeText(Number(stats.sizeBytes)), `until ${timeText(expireTime)}`].filter(Boolean).join(' · ');
    return entry(time, state === 'READY' ? !isReadOnly() && [
      small('Restore', () => restore(backup)),
      iconButton('trash', `Delete the backup of ${time}`, () =>
        remove(backup.name, `Delete the backup of ${time}?`, 'It cannot be undone.', 'Deleted.')),
    ] : h('span.warn-text', 'being made'), h('p.faint', figures));
  };

  return [
    h('.row', h('h3.heading.grow', 'Backups'), !isReadOnly() && !problem && schedules.length < 2 && small('Schedule', schedule)),
    problem && muted(`${problem[0].toUpperCase()}${problem.slice(1)}.`),
    schedules.length + backups.length ? h('ul', schedules.map(scheduleEntry), backups.map(backupEntry))
      : !problem && muted('No backups are scheduled.'),
  ];
};
