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

test('an open page of a view-as session whose time is up is left once for the page where the view began, and shows the view until then', async (context) => {
  const opened: string[] = [];
  context.mock.method(location, 'assign', (path: string) => opened.push(path));
  context.mock.method(globalThis, 'addEventListener', () => undefined);
  const before = location.href;
  history.replaceState(null, '', '/client/agents');
  const page = await load({ 'portal.session': view(0.5), 'portal.own-session': saved });
  page.subscribe(() => undefined);
  context.mock.method(Date, 'now', () => new Date().getTime() + 31 * 60_000);
  page.getSession();
  assert.equal(page.shownSession()?.accessToken, 'token-of-the-view');
  page.endView(); // the bar, whose time is up a moment later
  assert.deepEqual(opened, ['/dashboard/clients']);
  assert.equal(page.getSession()?.accessToken, 'token-of-their-own');
  history.replaceState(null, '', before);
});

test('the login says that something was lost only when a form held something', async (context) => {
  const opened: string[] = [];
  context.mock.method(location, 'assign', (path: string) => opened.push(path));
  const listeners = context.mock.method(globalThis, 'addEventListener', () => undefined); // what a page does while it unloads would stay
  const keep = (event: Event): void => event.preventDefault();
  window.addEventListener('beforeunload', keep);
  const before = location.href;
  history.replaceState(null, '', '/dashboard/runs?tab=all');
  const one = await load({ 'portal.session': sessionOf('own', 1) });
  for (let calls = 0; calls < 2; calls += 1) one.leaveForLogin(); // two calls that were refused
  history.replaceState(null, '', before);
  window.removeEventListener('beforeunload', keep);
  (await load({ 'portal.session': sessionOf('own', 1) })).leaveForLogin(false);
  assert.deepEqual(opened, ['/login?next=%2Fdashboard%2Fruns%3Ftab%3Dall&ended=unsaved', '/login?ended=true']);
  assert.ok(listeners.mock.callCount() > 0);
});

test('an open page of a session whose time is up is left for the login, and keeps what it shows until then', async (context) => {
  const opened: string[] = [];
  context.mock.method(location, 'assign', (path: string) => opened.push(path));
  context.mock.method(globalThis, 'addEventListener', () => undefined);
  const before = location.href;
  history.replaceState(null, '', '/dashboard/settings?tab=team');
  const page = await load({ 'portal.session': sessionOf('own', 1) });
  page.subscribe(() => undefined);
  context.mock.method(Date, 'now', () => new Date().getTime() + 2 * 3_600_000);
  assert.equal(page.getSession(), undefined);
  assert.equal(page.shownSession()?.accessToken, 'own');
  assert.deepEqual(opened, ['/login?next=%2Fdashboard%2Fsettings%3Ftab%3Dteam&ended=true']);
  history.replaceState(null, '', before);
});
