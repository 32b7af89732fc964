// SPDX-License-Identifier: Apache-2.0
// The filter of a table, as a bar above its rows.
import { button, h, primary, problemLine, replace } from '../lib/dom.js';
import { requestOf } from '../lib/query.js';
import { filterInput, firstInput } from './inputs.js';

const blank = { fieldFilter: { field: { fieldPath: '' }, op: 'EQUAL' } };

export class FilterBar {
  problem = problemLine();
  element = h('form.filter-bar', {
    role: 'search', label: 'Filter', hidden: true, onsubmit: (event) => {
      event.preventDefault();
      this.apply();
    }, onkeydown: (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close();
    },
  });

  /** @param {{where?: object, fields: function, database: string, set: function, closed: function}} options
   *  `set` gets the filter, which may have unfinished lines. */
  constructor(options) { Object.assign(this, options); }

  get isOpen() { return !this.element.hidden; }

  open() {
    this.element.hidden = false;
    this.editor = filterInput(this.where ?? blank, { fields: this.fields, database: this.database, commit: () => this.apply() });
    replace(this.element, this.editor.element, h('.row', this.where && button('Clear', () => this.set(undefined)),
      button('Close', () => this.close(), { label: 'Close the filter' }), primary('Apply', undefined, { type: 'submit' })), this.problem);
    // It gets into the page first.
    queueMicrotask(() => firstInput(this.editor.element.querySelector('.field-input'))?.focus());
  }

  close() {
    this.element.hidden = true;
    this.closed();
  }

  apply() {
    try {
      const where = this.editor.read();
      requestOf({ where });
      this.problem.textContent = '';
      this.set(where);
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}
