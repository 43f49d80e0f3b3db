import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, holds, noDialog, open, rows, screen, user } from '../testing/portal.ts';
import { reply, row } from '../testing/service.ts';

const said = (): string => [...document.querySelectorAll('body > p[role="status"]')].at(-1)?.textContent ?? '';
const isAt = (heading: string): Promise<void> =>
  holds(() => {
    assert.equal(document.activeElement?.tagName, 'H1');
    assert.equal(document.activeElement?.textContent, heading);
    assert.equal(said(), heading);
  });
const follow = async (name: RegExp): Promise<void> => user.click(screen.getAllByRole('link', { name })[0] ?? assert.fail('no link'));

test('a page that is opened from another has the focus at its heading, which is read; the first page has not', async () => {
  await open('staff', '/admin/partners');
  assert.equal(document.activeElement?.tagName, 'BODY');
  assert.equal(said(), '');
  await follow(/^Users/);
  await isAt('Users');
  await follow(/^Partners/);
  await isAt('Partners');
});

test('another view of the same page leaves the focus where it is: a filter, a drawer', async () => {
  const templates = ['lead-intake', 'report'].map((name) => row('listTemplates', { name, title: name }));
  await open('staff', '/admin/templates', { listTemplates: templates });
  await holds(() => assert.equal(rows('Templates').length, 2));
  await user.keyboard('/');
  await user.keyboard('lead');
  await holds(() => assert.match(location.search, /q=lead/));
  assert.equal(document.activeElement?.tagName, 'INPUT');
  await user.click(rows('Templates')[0] ?? assert.fail('no row'));
  const drawer = await dialog('lead-intake');
  await holds(() => assert.ok(document.activeElement === drawer));
  assert.equal(said(), '');
  await user.keyboard('{Escape}');
  await noDialog();
});

test('a tab that has a path keeps the focus and is read', async () => {
  await open('owner', '/dashboard/settings');
  await follow(/^Team/);
  await holds(() => assert.equal(said(), 'Settings, Team'));
  assert.equal(document.activeElement?.tagName, 'A');
});

test('a reader who moves on before the page has its heading keeps the focus, and the page is read', async () => {
  let answer = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const partner = reply('getPartner', { name: 'Harbor Digital' });
  await open('staff', '/admin/partners', {
    listPartners: { data: [row('listPartners', { id: partner.id, name: partner.name })], nextCursor: null },
    getPartner: async () => late.then(() => partner),
  });
  await holds(() => assert.equal(rows('Partners').length, 1));
  await user.click(rows('Partners')[0] ?? assert.fail('no row'));
  await user.keyboard('{Tab}');
  const place = screen.getAllByRole('link', { name: /^Users/ })[0] ?? assert.fail('no link');
  place.focus();
  answer();
  await holds(() => assert.equal(said(), 'Harbor Digital'));
  // Not compared by the assertion itself, which would print the whole document.
  assert.ok(document.activeElement === place);
});
