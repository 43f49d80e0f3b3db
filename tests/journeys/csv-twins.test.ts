import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clients } from '@house/service/modules/clients/index.ts';
import { partners } from '@house/service/modules/partners/index.ts';
import { users } from '@house/service/modules/users/index.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [
      partners({ ...platform, catalog: [] }),
      clients({ ...platform, catalog: [], listAgents: async () => ({ data: [], nextCursor: null }) }),
      users(platform),
    ],
  });
});
after(() => service.close());

const linesOf = (text: string): string[] => text.replace('\uFEFF', '').trimEnd().split('\r\n');

describe('the CSV twin of a list', () => {
  for (const [path, as] of [
    ['/clients', 'owner'],
    ['/clients', 'staff'],
    ['/partners', 'staff'],
    ['/users', 'staff'],
  ] as const) {
    it(`holds the rows of ${path} as ${as} sees them, under the same filters`, async () => {
      const list = await service.call('GET', path, { as });
      const file = await service.call('GET', `${path}/export.csv`, { as });
      assert.equal(file.status, 200);
      assert.match(String(file.headers['content-type']), /^text\/csv/);
      assert.match(String(file.headers['content-disposition']), /^attachment; filename="[\w.-]+\.csv"$/);
      const ids = list.body.data.map((row: { id: string }) => row.id);
      assert.deepEqual(
        linesOf(file.text)
          .slice(1)
          .map((line) => line.split(',')[0]),
        ids,
      );
      const narrowed = await service.call('GET', `${path}/export.csv?q=${encodeURIComponent('no such words')}`, { as });
      assert.equal(linesOf(narrowed.text).length, 1);
    });
  }

  it('is closed to whom the list is closed, and refuses what the list refuses', async () => {
    for (const [path, as] of [
      ['/clients', 'clientUser'],
      ['/partners', 'owner'],
      ['/users', 'owner'],
    ] as const) {
      assert.equal((await service.call('GET', `${path}/export.csv`, { as })).body.code, 'role_forbidden', path);
    }
    assert.equal((await service.call('GET', '/clients/export.csv?status=sleepy', { as: 'owner' })).body.code, 'invalid_query');
    assert.equal(
      (await service.call('GET', `/clients/export.csv?partnerId=${service.world.partnerId}`, { as: 'owner' })).body.code,
      'scope_forbidden',
    );
  });
});
