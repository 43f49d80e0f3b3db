import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, holds, open, press, screen, user } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

const SETTINGS = '/client/settings';
const DETAILS = '/dashboard/billing/details';

const options = (): HTMLElement[] => screen.queryAllByRole('option');
const isClosed = (): Promise<void> => holds(() => assert.equal(options().length, 0));
/** The option that assistive technology reads as the current one of what has the focus. */
const current = (): string | undefined =>
  document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.textContent;
const readsAs = (text: RegExp): Promise<void> => holds(() => assert.match(current() ?? '', text));

test('a select is read with its label, its value and what it opens, and an option chosen by keys becomes its value', async () => {
  await open('client', SETTINGS);
  const select = await button('Language');
  assert.equal(select.getAttribute('aria-label'), 'Language: English');
  assert.deepEqual(
    ['aria-haspopup', 'aria-expanded'].map((name) => select.getAttribute(name)),
    ['listbox', 'false'],
  );
  select.focus();
  await user.keyboard('{ArrowDown}');
  const list = await screen.findByRole('listbox', { name: 'Language' });
  await holds(() => assert.equal(document.activeElement, list));
  assert.equal(select.getAttribute('aria-expanded'), 'true');
  assert.equal(list.closest('[role=dialog]'), null, 'a list alone is no dialog');
  await readsAs(/^English/);
  assert.deepEqual(
    options()
      .filter((option) => option.getAttribute('aria-selected') === 'true')
      .map(({ textContent }) => textContent),
    ['English'],
  );
  await user.keyboard('{End}');
  await readsAs(/^Español/);
  await user.keyboard('{Home}{ArrowDown}{Enter}');
  await isClosed();
  assert.match((await button('Language')).getAttribute('aria-label') ?? '', /^Language: Deutsch/);
});

test('Escape closes a list, keeps its value and returns the focus to its button', async () => {
  await open('client', SETTINGS);
  await press('Language');
  await readsAs(/^English/);
  await user.keyboard('{ArrowDown}{Escape}');
  await isClosed();
  await holds(() => assert.equal(document.activeElement?.getAttribute('aria-label'), 'Language: English'));
});

test('a letter moves to the next option that begins with it', async () => {
  await open('client', SETTINGS);
  await press('Language');
  await readsAs(/^English/);
  await user.keyboard('e');
  await readsAs(/^Español/);
  await user.keyboard('e');
  await readsAs(/^English/);
  await user.keyboard('x');
  await readsAs(/^English/);
});

test('a long list is searched in a field that names its list and the current option, apart from those of every other list', async () => {
  await open('owner', DETAILS, { getBilling: reply('getBilling') });
  const country = await button('Country');
  assert.equal(country.getAttribute('aria-haspopup'), 'dialog');
  await press('Country');
  const search = await screen.findByRole('combobox', { name: 'Search Country' });
  await holds(() => assert.equal(document.activeElement, search));
  const list = screen.getByRole('listbox', { name: 'Country' });
  assert.equal(search.getAttribute('aria-controls'), list.id);
  await user.keyboard('germ');
  await readsAs(/^Germany/);
  await user.keyboard('{Enter}');
  await isClosed();
  assert.equal((await button('Country')).getAttribute('aria-label'), 'Country: Germany');
});

test('lists of the same options have ids of their own', async () => {
  const choice = { inApp: true, email: 'now', emailFixed: false } as const;
  await open('owner', '/dashboard/settings/notifications', {
    getNotificationPreferences: { alert_opened: choice, alert_resolved: choice },
  });
  await press('Change');
  const ids: string[] = [];
  for (const label of ['An alert opens', 'An alert is resolved']) {
    await press(label);
    await holds(() => assert.ok(options().length > 1));
    ids.push(...options().map(({ id }) => id));
    await user.keyboard('{Escape}');
    await isClosed();
  }
  assert.equal(new Set(ids).size, ids.length);
});
