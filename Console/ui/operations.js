// SPDX-License-Identifier: Apache-2.0
// What takes time in a database: how far it is, and how to stop it.
import { counted, h, number, small } from '../lib/dom.js';
import { sizeText } from '../lib/values.js';
import { entry, timeText } from './parts.js';

const words = {
  ExportDocuments: 'Export', ImportDocuments: 'Import', BulkDeleteDocuments: 'Bulk delete', Index: 'Index', Field: 'Settings of a field',
  CreateDatabase: 'Creation', UpdateDatabase: 'Settings changed', RestoreDatabase: 'Restore', CloneDatabase: 'Clone',
};

const kindOf = ({ '@type': type = '' }) => type.replace(/^.*\./, '').replace(/(Operation)?Metadata$/, '');
const lastOf = (name) => name?.replace(/^.*\//, '');

/** What it is about: a folder, the collections, a field. */
function subject({ outputUriPrefix, inputUriPrefix, collectionIds = [], field, index, database }) {
  const group = /\/collectionGroups\/([^/]+)\//.exec(field ?? index ?? '')?.[1];
  const setting = field ? `${group}.${lastOf(field)}` : group;
  return [outputUriPrefix ?? inputUriPrefix, lastOf(database), collectionIds.join(', '), setting].filter(Boolean).join(' · ');
}

export const isRunning = (operation) => !operation.done;

function stateOf({ done, error }) {
  if (!done) return h('span.warn-text', 'running');
  if (!error) return h('span.ok-text', 'done');
  return error.code === 1 ? h('span.muted', 'cancelled') : h('span.danger-text', 'failed');
}

/** How far it is, by documents or by hundredths of the work. */
function progressOf({ progressDocuments: { completedWork, estimatedWork } = {}, progressPercentage: { completedWork: hundredths } = {} }) {
  const [done, all] = [Number(completedWork), Number(estimatedWork)];
  if (hundredths !== undefined) return { done: Number(hundredths), all: 100, text: `${hundredths} %` };
  if (completedWork === undefined) return {};
  return { done, all, text: all > 0 ? `${number(done)} of ${counted(all, 'document')}` : counted(done, 'document') };
}

export function operationEntry(operation, cancel) {
  const { metadata = {}, error } = operation;
  const { progressBytes, startTime, endTime } = metadata;
  const what = words[kindOf(metadata)] ?? kindOf(metadata);
  const { done, all, text } = progressOf(metadata);
  const figures = [
    subject(metadata), text, progressBytes?.completedWork > 0 && sizeText(Number(progressBytes.completedWork)),
    startTime && timeText(endTime ?? startTime),
  ].filter(Boolean).join(' · ');
  const bar = isRunning(operation) && all > 0 && h('progress', { label: `Progress of ${what}`, max: all, value: done });
  return entry(what, [stateOf(operation), isRunning(operation) && cancel && small('Cancel', () => cancel(operation))],
    h('p.faint', figures), bar, error && error.code !== 1 && h('p.danger-text', error.message));
}
