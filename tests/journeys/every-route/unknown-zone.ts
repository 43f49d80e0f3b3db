import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { FREE_PARAMS, type Ids, idsOf } from '../../harness/route-cases.ts';
import { callRoute, refusalOf, type CallerName, type Callers } from '../../harness/callers.ts';
import { type System } from '../../harness/system.ts';
import type { Demo } from '../../harness/demo.ts';
import { isFull } from '../../harness/full.ts';

/** JavaScript knows it, the database does not; it was taken before such were refused. */
const ZONE = 'AET';
const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
const READERS = ['owner', 'clientUser', 'staff'] as const;
let system: System;
let callers: Callers;
let ids: Ids;

const get = (name: RouteName, as: CallerName, query: Record<string, string> = {}) => {
  const { params } = idsOf(name, routes[name]);
  const own = Object.fromEntries(Object.entries(params).map(([member, kind]) => [member, ids[kind]]));
  return callRoute(system, name, { params: { ...FREE_PARAMS, ...own }, query, authorization: `Bearer ${callers[as].token()}` });
};

export function testUnknownZone(open: () => Promise<Demo>): void {
  before(async () => {
    ({ system, callers, ids } = await open());
    for (const table of ['partner', 'client', 'app_user', 'workflow_schedule'])
      await system.query(`update ${table} set timezone = $1`, [ZONE]);
  });

  describe('a stored time zone that the database does not know', () => {
    for (const as of READERS) {
      it(`breaks nothing that ${as} may read`, async () => {
        // A route that several may read is read by one of them, the next route by the next: the zones of all of them are unknown.
        const reads = NAMES.filter((name, turn) => {
          const route: RouteShape = routes[name];
          const readers = READERS.filter((one) => route.method === 'GET' && refusalOf(route, callers[one].claims) === undefined);
          return isFull ? readers.includes(as) : readers[turn % readers.length] === as;
        });
        assert.ok(reads.length > 15);
        for (const name of reads) {
          const { status, text } = await get(name, as);
          assert.ok(status !== 500, `${name} ${status} ${text}`);
        }
      });
    }

    it('leaves every figure in its place, by the days of UTC', async () => {
      const day = /"\d{4}-\d{2}-\d{2}"/;
      const read = async (name: RouteName, as: CallerName, query: Record<string, string> = {}) => {
        const { status, text } = await get(name, as, query);
        assert.equal(status, 200, `${name} ${text}`);
        return text;
      };
      for (const as of ['owner', 'staff'] as const) assert.match(await read('getUsage', as, { groupBy: 'day' }), day);
      assert.match(await read('getWorkflowStats', 'owner'), day);
      assert.match(await read('getMySummary', 'owner'), /"timezone":"UTC"/);
      assert.match(await read('getMyClientSummary', 'clientUser'), day);
    });
  });
}
