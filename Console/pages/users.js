// SPDX-License-Identifier: Apache-2.0
// Users: the accounts that the server keeps (--auth).
import { consoleCall } from '../lib/api.js';
import {
  button, counted, debounced, empty, facts, failure, h, input, loading, muted, number, pre, primary, region, replace, small, table,
} from '../lib/dom.js';
import { isReadOnly, route, server, setParams } from '../lib/store.js';
import { localTime } from '../lib/values.js';
import { Grid } from '../ui/grid.js';
import { sidePanel } from '../ui/parts.js';
import { ask, attempt, confirm, copy, dialog, page, panelHead, toast } from '../ui/widgets.js';

const pageSize = 50;
const columns = [
  ['name', 'User', 240], ['providers', 'Signs in with', 150, 'plain'], ['state', 'State', 90, 'plain'],
  ['created', 'Created', 160, 'faint'], ['lastLogin', 'Signed in', 160, 'faint'], ['id', 'User id', 260, 'faint'],
].map(([key, title, width, align]) => ({ key, title, width, align }));

const purposes = {
  PASSWORD_RESET: 'Reset of a password', VERIFY_EMAIL: 'Verification', EMAIL_SIGNIN: 'Sign-in',
  VERIFY_AND_CHANGE_EMAIL: 'Change of address',
};

const time = (milliseconds) => (milliseconds ? localTime(new Date(Number(milliseconds)).toISOString()).replace(/\.\d+/, '') : undefined);
const nameOf = (user) => user.email ?? user.phoneNumber ?? user.displayName ?? user.localId;

function providersOf(user) {
  const ids = new Set((user.providerUserInfo ?? []).map((info) => info.providerId));
  if (user.customAuth) ids.add('custom token');
  return ids.size ? [...ids].join(', ') : 'anonymous';
}

const texts = {
  name: nameOf, providers: providersOf, state: (user) => (user.disabled ? 'disabled' : 'enabled'), created: (user) => time(user.createdAt),
  lastLogin: (user) => time(user.lastLoginAt) ?? 'never', id: (user) => user.localId,
};

function cell(user, { key, align }) {
  const text = texts[key](user) ?? '–';
  const mark = key === 'state' && user.disabled ? 'warn-text' : '';
  return h('.grid-cell', { class: align, title: text }, h('span.ellipsis', { class: mark }, text));
}

/** In development mode each project has accounts; a server in production has those of one. */
const project = () => (server.value?.users?.anyProject ? route.value.project : server.value?.users?.project);

const call = (method, parameters, body) => consoleCall(method, `users?${new URLSearchParams(parameters)}`, body);
const change = (action, of, fields) => call('POST', { project: of }, { action, ...fields });
const update = ({ localId, project: of }, fields) => change('update', of, { localId, ...fields });

/** Users, each with its project: what is done to one is done there, whatever the page shows by then. */
async function usersOf(parameters) {
  const answer = await call('GET', parameters);
  return { ...answer, users: answer.users.map((user) => ({ ...user, project: parameters.project })) };
}

/** What the person typed; what is empty is left out. */
const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

const claimsText = ({ customAttributes = '{}' }) => JSON.stringify(JSON.parse(customAttributes), null, 2);

function readClaims(text) {
  const claims = JSON.parse(text || '{}');
  if (claims === null || typeof claims !== 'object' || Array.isArray(claims)) throw new Error('Claims are a JSON object.');
  return JSON.stringify(claims);
}

