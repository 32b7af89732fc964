// SPDX-License-Identifier: Apache-2.0
// Data: a collection as a table, and one of its documents beside it.
import { loadCollections } from '../lib/api.js';
import { failure, h, headed, icon, loading, muted, primary, replace } from '../lib/dom.js';
import { collections, databaseName, go, guard, isReadOnly, remember, remembered, route } from '../lib/store.js';
import { documentName, toJSON } from '../lib/values.js';
import { collectionTable } from '../ui/collection.js';
import { DocumentPanel } from '../ui/editor.js';
import { newCollection } from '../ui/questions.js';
import { beginning, confirmDiscard, drag } from '../ui/widgets.js';

export function open({ setPrimary }) {
  let table = null;
  let tableKey = '';
  let panel = null;
  let panelKey = '';
  let width = remembered('panel', Math.max(440, Math.min(0.38 * innerWidth, 640)));
  /** What the tables of one collection keep when their query changes. */
  let kept = {};
  const tablePlace = h('section.table-place', { label: 'Collection' });
  const panelPlace = h('aside.panel-place', { label: 'Document' });
  const edge = h('.resizer', {
    role: 'separator', ariaOrientation: 'vertical', label: 'Width of the document', ariaValueMin: 300, ariaValueMax: 2000, tabIndex: 0,
    onpointerdown: (event) => {
      const before = width;
      drag(event, (by) => resize(before - by));
    },
    onkeydown: (event) => resize(width + ({ ArrowLeft: 16, ArrowRight: -16 }[event.key] ?? 0)),
  });
  const element = h('.split', tablePlace, edge, panelPlace);
  place(width);

  function resize(wanted) {
    place(wanted);
    remember('panel', width);
  }

  function place(wanted) {
    width = Math.round(Math.max(300, Math.min(wanted, innerWidth - 420)));
    element.style.setProperty('--panel', `${width}px`);
    edge.ariaValueNow = width;
  }

  function update({ path, params }) {
    const isDocument = path.length > 0 && path.length % 2 === 0;
    const collection = isDocument ? path.slice(0, -1) : path;
    const key = collection.length ? toJSON([databaseName(), collection, params.q]) : '';
    if (key !== tableKey) {
      table?.destroy();
      if (toJSON(table?.path) !== toJSON(collection)) kept = {};
      tableKey = key;
      table = key ? collectionTable(collection, params, { kept, removed: async () => {
        await loadCollections();
        go({ path: collection.slice(0, -2) });
      } }) : null;
      replace(tablePlace, table?.element);
    }
    const opened = isDocument ? documentName(databaseName(), path) : '';
    const wanted = opened || (params.new && collection.join('/'));
    if (wanted !== panelKey) {
      closePanel();
      if (wanted) openPanel(isDocument ? path : [...collection, ''], !isDocument);
      panelKey = wanted;
    }
    table?.opened(opened);
    setPrimary(table && !isReadOnly() && primary([icon('plus'), h('span.wide-only', 'New document')], create,
      { title: 'New document (n)', label: 'New document' }));
    if (!table) start();
  }

  const create = () => go({ path: table.path, params: { ...route.value.params, new: '1' } });

  function openPanel(path, isNew) {
    const leave = (to, options) => go({ path: to, params: { ...route.value.params, new: undefined } }, options);
    const above = path.slice(0, -1);
    panel = new DocumentPanel({
      database: databaseName(), path, isNew,
      close: async () => { if (await leave(above)) table?.grid.element.focus({ preventScroll: true }); },
      saved: (document) => {
        table?.saved(document);
        if (!collections.value.ids.includes(path[0])) loadCollections();
      },
      siblings: () => (table?.grid.rows ?? []).filter((row) => row.name !== panel?.name).map((row) => row.fields),
      created: (id) => leave([...above, id], { replace: true, force: true }),
      deleted: (name) => {
        table?.deleted([name]);
        leave(above, { force: true });
      },
    });
    const placeOf = ({ page, path: at, params, ...r }) => toJSON([page, databaseName(r), at, params.new]);
    guard.mayLeave = (next) => !panel?.isDirty || placeOf(next) === placeOf(route.value)
      || confirmDiscard('document has changes that are not saved');
    replace(panelPlace, panel.element);
    element.classList.add('has-panel');
  }

  function closePanel() {
    panel?.destroy();
    panel = null;
    panelKey = '';
    guard.mayLeave = () => true;
    element.classList.remove('has-panel');
    replace(panelPlace);
  }

  /** Without a collection in the path: the first one, or what to do in an empty database. */
  function start() {
    const { ids, isLoaded, error } = collections.value;
    if (error) replace(tablePlace, failure(error, () => loadCollections()));
    else if (!isLoaded) loading(tablePlace);
    else if (ids.length) go({ path: [ids[0]] }, { replace: true });
    else {
      replace(tablePlace, headed('Nothing here yet. Point an app at it:', beginning(), !isReadOnly() && [
        muted('Or begin with a document:'), primary('New collection', newCollection)]));
    }
  }

  const stop = collections.onChange(() => { if (!table) start(); });
  return {
    element, update, isDirty: () => panel?.isDirty,
    destroy() {
      stop();
      table?.destroy();
      closePanel();
    },
    /** After a lost connection the listeners tell what has changed; only what was never loaded is loaded. */
    refresh(isReconnected) {
      if (!isReconnected || !table?.grid.rows.length) table?.reload();
      if (!isReconnected || !panel?.document) panel?.reload();
      if (!table) start();
    },
    keys: {
      n: () => !isReadOnly() && table && create(),
      e: () => panel?.tree.edit(),
      '[': () => table?.step(-1),
      ']': () => table?.step(1),
      'ctrl-s': () => panel?.save(),
      Delete: () => (table?.grid.selection.size ? table.removeSelected() : panel?.remove()),
      Escape: () => panel?.close(),
    },
  };
}
