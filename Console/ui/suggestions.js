// SPDX-License-Identifier: Apache-2.0
// An input with values to choose from: a combobox with a list of its own.
import { h, replace } from '../lib/dom.js';

const most = 50;
let lists = 0;

const typeInto = (field) => (value) => {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

class Suggestions {
  at = -1;
  options = [];

  constructor(field, values, choose) {
    lists += 1;
    Object.assign(this, { field, values, choose });
    this.id = `list-${lists}`;
    this.element = h('.suggestions', {
      id: this.id, popover: 'manual', role: 'listbox', label: 'Suggestions', onpointerdown: (event) => event.preventDefault(),
    });
    field.role = 'combobox';
    field.ariaAutoComplete = 'list';
    field.ariaExpanded = false;
    field.setAttribute('aria-controls', this.id);
    field.addEventListener('input', () => { if (document.activeElement === field) this.open(); });
    field.addEventListener('click', () => this.open());
    field.addEventListener('blur', () => this.close());
    // Before what else the field does with these keys.
    field.addEventListener('keydown', (event) => this.pressed(event), true);
  }

  get isOpen() { return this.field.ariaExpanded === 'true'; }

  /** The values that contain what is typed; those that begin with it are the first. */
  async open() {
    const typed = this.field.value;
    const values = await this.values(typed);
    if (document.activeElement !== this.field || this.field.value !== typed) return;
    const rank = (value) => value.toLowerCase().indexOf(typed.toLowerCase());
    const found = [...new Set(values)].filter((value) => value !== typed && rank(value) >= 0)
      .sort((a, b) => Math.min(1, rank(a)) - Math.min(1, rank(b))).slice(0, most);
    this.at = -1;
    this.field.removeAttribute('aria-activedescendant');
    this.options = found.map((value, i) => h('.option.ellipsis', {
      role: 'option', id: `${this.id}-${i}`, title: value, ariaSelected: false, onclick: (event) => {
        // A label around the input would open the list again.
        event.preventDefault();
        this.take(value);
      },
    }, value));
    replace(this.element, this.options);
    if (!found.length || !this.field.isConnected) this.close();
    else if (!this.isOpen) {
      this.element.style.setProperty('--width', `${this.field.offsetWidth}px`);
      this.element.showPopover({ source: this.field });
      this.field.ariaExpanded = true;
    }
  }

  close() {
    if (!this.isOpen) return;
    this.field.ariaExpanded = false;
    this.field.removeAttribute('aria-activedescendant');
    if (this.element.isConnected) this.element.hidePopover();
  }

  take(value) {
    this.choose(value);
    this.close();
  }

  mark(at) {
    this.at = (at + this.options.length) % this.options.length;
    this.options.forEach((option, i) => { option.ariaSelected = i === this.at; });
    this.options[this.at].scrollIntoView({ block: 'nearest' });
    this.field.setAttribute('aria-activedescendant', this.options[this.at].id);
  }

  pressed(event) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && !event.altKey) {
      if (this.isOpen) this.mark(this.at < 0 && move < 0 ? -1 : this.at + move);
      else this.open();
    } else if (this.isOpen && event.key === 'Enter' && this.at >= 0) this.take(this.options[this.at].title);
    else if (this.isOpen && event.key === 'Escape') this.close();
    else {
      if (event.key === 'Enter') this.close();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** The input and its list. `values(typed)` are asked for whenever something is typed; `choose` takes one, otherwise it is typed. */
export function suggesting(field, values, choose = typeInto(field)) {
  return [field, new Suggestions(field, values, choose).element];
}
