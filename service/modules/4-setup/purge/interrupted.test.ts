import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { checksumRows, fillAccount } from '@partner-portal/tests/harness/account-rows.ts';
import { isFull } from '@partner-portal/tests/harness/full.ts';
import { assertPurged, makeDue, purgeDeps } from '@partner-portal/tests/harness/purge.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addPartner } from '@partner-portal/tests/harness/world.ts';
import type { PurgeDeps } from './deps.ts';
import { runPurge } from './run-purge.ts';
import { createTurns, sweepPurges } from './work-through.ts';

/** The process dies at one of its transactions: before it, inside it so that it is rolled back, or after its commit. */
const MOMENTS = ['before', 'inside', 'after'] as const;
type Moment = (typeof MOMENTS)[number];
type Death = { nth: number; moment: Moment };
/** How often the process of one purge dies. A full run tries each transaction of a purge in a purge of its own. */
const DEATHS = 12;

let service: TestService;
let deps: PurgeDeps;
let made = 0;

before(async () => {
  service = await startTestService();
  deps = purgeDeps(service);
});
after(() => service?.close());

type Scope = 'agency' | 'client';
type Begun = { partnerId: string; clientId: string; requestId: string };

/** Begins the purge of an agency with one client, both of which have rows in every table. */
async function beginOne(scope: Scope): Promise<Begun> {
  made += 1;
  const { planId } = service.world;
  const { partnerId, clientId } = await service.db.asSystem('seed', async (tx) => {
    const id = await addPartner(tx, { name: `Agency ${made}`, slug: `agency-${made}`, planId });
    return { partnerId: id, clientId: await addClient(tx, id, 'Client') };
  });
  const owners = [null, clientId].map((client) => ({ partnerId, clientId: client }));
  await fillAccount(service.database, owners, `gone${made}`);
  const requestId = await makeDue(service, partnerId, scope === 'client' ? clientId : null);
  assert.equal(await sweepPurges(deps), 1);
  return { partnerId, clientId, requestId };
}

const run = (id: string, from: PurgeDeps) => runPurge(from, id, { signal: new AbortController().signal, turn: createTurns() });

class Killed extends Error {}

/** A worker whose process dies at its nth transaction; counts all of them without one. */
function dying(nth: number, moment: Moment): { deps: PurgeDeps; count: () => number } {
  let count = 0;
  const asSystem: PurgeDeps['db']['asSystem'] = async (reason, work) => {
    count += 1;
    if (count > nth || (count === nth && moment === 'before')) throw new Killed();
    if (count < nth) {
      const result = await deps.db.asSystem(reason, work);
      // How often the wait for older transactions looks again depends on what else the server does.
      if (result === false) count -= 1;
      return result;
    }
    if (moment === 'after') {
      await deps.db.asSystem(reason, work);
      throw new Killed();
    }
    return deps.db.asSystem(reason, async (tx) => {
      await work(tx);
      throw new Killed();
    });
  };
  return { deps: { ...deps, db: { ...deps.db, asSystem } }, count: () => count };
}

/** How many rows of the agency each table has left, and the tables that have rows of what was purged. */
async function whatIsLeft(scope: Scope, { partnerId, clientId }: Begun): Promise<{ counts: Record<string, string>; tables: string[] }> {
  const count = async (where: string, id: string): Promise<Record<string, string>> => {
    const sums = await checksumRows(service.database, where, [id]);
    return Object.fromEntries(Object.entries(sums).map(([table, sum]) => [table, sum.split(' ')[0] ?? '']));
  };
  const counts = await count('t.partner_id = $1', partnerId);
  const purged = scope === 'agency' ? counts : await count('t.client_id = $1', clientId);
  const tables = Object.keys(purged).filter((table) => purged[table] !== '0');
  return { counts, tables: tables.toSorted() };
}

/** Lets the process of one purge die at each of these, or until it ends, then goes on with it. Returns how often it died. */
async function assertEndsTheSame(
  scope: Scope,
  deaths: readonly Death[],
  expected: Awaited<ReturnType<typeof whatIsLeft>>,
): Promise<number> {
  const begun = await beginOne(scope);
  const { requestId } = begun;
  const at = JSON.stringify(deaths);
  let died = 0;
  let outcome: string | undefined;
  for (const { nth, moment } of deaths) {
    outcome = await run(requestId, dying(nth, moment).deps).catch((error: unknown) => {
      if (error instanceof Killed) return undefined;
      throw error;
    });
    if (outcome !== undefined) break;
    died += 1;
    // The claim of the dead worker ends.
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('purge')
        .set({ claimedUntil: new Date(0), dueAt: new Date(0) })
        .where('deletionRequestId', '=', requestId)
        .where('status', '<>', 'completed')
        .execute(),
    );
  }
  assert.ok(died > 0, `${at}: ${outcome}`);
  outcome ??= await run(requestId, deps);
  // A purge is complete when its process died after the last transaction.
  assert.ok(outcome === 'completed' || deaths.at(-1)?.moment === 'after', `${at}: ${outcome}`);
  await assertPurged(service, requestId);
  assert.deepEqual(await whatIsLeft(scope, begun), expected, at);
  return died;
}

for (const scope of ['agency', 'client'] as const)
  it(`a purge ends the same wherever its process died, of ${scope === 'agency' ? 'an agency' : 'a client'}`, async (context) => {
    const undisturbed = await beginOne(scope);
    const counting = dying(Number.POSITIVE_INFINITY, 'after');
    assert.equal(await run(undisturbed.requestId, counting.deps), 'completed');
    const total = counting.count();
    const expected = await whatIsLeft(scope, undisturbed);
    assert.deepEqual(expected.tables, KEPT[scope]);
    const momentOf = (turn: number): Moment => MOMENTS[turn % MOMENTS.length] ?? 'after';
    if (isFull) {
      context.diagnostic(`each of ${total} transactions`);
      for (let nth = 1; nth <= total; nth += 1) await assertEndsTheSame(scope, [{ nth, moment: momentOf(nth) }], expected);
      return;
    }
    // What a process had committed is not done again, so one purge takes a whole row of deaths, each at another transaction.
    const step = Math.floor(total / DEATHS);
    const deaths = Array.from({ length: DEATHS }, (_, turn): Death => ({ nth: step + turn, moment: momentOf(turn) }));
    const died = await assertEndsTheSame(scope, deaths, expected);
    context.diagnostic(`died ${died} times in ${total} transactions`);
    assert.ok(died >= DEATHS / 2, `${died} deaths`);
  });

const KEPT: Readonly<Record<Scope, readonly string[]>> = {
  agency: ['audit_entry', 'billing_order', 'deletion_request', 'invoice', 'invoice_line'],
  client: ['agent_span', 'audit_entry', 'deletion_request', 'usage_delta', 'usage_entry', 'workflow_hour'],
};
