import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, open, screen, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

test('each J in the work queue moves one item down, even if the address updates late', async () => {
  const items = [1, 2, 3].map((n) => row('getWorkQueue', { kind: 'plan_request', itemId: idOf(n), since: `2026-06-0${n}T09:00:00.000Z` }));
  await open('staff', '/admin', { getWorkQueue: items });
  const links = () => within(screen.getByRole('region', { name: 'Items' })).getAllByRole('link');
  await holds(() => assert.equal(links().length, 3));
  await user.keyboard('jjj');
  await holds(() => assert.match(location.search, /item=/));
  await holds(() => assert.ok(links()[2]?.hasAttribute('aria-current')));
});
