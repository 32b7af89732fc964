// SPDX-License-Identifier: Apache-2.0
// A window of rows of a collection or a query: pages of 100 by cursor, at most 1,000 rows kept.
import { listDocuments, runQuery } from './api.js';
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

  /** A list by name shows documents that do not exist, too; with `query` it is what the query finds.
   *  `changed(shift)` is called with the number of rows that were put in before those that were there. */
  constructor({ parent, collection, query, changed, failed }) {
    Object.assign(this, { parent, collection, query, changed, failed });
    this.plain = query ?? { from: [{ collectionId: collection }] };
  }

  get rows() { return this.pages.flat(); }

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
      this.isList = !this.query && !options;
      const page = this.isList ? await this.listed(0) : await this.found(options);
      const isPartial = this.isList ? !this.tokens[1] : page.length < pageSize;
      Object.assign(this, { pages: [page], firstPage: 0, isAtEnd: options?.isBackward || isPartial });
      this.isAtStart = options?.isBackward ? isPartial : !options?.row;
      return 0;
    });
  }

  first() { return this.begin(); }
  last() { return this.begin({ isBackward: true }); }
  from(name) { return this.begin({ row: { name, fields: {} }, isInclusive: true }); }

  next() {
    if (this.isAtEnd || !this.pages.length) return undefined;
    return this.load(async () => {
      const at = this.firstPage + this.pages.length;
      const page = this.isList ? await this.listed(at) : await this.found({ row: this.pages.at(-1).at(-1) });
      this.pages.push(page);
      this.isAtEnd = this.isList ? !this.tokens[at + 1] : page.length < pageSize;
      if (this.pages.length <= mostPages) return 0;
      this.firstPage += 1;
      this.isAtStart = false;
      return -this.pages.shift().length;
    });
  }

  previous() {
    if (this.isAtStart || !this.pages.length) return undefined;
    return this.load(async () => {
      const page = this.isList ? await this.listed(this.firstPage - 1) : await this.found({ row: this.pages[0][0], isBackward: true });
      if (this.isList) this.firstPage -= 1;
      this.isAtStart = this.isList ? this.firstPage === 0 : page.length < pageSize;
      if (page.length) this.pages.unshift(page);
      if (this.pages.length > mostPages) {
        this.pages.pop();
        this.isAtEnd = false;
      }
      return page.length;
    });
  }

  async listed(at) {
    const options = { pageSize, pageToken: this.tokens[at], signal: this.abort.signal };
    const { documents, next } = await listDocuments(this.parent, this.collection, options);
    this.tokens[at + 1] = next;
    return documents.map(rowOf);
  }

  async found(options = {}) {
    const query = pageQuery(this.plain, { ...options, limit: pageSize });
    const { documents } = await runQuery(this.parent, query, { signal: this.abort.signal });
    return options.isBackward ? documents.map(rowOf).reverse() : documents.map(rowOf);
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
