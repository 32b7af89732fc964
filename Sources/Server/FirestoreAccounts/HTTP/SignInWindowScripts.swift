// SPDX-License-Identifier: Apache-2.0
/// The scripts of sign-in windows (`SignInWindow`).
enum SignInWindowScripts {
    /// The window: asks for the account, and answers as the provider would. The answer goes to the frame of the page that opened the
    /// window, or
    /// waits for the frame of the page that it goes back to.
    static let window = #"""
        'use strict';
        const asked = new URLSearchParams(location.search);
        const provider = asked.get('providerId') ?? '';
        const about = document.getElementById('about');
        const content = document.getElementById('content');

        function element(tag, properties, ...children) {
          const made = Object.assign(document.createElement(tag), properties);
          made.append(...children);
          return made;
        }

        const say = (text) => content.replaceChildren(element('p', { role: 'alert' }, text));

        function answer(claims) {
          const response = new URL('handler', location.href);
          response.search = new URLSearchParams({ providerId: provider, id_token: JSON.stringify(claims) });
          return {
            type: asked.get('authType'), eventId: asked.get('eventId'), urlResponse: response.href,
              sessionId: 'development', postBody: null,
            tenantId: null, error: null,
          };
        }

        function goBack(event, key) {
          sessionStorage.setItem(`hearth:${key}`, JSON.stringify(event));
          location.replace(asked.get('redirectUrl'));
        }

        function tellOpener(event, key) {
          if (!window.opener)
            return say('The page that opened this window cannot be reached any more. Close the window and try again.');
          addEventListener('message', ({ origin, data }) => {
            if (origin === location.origin && data?.hearthAuthEventTaken === event.eventId) window.close();
          });
          // Only the frame of this server can read it.
          for (let i = 0; i < window.opener.frames.length; i += 1) {
            window.opener.frames[i].postMessage({ hearthAuthEvent: event, key }, location.origin);
          }
          say('Signed in. This window can be closed.');
        }

        function signIn(claims) {
          const event = answer(claims);
          const key = `${asked.get('apiKey')}:${asked.get('appName')}`;
          if (event.type.endsWith('ViaRedirect')) goBack(event, key); else tellOpener(event, key);
        }

        /** The accounts that have signed in with the provider before. */
        async function known() {
          const { projectId } = await (await fetch(`/v1/projects?key=${encodeURIComponent(asked.get('apiKey'))}`)).json();
          const headers = { Authorization: 'Bearer owner' };
          const list =
            await (await fetch(`/v1/projects/${encodeURIComponent(projectId)}/accounts:batchGet?maxResults=1000`, { headers })).json();
          return (list.users ?? []).flatMap((user) => (user.providerUserInfo ?? []).filter((info) => info.providerId === provider));
        }

        const claimsOf = ({ rawId, email, displayName, photoUrl }) => ({
          sub: rawId, iss: '', aud: '', exp: 0, iat: 0, email, email_verified: Boolean(email), name: displayName, picture: photoUrl,
        });

        function form() {
          const email = element('input', { type: 'email', name: 'email', autocomplete: 'off', required: true });
          const name = element('input', { name: 'name', autocomplete: 'off' });
          const made = element('form', {}, element('label', {}, 'E-mail address', email), element('label', {}, 'Name', name),
            element('button', { type: 'submit' }, 'Sign in with a new account'));
          made.addEventListener('submit', (event) => {
            event.preventDefault();
            const rawId = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => byte % 10).join('');
            signIn(claimsOf({ rawId, email: email.value, displayName: name.value || undefined }));
          });
          return made;
        }

        function problem() {
          const target = asked.get('redirectUrl') ?? '';
          if (!provider || !asked.get('apiKey') || !asked.get('authType'))
            return 'The address of this window is not complete. The web SDK opens it.';
          if (provider.startsWith('saml.')) return 'Sign-in with SAML is not available.';
          if (provider === 'phone') return 'Sign-in with a phone number is not available.';
          if (asked.get('tid')) return 'This server has no tenants.';
          if (asked.get('authType').endsWith('ViaRedirect') && !/^https?:\/\//.test(target)) return 'There is no page to go back to.';
          return '';
        }

        async function start() {
          const wrong = problem();
          if (wrong) return say(wrong);
          document.querySelector('h1').textContent = `Sign in with ${provider}`;
          about.textContent = 'This is a development server: it stands in for the provider, and asks for no proof.';
          const users = await known().catch(() => []);
          content.replaceChildren(...users.map((user) => {
            const button = element('button', { type: 'button', className: 'plain' }, user.email ?? user.displayName ?? user.rawId);
            button.addEventListener('click', () => signIn(claimsOf(user)));
            return button;
          }), form());
        }

        start();

        """#

    /// The frame: passes answers of windows on to the page, over the channel that the web SDK listens to.
    static let frame = #"""
        'use strict';
        const asked = new URLSearchParams(location.search);
        const key = `${asked.get('apiKey')}:${asked.get('appName')}`;
        let channel;
        const waiting = [];

        const none = {
          type: 'unknown', eventId: null, urlResponse: null, sessionId: null, postBody: null, tenantId: null,
          error: { code: 'auth/no-auth-event', message: 'An internal error has occurred.' },
        };

        function pass(event, done) {
          if (!channel) return waiting.push([event, done]);
          return channel.send('authEvent', { type: 'authEvent', authEvent: event }, done, gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
        }

        // From a window of this server.
        addEventListener('message', ({ origin, source, data }) => {
          if (origin !== location.origin || !data?.hearthAuthEvent || data.key !== key) return;
          pass(data.hearthAuthEvent, () => source.postMessage({ hearthAuthEventTaken: data.hearthAuthEvent.eventId }, location.origin));
        });

        /** What a window has left before it went back to the page. */
        function left() {
          try {
            const text = sessionStorage.getItem(`hearth:${key}`);
            sessionStorage.removeItem(`hearth:${key}`);
            return text ? JSON.parse(text) : none;
          } catch {
            return none;
          }
        }

        addEventListener('load', () => {
          globalThis.gapi?.load('gapi.iframes', () => {
            channel = gapi.iframes.getContext().getParentIframe();
            channel.register('webStorageSupport',
              () => ({ status: 'ACK', webStorageSupport: true }), gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
            pass(left());
            for (const [event, done] of waiting.splice(0)) pass(event, done);
          });
        });

        """#
}
