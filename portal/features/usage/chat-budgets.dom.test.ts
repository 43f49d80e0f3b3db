import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, open, see } from '../../testing/portal.ts';

test('a moderator sees the budgets and cannot change them', async () => {
  await open('moderator', '/dashboard/usage');
  await see('Used by chatbots');
  assert.ok((await field('Credits a day for one chatbot')).disabled);
});
