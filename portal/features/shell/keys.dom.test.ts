import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, holds, noDialog, open, rows, sessionOf, user } from '../../testing/portal.ts';
import { reply, row } from '../../testing/service.ts';

test('staff reach every place by keys alone', async () => {
  const { user: me } = sessionOf('staff');
  // The outbox is of the sandbox.
  await open('staff', '/admin/partners', {
    getMe: reply('getMe', { user: me, partner: me.partner, client: null, features: me.features, sandbox: true }),
  });
  for (const [key, path] of [
    ['u', '/admin/users'],
    ['i', '/admin/invoices'],
    ['c', '/admin/usage'],
    ['t', '/admin/templates'],
    ['e', '/admin/engine'],
    ['s', '/admin/system'],
    ['o', '/admin/outbox'],
    ['p', '/admin/partners'],
  ] as const) {
    // One right after the other: the second counts only for a moment.
    for (const event of ['g', key].map((one) => new KeyboardEvent('keydown', { key: one, bubbles: true })))
      document.body.dispatchEvent(event);
    await holds(() => assert.equal(location.pathname, path));
  }
});

test('a list is walked with J and K, opened with Enter and filtered with /', async () => {
  const templates = ['lead-intake', 'missed-call-text-back', 'report'].map((name) => row('listTemplates', { name, title: name }));
  await open('staff', '/admin/templates', { listTemplates: templates });
  const shown = () => rows('Templates');
  await holds(() => assert.equal(shown().length, 3));
  for (const [key, at] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
  ] as const) {
    await user.keyboard(key);
    assert.equal(document.activeElement, shown()[at]);
  }
  await user.keyboard('{Enter}');
  const drawer = await dialog('lead-intake');
  await holds(() => assert.equal(document.activeElement, drawer));
  assert.match(location.search, /template=lead-intake/);
  await user.keyboard('{Escape}');
  await noDialog();
  await holds(() => assert.equal(document.activeElement, shown()[0]));
  await user.keyboard('/');
  await user.keyboard('text-back');
  await holds(() => assert.equal(shown().length, 1));
  await holds(() => assert.match(location.search, /q=text-back/));
});
