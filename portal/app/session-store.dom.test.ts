import '../testing/dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type * as store from './session-store.ts';

/** A page that is loaded, with what its tab has stored. */
async function load(stored: Record<string, unknown>) {
  sessionStorage.clear();
  for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, JSON.stringify(value));
  count += 1;
  const page = `./session-store.ts?load=${count}`;
  return (await import(page)) as typeof store; // the same module, once more
}
let count = 0;
afterEach(() => sessionStorage.clear());

const sessionOf = (accessToken: string, hours: number, user: object = {}) => ({
  accessToken,
  expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
  user: { id: accessToken, role: 'PARTNER', ...user },
});
const view = (hours: number) => sessionOf('token-of-the-view', hours, { role: 'CLIENT', viewAs: {} });
const saved = { session: sessionOf('token-of-their-own', 20), path: '/dashboard/clients' };

test('a page that loads with an expired view-as session returns to the user’s own, and keeps a valid one', async () => {
  const late = await load({ 'portal.session': view(-1), 'portal.own-session': saved });
  assert.equal(late.getSession()?.accessToken, 'token-of-their-own');
  assert.equal(sessionStorage.getItem('portal.own-session'), null);
  const again = await load({ 'portal.session': view(1), 'portal.own-session': saved });
  assert.equal(again.getSession()?.accessToken, 'token-of-the-view');
});

test('a page that loads with expired sessions only has none', async () => {
  const late = await load({ 'portal.session': view(-1), 'portal.own-session': { ...saved, session: sessionOf('old', -1) } });
  assert.equal(late.getSession(), undefined);
  assert.equal(sessionStorage.getItem('portal.session'), null);
  const own = await load({ 'portal.session': sessionOf('old', -1) });
  assert.equal(own.getSession(), undefined);
});
