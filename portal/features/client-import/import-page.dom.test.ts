import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, fill, open, press, see } from '../../testing/portal.ts';

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
