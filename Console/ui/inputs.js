// SPDX-License-Identifier: Apache-2.0
// Inputs for one typed value, used by the document and by queries.
import { collectionIDs, runQuery } from '../lib/api.js';
import { button, debounced, h, iconButton, replace } from '../lib/dom.js';
import { bytes, bytesOf, editText, hex, initial, parseValue, rootOf, typeOf, types } from '../lib/values.js';
import { download, newElementID } from './widgets.js';

/** An input for a value of one type, except arrays and maps: {element, read()}, where read throws with a sentence. */
export function valueInput(value, database, { commit, cancel, label = 'Value' } = {}) {
  const type = typeOf(value);
  const keys = (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel?.();
    } else if (event.key === 'Enter' && !(event.shiftKey && event.target.matches('textarea')) && !event.ctrlKey) {
      event.preventDefault();
      commit?.();
    }
  };
  const common = { class: `mono v-${type}`, 'aria-label': label, spellcheck: false, autocomplete: 'off', onkeydown: keys };
  if (type === 'boolean') {
    const select = h('select', common, ['true', 'false'].map((t) =>
      h('option', { value: t, selected: String(value.booleanValue) === t }, t)));
    return { element: select, read: () => parseValue('boolean', select.value) };
  }
  if (type === 'null') return { element: h('span', { class: 'v-null' }, 'null'), read: () => value };
  if (type === 'geopoint') {
    const [latitude, longitude] = editText(value).split(', ').map((text, i) =>
      h('input', { ...common, 'aria-label': i ? 'Longitude' : 'Latitude', value: text, inputMode: 'decimal', size: 10 }));
    return { element: h('span', { class: 'row' }, latitude, longitude), read: () =>
      parseValue('geopoint', `${latitude.value}, ${longitude.value}`) };
  }
  const text = editText(value, database);
  const isLong = type === 'string' || type === 'vector' || type === 'bytes';
  const input = h(isLong ? 'textarea' : 'input', { ...common, value: text,
    ...(isLong && { rows: Math.min(10, 1 + text.split('\n').length - 1 + Math.floor(text.length / 60)) }) });
  const read = () => {
    // What was not touched goes back as it was: a text with line ends that an input would change, too.
    if (input.value === input.defaultValue || input.value === text) return value;
    return parseValue(type, input.value, database);
  };
  if (type === 'timestamp') {
    // The picker has minutes; seconds and digits behind the point stay.
    const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(.*)$/.exec(text);
    const picker = h('input', {
      type: 'datetime-local', 'aria-label': 'Date and time in UTC', class: 'picker', value: found?.[1] ?? '',
      onchange: () => { if (picker.value) input.value = picker.value.slice(0,
        16) + (/^\d{4}-\d\d-\d\dT\d\d:\d\d(.*)$/.exec(input.value)?.[1] ?? ':00Z'); },
      onkeydown: keys,
    });
    const now = button('Now', () => { input.value = new Date().toISOString(); }, { class: 'button small' });
    return { element: h('span', { class: 'row wrap grow' }, input, picker, now), input, read };
  }
  if (type === 'reference') return { element: completed(input, database), input, read };
  if (type === 'bytes') {
    let chosen;
    const file = h('input', {
      type: 'file', 'aria-label': 'File with the bytes', onchange: async () => {
        chosen = bytes(new Uint8Array(await file.files[0].arrayBuffer()));
        input.value = hex(bytesOf(chosen).subarray(0, 4096), ' ');
      },
    });
    return {
      element: h('span', { class: 'row wrap grow' }, input, file, iconButton('transfer', 'Download', () =>
        download('bytes.bin', [bytesOf(value)]))),
      input, read: () => chosen ?? read(),
    };
  }
  return { element: input, input, read };
}

/** Completes a path: collections, then the ids that begin as typed. */
function completed(input, database) {
  const list = h('datalist', { id: newElementID('paths') });
  input.setAttribute('list', list.id);
  input.addEventListener('input', debounced(150, async () => {
    const segments = input.value.split('/');
    const typed = segments.pop();
    const parent = [rootOf(database), ...segments.slice(0, segments.length - (segments.length % 2))].join('/');
    try {
      const ids = segments.length % 2 ? await idsFrom(parent, segments.at(-1), typed) : (await collectionIDs(parent)).ids.map((id) => `${id}/`);
      replace(list, ids.filter((id) => id.startsWith(typed)).map((id) => h('option', { value: [...segments, id].join('/') })));
    } catch { /* A path that is not finished has no completions. */ }
  }));
  return h('span', { class: 'grow' }, input, list);
}

async function idsFrom(parent, collection, typed) {
  const name = { field: { fieldPath: '__name__' } };
  const { documents } = await runQuery(parent, {
    from: [{ collectionId: collection }], select: { fields: [{ fieldPath: '__name__' }] }, orderBy: [name], limit: 10,
    ...(typed && { startAt: { values: [{ referenceValue: `${parent}/${collection}/${typed}` }], before: true } }),
  });
  return documents.map((d) => d.name.slice(d.name.lastIndexOf('/') + 1));
}

export function typeSelect(type, onchange, { label = 'Type', only = types } = {}) {
  const select = h('select', { class: 'type', 'aria-label': label, onchange: () => onchange(select.value) },
    only.map((t) => h('option', { value: t, selected: t === type }, t)));
  return select;
}

/** A type menu and an input beside it. Values in arrays of filters are elements, one per line. */
export function typedInput(value, database, { label, commit, only } = {}) {
  const place = h('span', { class: 'row grow' });
  let current = value ?? { stringValue: '' };
  let input;
  const show = () => {
    input = valueInput(current, database, { label, commit });
    place.replaceChildren(input.element);
  };
  const select = typeSelect(typeOf(current), (type) => {
    const typed = input.input?.value ?? editText(current, database);
    try {
      current = parseValue(type, typed, database);
    } catch {
      current = initial(type, database);
    }
    show();
  }, { only, label: `Type of ${label ?? 'the value'}` });
  show();
  return { element: h('span', { class: 'row grow' }, select, place), read: () => input.read(), focus: () =>
    place.querySelector('input, textarea, select')?.focus() };
}
