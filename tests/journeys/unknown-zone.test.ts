import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import type { Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { FREE_PARAMS, type Ids, idsOf } from '../harness/route-cases.ts';
import { addRival, callRoute, refusalOf, type CallerName, type Callers, createCallers } from '../harness/callers.ts';
import { seedDemo, startSystem, type System } from '../harness/system.ts';
import { collectIds } from '../harness/tenant-ids.ts';

/** JavaScript knows it, the database does not; it was taken before such were refused. */
const ZONE = 'AET';
const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
let system: System;
let workspace: Workspace;
let callers: Callers;
let ids: Ids;

before(async () => {
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  workspace = await seedDemo(system);
  callers = await createCallers(system, await addRival(system, workspace));
  ids = await collectIds(system, workspace, `Bearer ${callers.owner.token()}`);
  for (const table of ['partner', 'client', 'app_user', 'workflow_schedule'])
    await system.query(`update ${table} set timezone = $1`, [ZONE]);
});
after(() => system?.stop());

const get = (name: RouteName, as: CallerName, query: Record<string, string> = {}) => {
  const { params } = idsOf(name, routes[name]);
  const own = Object.fromEntries(Object.entries(params).map(([member, kind]) => [member, ids[kind]]));
  return callRoute(system, name, { params: { ...FREE_PARAMS, ...own }, query, authorization: `Bearer ${callers[as].token()}` });
};

describe('a stored time zone that the database does not know', () => {
  for (const as of ['owner', 'clientUser', 'staff'] as const) {
    it(`breaks nothing that ${as} may read`, async () => {
      const reads = NAMES.filter((name) => {
        const route: RouteShape = routes[name];
        return route.method === 'GET' && refusalOf(route, callers[as].claims) === undefined;
      });
      assert.ok(reads.length > 30);
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
