// SPDX-License-Identifier: Apache-2.0
// Dialogs, menus, toasts and the combobox, on the platform's own elements.
import { announce, button, h, icon, iconButton, replace } from '../lib/dom.js';
import { server } from '../lib/store.js';

let ids = 0;
export const newElementID = (prefix) => `${prefix}-${++ids}`;

/** A modal dialog with a form. `actions` are [label, value, kind]; the promise has the value of the pressed one, or undefined. */
export function dialog({ title, body, actions = [['Close', undefined]], isWide = false, validate, labelled }) {
  return new Promise((resolve) => {
    const id = newElementID('dialog');
    const problem = h('p', { class: 'problem', role: 'alert' });
    let result;
    const press = (value) => {
      if (value !== undefined) {
        const message = validate?.(value);
        problem.textContent = message ?? '';
        if (message) return;
      }
      result = value;
      element.close();
    };
    const buttons = actions.map(([label, value, kind]) => button(label, () => press(value), {
      class: kind ? `button ${kind}` : 'button', type: kind ? 'submit' : 'button',
    }));
    const submit = actions.find(([, , kind]) => kind);
    const element = h('dialog', { class: isWide ? 'wide' : '', 'aria-labelledby': id },
      h('form', {
        method: 'dialog', onsubmit: (event) => {
          event.preventDefault();
          if (submit && !event.submitter) press(submit[1]);
        },
      },
      h('header', {}, h('h2', { id }, title), iconButton('close', 'Close', () => press(undefined))),
      h('div', { class: 'dialog-body', ...(labelled && { tabIndex: 0, role: 'region', 'aria-label': labelled }) }, body, problem),
      h('footer', {}, buttons)));
    const before = document.activeElement;
    element.addEventListener('close', () => {
      element.remove();
      if (before?.isConnected) before.focus({ preventScroll: true });
      resolve(result);
    });
    element.addEventListener('click', (event) => { if (event.target === element) press(undefined); });
    document.body.append(element);
    element.showModal();
    (element.querySelector('[autofocus]') ?? element.querySelector('.dialog-body :is(input, textarea, select)') ?? buttons.at(-1))?.focus();
  });
}

/** Asks; beyond 100 documents the name has to be typed. */
export async function confirm({ title, text, action, name, count = 0 }) {
  const input = count > 100 ? h('input', { class: 'mono', 'aria-label': `Type ${name} to confirm`, placeholder: name }) : null;
  return await dialog({
    title, body: [h('p', {}, text), input && h('label', { class: 'stack' },
      h('span', { class: 'muted' }, 'Type ', h('code', {}, name), ' to confirm'), input)],
    actions: [['Cancel', undefined], [action, true, 'danger']],
    validate: () => (input && input.value !== name ? `The text is not “${name}”.` : undefined),
  }) === true;
}

/** A menu at an element. Items: {label, action, danger, disabled, checked, hint} or null for a line. */
export function menu(anchor, items, { label = 'Menu' } = {}) {
  document.querySelector('.menu')?.hidePopover();
  const element = h('div', { class: 'menu', popover: 'auto', role: 'menu', 'aria-label': label });
  const isChoice = items.some((i) => i && 'checked' in i);
  for (const item of items) {
    if (item === undefined || item === false) continue;
    if (item === null) {
      element.append(h('hr', { role: 'separator' }));
      continue;
    }
    if (item.heading) {
      element.append(h('div', { class: 'menu-heading', role: 'presentation' }, item.heading));
      continue;
    }
    element.append(h('button', {
      type: 'button', class: item.danger ? 'danger-text' : '', disabled: item.disabled ?? false, tabIndex: -1,
      role: 'checked' in item ? 'menuitemradio' : 'menuitem', ...('checked' in item && { 'aria-checked': String(item.checked) }),
      onclick: () => {
        element.hidePopover();
        item.action();
      },
    }, isChoice && h('span', { class: 'menu-check' }, item.checked && icon('check')), h('span', { class: 'grow ellipsis' }, item.label),
    item.hint && h('kbd', {}, item.hint)));
  }
  const focusable = () => [...element.querySelectorAll('button:not(:disabled)')];
  element.addEventListener('keydown', (event) => {
    const list = focusable();
    const at = list.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      list.at(next % list.length)?.focus();
    } else if (event.key === 'Tab') element.hidePopover();
    else if (event.key.length === 1 && event.key !== ' ') {
      list.find((b) => b.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
    }
    event.stopPropagation();
  });
  element.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return;
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
    element.remove();
    anchor.setAttribute?.('aria-expanded', 'false');
    if (hadFocus) anchor.focus?.({ preventScroll: true });
  });
  (anchor.closest?.('dialog, header.top, nav, main, footer') ?? document.body).append(element);
  element.showPopover();
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const below = box.bottom + 4 + height <= innerHeight || box.top < height;
  element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  element.style.top = `${Math.max(8, below ? Math.min(box.bottom + 4, innerHeight - height - 8) : box.top - 4 - height)}px`;
  anchor.setAttribute?.('aria-expanded', 'true');
  (element.querySelector('[aria-checked=true]') ?? focusable()[0])?.focus();
  return element;
}

