import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { savedFilters } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: ({ db }) => [savedFilters({ db })] });
});
after(() => service.close());
beforeEach(() => service.db.asSystem('seed', (tx) => tx.deleteFrom('savedFilter').execute()));

const put = (as: Person, body: object, id: string = randomUUID()) => service.call('PUT', `/saved-filters/${id}`, { as, body });
const list = async (as: Person, table = 'agents') => (await service.call('GET', `/saved-filters?table=${table}`, { as })).body;
const names = async (as: Person, table = 'agents') => (await list(as, table)).map((one: { name: string }) => one.name);
const failing = { table: 'agents', name: 'Failing', search: { health: 'failing', q: 'text' } };

describe('a saved filter', () => {
  it('is kept, renamed and deleted by its user, moderators and staff too', async () => {
    for (const as of ['owner', 'moderator', 'staff'] as const) {
      const id = randomUUID();
      const saved = await put(as, failing, id);
      assert.deepEqual([saved.status, saved.body.name, saved.body.search], [200, 'Failing', failing.search]);
      assert.equal((await put(as, failing, id)).status, 200, 'saving twice saves once');
      assert.equal((await put(as, { ...failing, name: 'Broken', search: { health: 'failing' } }, id)).status, 200);
      assert.deepEqual(
        (await list(as)).map((one: { name: string; search: object }) => [one.name, one.search]),
        [['Broken', { health: 'failing' }]],
      );
      assert.deepEqual(await names(as, 'runs'), []);
      assert.equal((await service.call('DELETE', `/saved-filters/${id}`, { as })).status, 204);
      assert.equal((await service.call('DELETE', `/saved-filters/${id}`, { as })).status, 404);
      assert.deepEqual(await names(as), []);
    }
    await service.assertRefused('GET', '/saved-filters?table=agents', { clientUser: 'role_forbidden' });
  });

  it('is that of one user: another neither reads, changes nor deletes it, of the same agency or another', async () => {
    const id = randomUUID();
    await put('owner', failing, id);
    for (const as of ['moderator', 'rivalOwner', 'staff'] as const) {
      assert.deepEqual(await names(as), []);
      assert.equal((await service.call('DELETE', `/saved-filters/${id}`, { as })).status, 404);
      assert.equal((await put(as, { ...failing, name: 'Theirs' }, id)).status, 200, 'the same id is a filter of their own');
    }
    assert.deepEqual(await names('owner'), ['Failing']);
  });

  it('has a name of its own per table, in any case', async () => {
    await put('owner', failing);
    assert.equal((await put('owner', { ...failing, name: 'FAILING' })).body.code, 'already_exists');
    assert.equal((await put('owner', { ...failing, table: 'runs' })).status, 200);
  });

  it('is one of at most twenty per table, also when many are saved at once', async () => {
    const replies = await Promise.all(Array.from({ length: 24 }, (_, n) => put('owner', { ...failing, name: `Filter ${n}` })));
    assert.deepEqual(
      [replies.filter(({ status }) => status === 200).length, replies.filter(({ body }) => body.code === 'invalid_state').length],
      [20, 4],
    );
    assert.equal((await put('owner', { ...failing, table: 'runs' })).status, 200, 'another table has room');
    const [first] = await list('owner');
    assert.equal((await put('owner', { ...failing, name: 'Renamed' }, first.id)).status, 200, 'a full table can be changed');
  });

  it('holds bounded data only', async () => {
    const bad: object[] = [
      { ...failing, name: '' },
      { ...failing, name: 'x'.repeat(61) },
      { ...failing, table: 'secrets' },
      { ...failing, search: { q: 'x'.repeat(201) } },
      { ...failing, search: { 'a b': '1' } },
      { ...failing, search: { nested: { a: 1 } } },
      { ...failing, search: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`m${n}`, 1])) },
    ];
    for (const body of bad) assert.equal((await put('owner', body)).status, 422, JSON.stringify(body).slice(0, 80));
    assert.deepEqual(await names('owner'), []);
  });
});
