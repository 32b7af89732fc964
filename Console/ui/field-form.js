// SPDX-License-Identifier: Apache-2.0
// The row that adds a field to a document or a map, or an element to an array. What is typed in it is part of the draft.
import { h, iconButton, input, problemLine, small } from '../lib/dom.js';
import { elementsOf, fieldPath, fieldsOf, initial, text, typeOf, types } from '../lib/values.js';
import { typedInput } from './inputs.js';
import { checkName } from './questions.js';
import { suggesting } from './suggestions.js';

/** The type that a value most probably has, from values beside it: the most frequent one. */
export function guessedType(values) {
  const counts = new Map();
  for (const value of values) counts.set(typeOf(value), (counts.get(typeOf(value)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

export class FieldForm {
  problem = problemLine();

  /** @param {{path: (string|number)[], parent: function, siblings: function, database: string, add: function, close: function}} options
   *  `parent` answers the map or the array as it is, `siblings` the fields in its place in other documents; `add` gets the step and
   *  the value. */
  constructor(options) {
    Object.assign(this, options);
    const parent = this.parent();
    this.isArray = typeOf(parent) === 'array';
    const type = this.isArray && guessedType(elementsOf(parent));
    this.value = typedInput(type ? initial(type) : text(''), this.database, {
      commit: () => this.take(), only: types.filter((t) => t !== 'array' || !this.isArray),
    });
    this.name = input({ placeholder: 'field', label: 'Name of the field', size: 8, oninput: () => this.guess() });
    const names = () => [...new Set(this.siblings().flatMap(Object.keys))].filter((name) => !Object.hasOwn(fieldsOf(this.parent()), name));
    this.element = h('.add-form', {
      role: 'group', label: this.isArray ? 'New element' : 'New field', onkeydown: (event) => this.pressed(event),
    }, this.path.length > 0 && h('.faint.mono.small', fieldPath(this.path)),
    h('.add-row', !this.isArray && suggesting(this.name, names), this.value.element,
      h('.row', small('Add', () => this.take()), iconButton('close', 'Do not add', this.close))), this.problem);
  }

  get isTouched() { return this.name.value !== '' || this.value.isTouched(); }

  focus(options) { (this.isArray ? this.value : this.name).focus(options); }

  /** Fields of this name in other documents have a type, which the new one gets as long as nothing else was chosen. */
  guess() {
    const { value: name } = this.name;
    const same = this.siblings().filter((fields) => Object.hasOwn(fields, name)).map((fields) => fields[name]);
    this.value.suggest(guessedType(same) ?? 'string');
  }

  /** Adds what is typed. False, with the reason, if it is not a field. */
  take() {
    const parent = this.parent();
    try {
      if (!this.isArray) checkName(this.name.value, fieldsOf(parent));
      this.add(this.isArray ? elementsOf(parent).length : this.name.value, this.value.read());
      return true;
    } catch (error) {
      this.problem.textContent = error.message;
      this.focus();
      return false;
    }
  }

  pressed(event) {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.name) this.value.focus();
    else return;
    event.stopPropagation();
    event.preventDefault();
  }
}
