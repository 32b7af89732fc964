// SPDX-License-Identifier: Apache-2.0
// Dialogs, menus and toasts, on the platform's own elements.
import { announce, button, h, icon, iconButton, input, labelled, problemLine } from '../lib/dom.js';
import { server } from '../lib/store.js';

let ids = 0;
export const newElementID = (prefix) => `${prefix}-${ids += 1}`;

/** A modal dialog. With an `action` the promise has what `read` answers, which may throw a sentence; undefined if it is closed. */
export const dialog = ({ title, body, action, kind = 'primary', close = action ? 'Cancel' : 'Close', isWide, read = () => true }) =>
  new Promise((resolve) => {
    const id = newElementID('dialog');
    const problem = problemLine();
    let result;
    const leave = () => element.close();
    const take = (event) => {
      event.preventDefault();
      try {
        result = action && read();
        leave();
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    const element = h('dialog', { class: isWide ? 'wide' : '', 'aria-labelledby': id, closedby: 'any' },
      h('form', { method: 'dialog', onsubmit: take },
        h('header', h('h2', { id }, title), iconButton('close', 'Close', leave)),
        h('.dialog-body', body, problem),
        h('footer', button(close, leave), action && button(action, undefined, { class: kind, type: 'submit' }))));
    element.addEventListener('close', () => {
      element.remove();
      resolve(result);
    });
    document.body.append(element);
    element.showModal();
    element.querySelector('.dialog-body :is(input, textarea, select), footer .button:last-child').focus();
  });

export function confirm({ title, text, action, name, count = 0 }) {
  const typed = input({ 'aria-label': `Type ${name} to confirm`, placeholder: name });
  return dialog({
    title, action, kind: 'danger', body: [h('p', text), count > 100 && labelled(`Type ${name} to confirm`, typed)],
    read: () => {
      if (count > 100 && typed.value !== name) throw new Error(`The text is not “${name}”.`);
      return true;
    },
  });
}

/** A menu at an element. Items are [label, action, {danger, disabled, checked, hint}], a text for a heading, or null for a line. */
export function menu(anchor, items, label) {
  const buttons = [];
  const shown = items.filter((item) => item !== false && item !== undefined).map((item) => {
    if (!item) return h('hr');
    if (typeof item === 'string') return h('.menu-heading', item);
    const [word, action, { danger, disabled = false, checked, hint } = {}] = item;
    const role = checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': String(checked) };
    buttons.push(h('button', { type: 'button', class: danger ? 'danger-text' : '', disabled, ...role, onclick: () => {
      element.hidePopover();
      action();
    } }, checked !== undefined && h('span.menu-check', checked && icon('check')), h('span.grow.ellipsis', word), hint && h('kbd', hint)));
    return buttons.at(-1);
  });
  const element = h('.menu', { popover: 'auto', role: 'menu', 'aria-label': label }, shown);
  const usable = buttons.filter((b) => !b.disabled);
  element.addEventListener('keydown', (event) => {
    const at = usable.indexOf(document.activeElement);
    const next = { ArrowDown: (at + 1) % usable.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    event.stopPropagation();
    if (event.key === 'Tab') element.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    usable.at(next).focus();
  });
  element.addEventListener('toggle', (event) => {
    if (event.newState === 'open') return;
    const hadFocus = [element, document.body].some((e) => e === document.activeElement || e === document.activeElement.closest('.menu'));
    element.remove();
    anchor.ariaExpanded = 'false';
    if (hadFocus) anchor.focus({ preventScroll: true });
  });
  // In the same landmark, and above the dialog.
  anchor.closest('dialog, header, main').append(element);
  element.showPopover();
  const { left, bottom, top } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = element;
  const isBelow = bottom + 4 + offsetHeight <= innerHeight || top < offsetHeight;
  element.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
  element.style.top = `${Math.max(8, isBelow ? Math.min(bottom + 4, innerHeight - offsetHeight - 8) : top - 4 - offsetHeight)}px`;
  anchor.ariaExpanded = 'true';
  (usable.find((b) => b.ariaChecked === 'true') ?? usable[0])?.focus();
}

export const menuButton = (content, items, label, properties) => h('button.tool', {
  type: 'button', 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-label': label, title: label,
  onclick: async ({ currentTarget }) => menu(currentTarget, await items(), label), ...properties,
}, content);

/** A message that goes away; with an action it stays 10 s. */
export function toast(message, { action, onaction, isError = false } = {}) {
  let timer;
  const close = () => element.remove();
  const stay = () => clearTimeout(timer);
  const go = (ms) => { timer = setTimeout(close, ms); };
  const element = h('.toast', { class: isError ? 'error' : '', onpointerenter: stay, onfocusin: stay, onpointerleave: () => go(4000) },
    h('span', message), action && button(action, () => {
      close();
      onaction();
    }, { class: 'small' }), iconButton('close', 'Dismiss', close));
  document.getElementById('toasts').append(element);
  announce(message, isError);
  go(action || isError ? 10000 : 4000);
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
    dialog({ title: 'Copy this text', body: h('textarea.mono', { rows: 8, readOnly: true, value: text, 'aria-label': 'Text to copy' }) });
  }
}

export function download(name, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
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

export const beginning = () => [
  h('pre.command', { tabIndex: 0 }, `export FIRESTORE_EMULATOR_HOST=${location.host}`),
  server.value?.guide && h('p', h('a', { href: server.value.guide }, 'Read the guide, which runs on this server')),
];
