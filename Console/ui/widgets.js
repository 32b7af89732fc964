// SPDX-License-Identifier: Apache-2.0
// Dialogs, menus and toasts, on the platform's own elements.
import { announce, button, h, icon, iconButton, input, labelled, muted, pre, problemLine, small } from '../lib/dom.js';
import { server } from '../lib/store.js';

/** A modal dialog. With an `action` the promise has what `read` answers, which may throw a sentence; undefined if it is closed. */
export const dialog = ({ title, body, action, kind = 'primary', close = action ? 'Cancel' : 'Close', isWide, read = () => true }) =>
  new Promise((resolve) => {
    const problem = problemLine();
    let result;
    const leave = () => element.close();
    const element = h('dialog', { class: isWide ? 'wide' : '', label: title, closedby: 'any', onclose: () => {
      element.remove();
      resolve(result);
    } }, h('form', { method: 'dialog', onsubmit: (event) => {
      event.preventDefault();
      try {
        result = action && read();
        leave();
      } catch (error) {
        problem.textContent = error.message;
      }
    } }, h('header', h('h2', title), iconButton('close', 'Close', leave)),
    // What scrolls and has no inputs can have the focus.
    h('.dialog-body', { tabIndex: action ? undefined : 0 }, body, problem),
    h('footer', button(close, leave), action && button(action, undefined, { class: kind, type: 'submit' }))));
    document.body.append(element);
    element.showModal();
    element.querySelector('.dialog-body :is(input, textarea, select), footer .button:last-child').focus();
  });

/** Asks for texts: `fields` are labels, each with its value or with an element to type it into. `read` is given what was typed. */
export function ask({ text, fields, read, ...options }) {
  const controls = Object.values(fields).map((field) => (field instanceof Element ? field : input({ value: field })));
  return dialog({
    ...options, read: () => read(...controls.map((control) => control.value)),
    body: [text && muted(text), Object.keys(fields).map((label, i) => labelled(label, controls[i]))],
  });
}

/** With the name to type, if more than 100 documents go. */
export function confirm({ text, name, count = 0, ...options }) {
  const isMuch = count > 100;
  return ask({
    kind: 'danger', ...options, text, fields: isMuch ? { [`Type ${name} to confirm`]: '' } : {}, read: (typed) => {
      if (isMuch && typed !== name) throw new Error(`The text is not “${name}”.`);
      return true;
    },
  });
}

export const confirmDiscard = (what) =>
  confirm({ title: 'Discard the changes?', text: `The ${what}.`, action: 'Discard' });

