import { test } from 'node:test';
import { open, see } from '../../testing/portal.ts';

test('a moderator reads why imports are not theirs, and what was imported', async () => {
  await open('moderator', '/dashboard/clients/import');
  await see('Only admins can import clients.');
  await see(/Ask an admin of your agency: /);
});