export function open({ setPrimary }) {
  let users = [];
  let next;
  let total = 0;
  let current = null;
  let turn = 0;
  let isLoading = false;
  /** Whose users are shown. */
  let owner;
  const place = h('.grid-place');
  const detail = h('aside.panel-place', { label: 'User' });
  const note = h('span.faint.figures', { role: 'status' });
  const search = input({
    type: 'search', value: route.value.params.search ?? '', label: 'Search', placeholder: 'E-mail, id or phone begins with',
    oninput: debounced(200, () => setParams({ search: search.value })),
  });
  const grid = new Grid({
    label: 'Users', columns, key: (user) => user.localId, isOpen: isShown, open: show, cell, scrolled,
  });
  const codes = button('Codes', () => attempt(showCodes), { class: 'small', hidden: true });
  const element = h('.split', page('Users', [search, h('span.grow'), note, codes], place), detail);
  const side = sidePanel(element, detail, grid);

  const question = () => given({ project: owner, search: search.value, limit: pageSize });

  function isShown(user) { return user.localId === current?.localId && user.project === current.project; }

  async function load() {
    turn += 1;
    const mine = turn;
    try {
      const answer = await usersOf(question());
      if (mine !== turn) return;
      ({ users, next, count: total } = answer);
      draw();
      scrolled();
      if (!current) return;
      // It may stand further down than the first rows, and others may begin with its id.
      const { localId, project: of } = current;
      const user = users.find(isShown) ?? (await usersOf({ project: of, search: localId, limit: pageSize })).users.find(isShown);
      if (mine === turn && user && isShown(user)) show(user);
    } catch (error) {
      if (mine === turn) replace(place, failure(error, load));
    }
  }

  function scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = grid.element;
    if (next && !isLoading && scrollTop + 2 * clientHeight > scrollHeight) attempt(more);
  }

  async function more() {
    isLoading = true;
    const mine = turn;
    try {
      const answer = await usersOf({ ...question(), after: next });
      if (mine === turn) {
        users = [...users, ...answer.users];
        ({ next } = answer);
        draw();
      }
    } finally {
      isLoading = false;
    }
    scrolled();
  }

  function draw() {
    const all = total ? counted(total, 'user') : '';
    note.textContent = search.value && all ? `${number(users.length)} found, ${all} in all` : all;
    if (!users.length) {
      replace(place, search.value
        ? empty('No user is found.', muted('The beginning of an e-mail address, an id or a phone number is looked up.'))
        : empty('No users yet.', muted('Users appear here when they sign up. Point an app at the accounts, or create one:'),
          !isReadOnly() && button('Create a user', create)));
    } else if (!grid.element.isConnected) replace(place, grid.element);
    grid.setRows(users);
  }

  /** Does something to the user that is shown, says so, and shows what has become of it. */
  const done = (action, message) => attempt(async () => {
    if (await action() === undefined) return;
    toast(message);
    await load();
  });

  async function create() {
    const of = owner;
    const [email, password, name, phone, id] = ['email', 'text', 'text', 'tel', 'text'].map((type) => input({ type }));
    const made = await ask({
      title: 'Create a user', action: 'Create', text: 'A user without an e-mail address signs in with custom tokens.',
      fields: { 'E-mail address': email, Password: password, Name: name, 'Phone number': phone, 'User id (made if empty)': id },
      read: (...typed) => {
        const [emailText, passwordText, displayName, phoneNumber, localId] = typed;
        if (passwordText && passwordText.length < 6) throw new Error('A password has at least 6 characters.');
        return given({ email: emailText, password: passwordText, displayName, phoneNumber, localId });
      },
    });
    if (!made) return;
    attempt(async () => {
      const { localId } = await change('create', of, made);
      toast('Created.');
      if (of !== owner) return;
      current = { localId, project: of };
      setParams({ search: '' });
      await load();
    });
  }

  const edit = (user) => done(async () => {
    const verified = h('input', { type: 'checkbox', checked: Boolean(user.emailVerified) });
    const fields = await ask({
      title: 'Edit the user', action: 'Save', text: 'Another e-mail address ends all sessions of the user.', fields: {
        'E-mail address': user.email ?? '', 'The address is verified': verified, Name: user.displayName ?? '',
        'Phone number': user.phoneNumber ?? '',
      },
      read: (email, _, displayName, phoneNumber) => ({
        ...given({ email: email === user.email ? '' : email, displayName, phoneNumber }), emailVerified: verified.checked,
        deleteAttribute: displayName ? [] : ['DISPLAY_NAME'], deleteProvider: phoneNumber ? [] : ['phone'],
      }),
    });
    return fields && update(user, fields);
  }, 'Saved.');

  const editClaims = (user) => done(async () => {
    const text = h('textarea.mono', { rows: 8, spellcheck: false, value: claimsText(user) });
    const claims = await ask({
      title: 'Claims', action: 'Save',
      text: 'Rules read them as request.auth.token. They are in the next token of the user, within an hour.',
      fields: { 'Claims, as JSON': text }, read: readClaims,
    });
    return claims && update(user, { customAttributes: claims });
  }, 'Saved.');

  const setDisabled = (user, isDisabled) => done(async () => {
    if (isDisabled && !await confirm({
      title: `Disable ${nameOf(user)}?`, action: 'Disable',
      text: 'The user can no longer sign in, and all sessions and streams end at once.',
    })) return undefined;
    return update(user, { disableUser: isDisabled });
  }, isDisabled ? 'Disabled.' : 'Enabled.');

  const setPassword = (user) => done(async () => {
    const password = await ask({
      title: 'Set a password', action: 'Set', text: 'All sessions of the user end.', fields: { 'New password': input({ type: 'text' }) },
      read: (typed) => {
        if (typed.length < 6) throw new Error('A password has at least 6 characters.');
        return typed;
      },
    });
    return password && update(user, { password });
  }, 'The password is set.');

  const reset = (user) => attempt(async () => {
    const { oobLink } = await change('reset', user.project, { email: user.email });
    dialog({
      title: 'Reset link', isWide: true, body: [
        muted('This link sets a new password, once within an hour. Its holder can take the account over.'), pre(oobLink),
        h('.row', button('Copy', () => copy(oobLink)))],
    });
  });

  const sendReset = (user) => done(() => change('sendReset', user.project, { email: user.email }), 'The e-mail is on its way.');

  const endSessions = (user) => done(async () => {
    const text = 'All tokens and sessions of the user end, on every device.';
    if (!await confirm({ title: `Sign ${nameOf(user)} out?`, action: 'Sign out', text })) return undefined;
    return update(user, { validSince: String(Math.floor(Date.now() / 1000)) });
  }, 'Signed out everywhere.');

  const remove = (user) => done(async () => {
    const text = 'The account is deleted. Documents of the user stay. It cannot be undone.';
    if (!await confirm({ title: `Delete ${nameOf(user)}?`, action: 'Delete', text })) return undefined;
    const answer = await call('DELETE', { project: user.project, id: user.localId });
    if (isShown(user)) hide();
    return answer;
  }, 'Deleted.');

  async function showCodes() {
    const { codes: list } = await call('GET', { project: owner, codes: '1' });
    const rows = [...list].reverse().map(({ requestType, email, oobLink }) =>
      [purposes[requestType] ?? requestType, h('span.mono', email), small('Copy link', () => copy(oobLink))]);
    dialog({
      title: 'Codes', isWide: true, body: list.length
        ? [muted('Development mode keeps the codes that it would send by e-mail, until they are used.'),
          region('', 'Codes', table(['For', 'E-mail address', '\u200b'], rows))]
        : muted('No codes are waiting. They appear when an app asks for a reset, a verification or a sign-in by e-mail.'),
    });
  }

  function show(user) {
    current = user;
    const providers = (user.providerUserInfo ?? []).map((info) =>
      h('li.mono', `${info.providerId}: ${info.email ?? info.phoneNumber ?? info.rawId}`));
    side.show(h('.panel', panelHead(nameOf(user), null, hide), region('.panel-body.content', 'Details',
      facts({
        'User id': h('span.mono', user.localId),
        'E-mail': user.email && `${user.email}${user.emailVerified ? ', verified' : ', not verified'}`,
        Name: user.displayName, Phone: user.phoneNumber, State: user.disabled ? 'disabled' : 'enabled', Created: time(user.createdAt),
        'Signed in': time(user.lastLoginAt) ?? 'never', 'Password set': time(user.passwordUpdatedAt),
      }),
      !isReadOnly() && [
        h('.row.wrap', button('Edit', () => edit(user)), button('Claims', () => editClaims(user)),
          user.disabled ? button('Enable', () => setDisabled(user, false)) : button('Disable', () => setDisabled(user, true))),
        h('.row.wrap', button('Set password', () => setPassword(user)), user.email && button('Reset link', () => reset(user)),
          user.email && server.value?.users?.sendsMail && button('Send reset e-mail', () => sendReset(user))),
        h('.row.wrap', button('Sign out everywhere', () => endSessions(user)),
          button('Delete', () => remove(user), { class: 'danger-text' })),
      ],
      providers.length > 0 && [h('h3.heading', 'Signs in with'), h('ul', providers)],
      user.customAttributes && [h('h3.heading', 'Claims'), pre(claimsText(user))],
      h('.row', button('Copy the id', () => copy(user.localId))))));
  }

  function hide() {
    current = null;
    side.hide();
  }

  /** What the page can do is known with the server, which may answer later than the page is opened. */
  function begin() {
    if (!server.value) return loading(place);
    if (!server.value.users) {
      setPrimary();
      return replace(element, page('Users', null, empty('This server keeps no accounts.', muted('Start it with accounts of its own:'),
        pre('hearth serve --auth'),
        muted('Users whose tokens come from elsewhere (--firebase-project, --issuer) are managed there.'))));
    }
    if (owner !== project()) {
      replace(place);
      hide();
      owner = project();
      [users, next] = [[], undefined];
      grid.setRows(users);
    }
    codes.hidden = !server.value.development;
    setPrimary(!isReadOnly() && primary('New user', create));
    if (!users.length) loading(place);
    return load();
  }

  const stop = server.onChange(begin);

  return {
    element,
    refresh: load,
    update({ params }) {
      if (search.value !== (params.search ?? '')) search.value = params.search ?? '';
      begin();
    },
    destroy() {
      turn += 1;
      stop();
      grid.destroy();
    },
    keys: { Escape: hide, n: () => !isReadOnly() && create() },
  };
}