export function menuButton(label, items, properties = {}) {
  return h('button', {
    type: 'button', class: 'tool', 'aria-haspopup': 'menu', 'aria-expanded': 'false',
    onclick: (event) => menu(event.currentTarget, items(), { label: properties['aria-label'] ?? String(label) }), ...properties,
  }, label);
}

/** A message that goes away; with Undo it stays 10 s. */
export function toast(message, { action, onaction, isError = false } = {}) {
  const close = () => element.remove();
  const element = h('div', { class: isError ? 'toast error' : 'toast' }, h('span', {}, message),
    action && button(action, () => {
      close();
      onaction();
    }, { class: 'button small' }), iconButton('close', 'Dismiss', close));
  document.getElementById('toasts').append(element);
  announce(message, isError);
  let timer = setTimeout(close, action || isError ? 10000 : 4000);
  element.addEventListener('pointerenter', () => clearTimeout(timer));
  element.addEventListener('focusin', () => clearTimeout(timer));
  element.addEventListener('pointerleave', () => { timer = setTimeout(close, 4000); });
}

/** Says what went wrong; that the server is gone stands in a bar already. */
export const showError = (error) => {
  if (error?.name !== 'AbortError' && error?.code !== 0) toast([error.message, error.status].filter(Boolean).join(' · '),
    { isError: true });
};

export async function copy(text, what = 'Copied') {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what}.`);
  } catch {
    const area = h('textarea', { class: 'mono', rows: 8, readOnly: true, value: text, 'aria-label': 'Text to copy', autofocus: true,
      onfocus: () => area.select() });
    dialog({ title: 'Copy this text', body: area });
  }
}

export function download(name, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** An input with suggestions: `suggest(text)` has [{label, hint, action}], now or later. */
export function combobox({ label, placeholder, suggest, submit, className = '' }) {
  const id = newElementID('options');
  const list = h('ul', { id, class: 'options', role: 'listbox', 'aria-label': label, hidden: true });
  let options = [];
  let at = -1;
  let turn = 0;
  const choose = (option) => {
    hide();
    input.blur();
    option.action();
  };
  const hide = () => {
    turn += 1;
    list.hidden = true;
    at = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (index) => {
    at = index;
    [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === at)));
    const item = list.children[at];
    item?.scrollIntoView({ block: 'nearest' });
    if (item) input.setAttribute('aria-activedescendant', item.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = async () => {
    const mine = ++turn;
    const found = await suggest(input.value);
    if (mine !== turn || document.activeElement !== input) return;
    options = found;
    replace(list, options.map((o, i) => h('li', {
      id: `${id}-${i}`, role: 'option', 'aria-selected': 'false',
      onmousedown: (event) => {
        event.preventDefault();
        choose(o);
      },
    }, h('span', { class: 'grow ellipsis' }, o.label), o.hint && h('span', { class: 'faint' }, o.hint))));
    list.hidden = !options.length;
    input.setAttribute('aria-expanded', String(options.length > 0));
    mark(-1);
  };
  const input = h('input', {
    class: 'mono', type: 'text', role: 'combobox', 'aria-label': label, 'aria-controls': id, 'aria-expanded': 'false',
      'aria-autocomplete': 'list',
    placeholder, autocomplete: 'off', spellcheck: false, oninput: show, onfocus: () => {
      input.select();
      show();
    }, onblur: hide,
    onkeydown: (event) => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        if (options.length) mark((at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1) + options.length) % options.length);
      } else if (event.key === 'Enter') {
        event.preventDefault();
        if (options[at]) choose(options[at]);
        else {
          hide();
          input.blur();
          submit(input.value);
        }
      } else if (event.key === 'Escape') {
        hide();
        input.blur();
        document.getElementById('main').focus();
      }
    },
  });
  return { element: h('div', { class: `combobox ${className}` }, input, list), input };
}

/** Lets a person drag, or move with arrow keys, the edge between two parts. */
export function resizer(label, { get, set, min, max, isReversed }) {
  const clamp = (value) => Math.round(Math.min(Math.max(value, min), typeof max === 'function' ? max() : max));
  const apply = (value) => {
    set(clamp(value));
    element.setAttribute('aria-valuenow', String(clamp(value)));
  };
  const element = h('div', {
    class: 'resizer', role: 'separator', 'aria-orientation': 'vertical', 'aria-label': label, tabIndex: 0,
    'aria-valuemin': String(min), 'aria-valuemax': '2000', 'aria-valuenow': String(get()),
    onpointerdown: (event) => {
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      const [from, width] = [event.clientX, get()];
      element.onpointermove = (move) => apply(width + (move.clientX - from) * (isReversed ? -1 : 1));
      element.onpointerup = () => { element.onpointermove = null; };
    },
    onkeydown: (event) => {
      const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (!step) return;
      event.preventDefault();
      apply(get() + step * (isReversed ? -1 : 1));
    },
  });
  return element;
}

/** A server with a guide is also where to learn what to do here. */
export const guideLink = () => server.value?.guide && h('p', {},
  h('a', { href: server.value.guide }, 'Read the guide, which runs on this server'));
