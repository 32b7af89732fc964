// SPDX-License-Identifier: Apache-2.0
// Inputs for one typed value, used by the document and by queries: {element, read()}, where read throws with a sentence.
import { collectionIDs, namesFrom } from '../lib/api.js';
import { button, debounced, h, iconButton, input, replace, select } from '../lib/dom.js';
import { bytes, bytesOf, editText, hex, initial, lastID, parseValue, rootOf, text, typeOf, types } from '../lib/values.js';
import { download, newElementID } from './widgets.js';

export function valueInput(value, database, { commit, cancel, label = 'Value' } = {}) {
  const type = typeOf(value);
  const edited = editText(value, database);
  const onkeydown = (event) => {
    if (event.key === 'Escape' && cancel) {
      event.stopPropagation();
      cancel();
    } else if (event.key === 'Enter' && !event.ctrlKey && !(event.shiftKey && event.target.matches('textarea'))) {
      event.preventDefault();
      commit?.();
    }
  };
  const common = { class: `v-${type}`, 'aria-label': label, onkeydown };
  if (type === 'null') return { element: h('span.v-null', 'null'), read: () => value };
  if (type === 'boolean') {
    const choice = select(label, ['true', 'false'], edited);
    choice.addEventListener('keydown', onkeydown);
    return { element: choice, read: () => parseValue(type, choice.value) };
  }
  if (type === 'geopoint') {
    const [latitude, longitude] = edited.split(', ').map((part, i) =>
      input({ ...common, 'aria-label': i ? 'Longitude' : 'Latitude', value: part, inputMode: 'decimal', size: 10 }));
    return { element: h('span.row', latitude, longitude), read: () => parseValue(type, `${latitude.value}, ${longitude.value}`) };
  }
  const rows = Math.min(10, edited.split('\n').length + Math.floor(edited.length / 60));
  const field = ['string', 'vector', 'bytes'].includes(type)
    ? h('textarea.mono', { spellcheck: false, ...common, rows, value: edited }) : input({ ...common, value: edited });
  const untouched = field.value;
  // What was not touched goes back as it was: an input changes the ends of lines.
  const read = () => (field.value === untouched ? value : parseValue(type, field.value, database));
  const beside = { timestamp: dateTools, bytes: fileTools, reference: completion }[type]?.(field, value, database) ?? [];
  return { element: beside.length ? h('span.row.wrap.grow', field, beside) : field, field, read };
}

/** A picker of minutes, in UTC: seconds and digits behind the point stay. */
function dateTools(field) {
  const [minutes] = field.value.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d/) ?? [''];
  return [h('input.picker', {
    type: 'datetime-local', 'aria-label': 'Date and time in UTC', value: minutes,
    onchange: (event) => { field.value = event.target.value.slice(0, 16) + (field.value.slice(16) || ':00Z'); },
  }), button('Now', () => { field.value = new Date().toISOString(); }, { class: 'small' })];
}

function fileTools(field, value) {
  return [h('input', {
    type: 'file', 'aria-label': 'File with the bytes',
    onchange: async (event) => { field.value = hex(new Uint8Array(await event.target.files[0].arrayBuffer())); },
  }), iconButton('transfer', 'Download', () => download('bytes.bin', [bytesOf(value)]))];
}

/** Completes a path: collections, then the ids that begin as typed. */
function completion(field, _, database) {
  const list = h('datalist', { id: newElementID('paths') });
  field.setAttribute('list', list.id);
  field.addEventListener('input', debounced(150, async () => {
    const above = field.value.split('/');
    const typed = above.pop();
    const isID = above.length % 2 === 1;
    const parent = [rootOf(database), ...(isID ? above.slice(0, -1) : above)].join('/');
    try {
      const ids = isID ? (await namesFrom(parent, above.at(-1), typed)).map(lastID)
        : (await collectionIDs(parent)).ids.map((id) => `${id}/`);
      replace(list, ids.filter((id) => id.startsWith(typed)).map((id) => h('option', { value: [...above, id].join('/') })));
    } catch { /* A path that is not finished has no completions. */ }
  }));
  return [list];
}

export function typedInput(value, database, { label = 'value', commit, only = types } = {}) {
  const place = h('span.row.grow');
  let current = value ?? text('');
  let shown;
  const show = () => {
    shown = valueInput(current, database, { label, commit });
    replace(place, shown.element);
  };
  const type = select(`Type of ${label}`, only, typeOf(current), (chosen) => {
    try {
      current = parseValue(chosen, shown.field?.value ?? editText(current, database), database);
    } catch {
      current = initial(chosen);
    }
    show();
  });
  show();
  return {
    element: h('span.row.grow', type, place), read: () => shown.read(),
    focus: () => place.querySelector('input, textarea, select')?.focus(),
  };
}
