import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, field, fill, holds, open, press, see, user } from '../../testing/portal.ts';

test('a moderator reads why imports are not theirs, and what was imported', async () => {
  await open('moderator', '/dashboard/clients/import');
  await see('Only admins can import clients.');
  await see(/Ask an admin of your agency: /);
});

test('a pasted table is still there when another source is to be chosen', async () => {
  await open('owner', '/dashboard/clients/import');
  const table = 'Name\tE-mail\nOak Street Dental\tada@oak.example';
  await fill(/^Or paste a table/, table);
  await press('Use the pasted table');
  await see('What the columns hold');
  await press('Choose another file');
  await see('Choose a file');
  assert.equal((await field(/^Or paste a table/)).value, table);
});

test('a first row that looks like a client is one, until a person says that it holds headings', async () => {
  await open('owner', '/dashboard/clients/import');
  await fill(/^Or paste a table/, 'Rowan Bakery\troy@rowan.example\nSorrel Books\tno mail');
  await press('Use the pasted table');
  const headed = await field(/^The first row holds headings/);
  const shows = (count: number): Promise<void> =>
    holds(() => assert.equal(document.querySelectorAll('.map-columns tbody tr').length, count));
  assert.equal(headed.checked, false);
  await shows(2);
  await button('Field of Column 2');
  await user.click(headed);
  await shows(1);
  await button('Field of the column Rowan Bakery');
  await user.click(headed);
  await shows(2);
});
