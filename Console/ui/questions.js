// SPDX-License-Identifier: Apache-2.0
// Questions about ids, fields, values and deletion, as dialogs. Each answers undefined if the person thinks better of it.
import { commit, listDocuments, namesBelow } from '../lib/api.js';
import { changedPaths, same } from '../lib/changes.js';
import { counted, h, labelled, muted, replace, select, table } from '../lib/dom.js';
import {
  arrayOf, converted, fieldPath, fieldsOf, idProblem, mapOf, relative, sentinels, summary, toJSON, typeOf, types, valueAt, withValue,
} from '../lib/values.js';
import { typedInput } from './inputs.js';
import { databaseName, go, server } from '../lib/store.js';
import { ask, attempt, confirm, dialog, toast } from './widgets.js';

function fail(problem) {
  if (problem) throw new Error(problem);
}

export const askID = (title, action, text, label = 'Document id') =>
  ask({ title, action, text, fields: { [label]: '' }, read: (id) => fail(idProblem(id)) ?? id });

export const askCollection = () =>
  askID('New collection', 'Continue', 'A collection exists as soon as it has a document.', 'Collection id');

/** Begins the first document of a new collection, without an open database in the default one of a project. */
export async function newCollection() {
  if (databaseName()) {
    const id = await askCollection();
    if (id) go({ page: 'data', path: [id], params: { new: '1' } });
    return;
  }
  const found = await ask({
    title: 'New collection', action: 'Continue', text: 'A database and a collection exist as soon as they have a document.',
    fields: { 'Collection id': '', Project: server.value?.project ?? 'demo' }, read: (id, project) => {
      fail(idProblem(id) || (!/^[^/]+$/.test(project) && 'A project has a name without slashes.'));
      return { path: [id], project };
    },
  });
  if (found) go({ page: 'data', database: '(default)', params: { new: '1' }, ...found });
}

/** The problem of a name for a field among others, as an error. */
export function checkName(name, fields) {
  fail(!name && 'A field has a name.');
  fail(Object.hasOwn(fields, name) && 'There is a field of this name.');
  fail(/^__.*__$/s.test(name) && 'Names like __name__ are reserved.');
}

export const askName = ({ path }, draft) => ask({
  title: 'Rename field', action: 'Rename', fields: { Name: path.at(-1) },
  read: (name) => checkName(name, fieldsOf(path.length > 1 ? valueAt(draft, path.slice(0, -1)) : mapOf(draft))) ?? name,
});

export function askType({ path, value }, database) {
  const preview = h('p.mono.ellipsis');
  const become = (type) => converted(value, type, database);
  const show = (type) => replace(preview, h(`span.v-${type}`, summary(become(type), database)));
  const only = types.filter((type) => type !== 'array' || typeof path.at(-1) !== 'number');
  const choice = select('Type', only, typeOf(value), show);
  show(choice.value);
  return dialog({
    title: `Type of ${path.at(-1)}`, action: 'Change', read: () => become(choice.value),
    body: [labelled('Type', choice), h('.stack', 'Becomes', preview)],
  });
}

/** What the server computes in the commit: its time, an increment, array unions and removals. */
export function askComputed(_, database) {
  const only = types.filter((type) => type !== 'array' && type !== 'map');
  const operand = typedInput({ integerValue: '1' }, database, { label: 'operand', only });
  const row = h('.stack', { hidden: true }, 'Operand', operand.element);
  const choice = select('Value', Object.entries(sentinels), 'serverTime', (kind) => { row.hidden = kind === 'serverTime'; });
  return dialog({
    title: 'Compute when saved', action: 'Use',
    body: [muted('The server computes the value in the same commit.'), labelled('Value', choice), row],
    read: () => {
      const kind = choice.value;
      if (kind === 'serverTime') return { sentinel: { kind } };
      const value = operand.read();
      fail(kind === 'increment' && !['integer', 'double'].includes(typeOf(value)) && 'An increment is an integer or a double.');
      return { sentinel: { kind, operand: kind === 'increment' ? value : arrayOf([value]) } };
    },
  });
}

/** Theirs and mine, field by field, of the fields that were changed here: the fields to save. */
export function askMerge(base, theirs, mine, database) {
  const kept = new Map();
  const rows = changedPaths(base, mine).map((path) => {
    kept.set(path, true);
    const option = (which, value) => h('label.row', h('input', {
      type: 'radio', name: toJSON(path), checked: which === 'mine', label: `${fieldPath(path)}: ${which}`,
      onchange: () => kept.set(path, which === 'mine'),
    }), value ? h(`span.mono.ellipsis.v-${typeOf(value)}`, summary(value, database)) : h('span.faint', 'no field'));
    const [a, b] = [valueAt(theirs, path), valueAt(mine, path)];
    return [h('span.mono', fieldPath(path)), ...(same(a, b) ? ['the same', 'the same'] : [option('theirs', a), option('mine', b)])];
  });
  return dialog({
    title: 'The document has changed', isWide: true, action: 'Save',
    body: [muted('Another client saved it in the meantime. Choose what to keep of the fields that you changed; all others stay as they are '
      + 'there.'), table(['Field', 'Theirs', 'Mine'], rows)],
    read: () => [...kept].reduce((fields, [path, isMine]) => (isMine ? withValue(fields, path, valueAt(mine, path)) : fields), theirs),
  });
}

// Deletion

/** Says what was done, with an Undo that commits the opposite, if nobody came between. Answers what takes the offer away. */
export function offerUndo(message, writes, done) {
  return toast(message, {
    action: 'Undo', onaction: () => attempt(async () => {
      await commit(writes).catch((error) => {
        if (error.code === 400 || error.code === 409) error.message = 'It cannot be taken back: the document has changed since.';
        throw error;
      });
      await done();
    }),
  });
}

/** Counts, asks, deletes in steps with progress, and can be stopped. True if everything is gone. */
export async function removeRecursively(name) {
  const path = relative(name).split('/');
  const isDocument = path.length % 2 === 0;
  const { length: count } = await namesBelow(name, { limit: 101 });
  const many = count > 100 ? 'more than 100 documents' : counted(count, 'document');
  if (!await confirm({
    title: `Delete ${path.join('/')}?`, action: 'Delete', name: path.at(-1), count,
    text: `This deletes the ${isDocument ? 'document' : 'collection'} and everything below it: ${many}. It cannot be undone.`,
  })) return false;
  const abort = new AbortController();
  const { signal } = abort;
  const progress = h('p.figures', { role: 'status' }, 'Deleting…');
  dialog({ title: 'Deleting', body: progress, close: 'Stop' }).then(() => abort.abort());
  let done = 0;
  const remove = async (names) => {
    await commit(names.map((n) => ({ delete: n })));
    done += names.length;
    progress.textContent = `${counted(done, 'document')} deleted`;
  };
  try {
    let names;
    do {
      names = await namesBelow(name, { signal });
      if (!names.length && !isDocument) names = await restOf(name, signal);
      await remove(names);
    } while (names.length && !signal.aborted);
    if (isDocument && !signal.aborted) await remove([name]);
    return !signal.aborted;
  } finally {
    toast(`${counted(done, 'document')} deleted${signal.aborted ? '; stopped' : ''}.`);
    progress.closest('dialog')?.close();
  }
}

/** What the range of names does not contain: documents with numeric ids, which are before all others, and what is below them. */
async function restOf(collection, signal) {
  const { documents } = await listDocuments(collection, { pageSize: 20, signal });
  const lists = await Promise.all(documents.map((d) => namesBelow(d.name, { signal })));
  return documents.flatMap((d, i) => [...lists[i], d.name]);
}