/** A menu at an element. Items are [label, action, {danger, disabled, checked, hint}], a text for a heading, or null for a line. */
export function menu(anchor, items, label) {
  const shown = items.filter((item) => item !== false && item !== undefined).map((item) => {
    if (!item) return h('hr');
    if (typeof item === 'string') return h('.menu-heading', item);
    const [word, action, { danger, disabled = false, checked, hint } = {}] = item;
    const role = checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', ariaChecked: checked };
    return h('button', { class: danger ? 'danger-text' : '', disabled, ...role, onclick: () => {
      element.hidePopover();
      action();
    } }, checked !== undefined && h('span.menu-check', checked && icon('check')), h('span.grow.ellipsis', word), hint && h('kbd', hint));
  });
  const usable = shown.filter((e) => e.matches('button:enabled'));
  const element = h('.menu', {
    popover: 'auto', role: 'menu', label, onkeydown: (event) => {
      const at = usable.indexOf(document.activeElement);
      const next = { ArrowDown: (at + 1) % usable.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
      event.stopPropagation();
      if (event.key === 'Tab') element.hidePopover();
      if (next === undefined) return;
      event.preventDefault();
      usable.at(next).focus();
    },
    ontoggle: (event) => {
      if (event.newState === 'open') return;
      element.remove();
      anchor.ariaExpanded = false;
    },
  }, shown);
  // In the same landmark, and above the dialog. Where it stands is a matter of style sheets, which know the source.
  anchor.closest('dialog, header, main').append(element);
  element.showPopover({ source: anchor });
  anchor.ariaExpanded = true;
  (usable.find((b) => b.ariaChecked === 'true') ?? usable[0])?.focus();
}

export const menuButton = (content, items, label, properties) => h('button.tool', {
  ariaHasPopup: 'menu', ariaExpanded: false, label, title: label,
  onclick: async ({ currentTarget }) => menu(currentTarget, await items(), label), ...properties,
}, content);

/** A message that goes away; with an action it stays 10 s. An error takes the place of what was said to be done. Answers what ends it. */
export function toast(message, { action, onaction, isError = false } = {}) {
  let timer;
  const close = () => element.remove();
  const stay = () => clearTimeout(timer);
  const leaveIn = (ms) => { timer = setTimeout(close, ms); };
  const events = { onpointerenter: stay, onfocusin: stay, onpointerleave: () => leaveIn(4000) };
  const element = h('.toast', { class: isError ? 'error' : action ? '' : 'done', ...events },
    message, action && small(action, () => {
      close();
      onaction();
    }), iconButton('close', 'Dismiss', close));
  const place = document.getElementById('toasts');
  if (isError) place.querySelectorAll('.toast.done').forEach((other) => other.remove());
  place.append(element);
  announce(message, isError);
  leaveIn(action || isError ? 10000 : 4000);
  return close;
}

/** Says what went wrong; that the server is gone stands in a bar already. */
export function showError(error) {
  if (error.name !== 'AbortError' && error.code !== 0) toast([error.message, error.status].filter(Boolean).join(' · '), { isError: true });
}

export async function attempt(action) {
  try {
    await action();
  } catch (error) {
    showError(error);
  }
}

export async function copy(text, what = 'Copied') {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what}.`);
  } catch {
    dialog({ title: 'Copy this text', body: h('textarea.mono', { rows: 8, readOnly: true, value: text, label: 'Text to copy' }) });
  }
}

export function download(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Follows the pointer until it is released, with how far it went. */
export function drag(event, moved, done) {
  const element = event.currentTarget;
  element.setPointerCapture(event.pointerId);
  element.onpointermove = (move) => moved(move.clientX - event.clientX);
  element.onpointerup = () => {
    element.onpointermove = element.onpointerup = null;
    done?.();
  };
}

/** A page: its heading, what stands beside it, and the content. */
export const page = (title, bar, ...content) => h('.page', h('.bar', h('h1', title), bar), content);

/** The head of what stands beside a table: a document or a request. */
export const panelHead = (title, tools, close) =>
  h('header.panel-head', h('h2.mono.ellipsis', { title }, title), tools, iconButton('close', 'Close', close));

/** Where in a text a line and column are, for what is said to be wrong there. */
export function showPlace(area, { line, column }, length = 0) {
  const start = area.value.split('\n').slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, column - 1);
  area.focus();
  area.setSelectionRange(start, start + length);
}

/** How apps connect to this server: each way with its line, to copy. */
export function beginning() {
  const { hostname, host, port, protocol } = location;
  const number = port || (protocol === 'https:' ? 443 : 80);
  const ways = {
    'Any server SDK, in its environment': `export FIRESTORE_EMULATOR_HOST=${host}`,
    'Web SDK': `connectFirestoreEmulator(db, '${hostname}', ${number});`,
    Swift: `Firestore.firestore().useEmulator(withHost: "${hostname}", port: ${number})`,
  };
  return [h('.ways', Object.entries(ways).map(([word, line]) => h('.way', h('h2.heading', word),
    h('.row', pre(line), iconButton('copy', `Copy the line for ${word}`, () => copy(line, 'Line copied')))))),
  server.value?.guide && h('p', h('a', { href: server.value.guide }, 'Read the guide, which runs on this server'))];
}
