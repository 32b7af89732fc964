// SPDX-License-Identifier: Apache-2.0
// A window of rows of a collection or a query: pages of 100 by cursor, at most 1,000 rows kept.
import { listDocuments, run } from './api.js';
import { pageQuery } from './query.js';

const pageSize = 100;
const mostPages = 10;

/** @typedef {{name: string, fields: object, createTime?: string, updateTime?: string, isMissing: boolean}} Row */

export const rowOf = (document) => ({ fields: {}, ...document, isMissing: !document.updateTime });

export class Rows {
  pages = [];
  /** Of a list, the token of each page, and which is the first that is kept. */
  tokens = [''];
  firstPage = 0;
  isAtStart = true;
  isAtEnd = false;
  isLoading = false;
  abort = new AbortController();

  /** A list by name shows documents that do not exist, too; with `isQuery` it is what the query finds.
   *  `changed(shift)` is called with the number of rows that were put in before those that were there. */
  constructor({ parent, query, isQuery, changed, failed }) {
    Object.assign(this, { parent, query, isQuery, changed, failed });
  }

  get rows() { return this.pages.flat(); }
  get isWhole() { return this.isAtStart && this.isAtEnd; }

  close() { this.abort.abort(); }

  /** One load at a time; `action` answers the shift. */
  async load(action) {
    if (this.isLoading) return;
    this.isLoading = true;
    const { signal } = this.abort;
    try {
      this.changed(await action());
    } catch (error) {
      if (error.name !== 'AbortError') this.failed(error);
    } finally {
      if (!signal.aborted) this.isLoading = false;
    }
  }

  /** Begins with another page: without options the first one, and a list if there is no query. */
  begin(options) {
    this.close();
    Object.assign(this, { abort: new AbortController(), isLoading: false });
    return this.load(async () => {
      this.isList = !this.isQuery && !options;
      const [page, isLast] = await this.page(0, options);
      Object.assign(this, { pages: [page], firstPage: 0, isAtEnd: options?.isBackward || isLast });
      this.isAtStart = options?.isBackward ? isLast : !options?.row;
      return 0;
    });
  }

  first() { return this.begin(); }
  last() { return this.begin({ isBackward: true }); }
  from(name) { return this.begin({ row: { name, fields: {} }, isInclusive: true }); }

  next() {
    if (this.isAtEnd || !this.pages.length) return undefined;
    return this.load(async () => {
      const [page, isLast] = await this.page(this.firstPage + this.pages.length, { row: this.pages.at(-1).at(-1) });
      this.pages.push(page);
      this.isAtEnd = isLast;
      if (this.pages.length <= mostPages) return 0;
      this.firstPage += 1;
      this.isAtStart = false;
      return -this.pages.shift().length;
    });
  }

  previous() {
    if (this.isAtStart || !this.pages.length) return undefined;
    return this.load(async () => {
      const [page, isLast] = await this.page(this.firstPage - 1, { row: this.pages[0][0], isBackward: true });
      this.firstPage -= 1;
      this.isAtStart = this.isList ? this.firstPage === 0 : isLast;
      if (page.length) this.pages.unshift(page);
      if (this.pages.length > mostPages) {
        this.pages.pop();
        this.isAtEnd = false;
      }
      return page.length;
    });
  }

  /** A page of the list by its number, or of the query by the row before; and whether it is the last in its direction. */
  async page(at, options = {}) {
    const { signal } = this.abort;
    if (this.isList) {
      const collection = `${this.parent}/${this.query.from[0].collectionId}`;
      const { documents, next } = await listDocuments(collection, { pageSize, pageToken: this.tokens[at], signal });
      this.tokens[at + 1] = next;
      return [documents.map(rowOf), !next];
    }
    const { documents } = await run(this.parent, { structuredQuery: pageQuery(this.query, { ...options, limit: pageSize }) }, { signal });
    const page = documents.map(rowOf);
    return [options.isBackward ? page.reverse() : page, page.length < pageSize];
  }

  /** Replaces a row; false if it is not in the window. */
  change(name, replacement) {
    for (const page of this.pages) {
      const at = page.findIndex((row) => row.name === name);
      if (at < 0) continue;
      page[at] = replacement(page[at]);
      return true;
    }
    return false;
  }

  update(document) {
    return this.change(document.name, (row) =>
      (row.updateTime === document.updateTime && !row.isGone ? row : { ...rowOf(document), isFresh: true }));
  }

  /** Strikes a row through; it stays until the next scroll. */
  strike(name) { this.change(name, (row) => ({ ...row, isGone: true })); }

  sweep() {
    const before = this.rows.length;
    this.pages = this.pages.map((page) => page.filter((row) => !row.isGone));
    return this.rows.length !== before;
  }
}
