import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { seedWorkspace, signIn, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { addAgents } from '../faults/events.ts';
import { setupEnd } from '../harness/setup-end.ts';
import { until } from '../harness/system.ts';
import { type Load, startLoad } from './load.ts';
import { type Machine, type Machines, startMachines } from './machines.ts';

// Two processes that serve, two that work, the engine alone, a primary and its synchronous standby: events keep arriving while each fails. Each test is one
// failure, in this order, on one system; the last ones compare what was accepted with what has run.

const isFull = process.env['FAILOVER_FULL'] === 'true';
const SHAPE = isFull
  ? { perSecond: 200, agents: 260, calmMs: 30_000, cutMs: 60_000 } // ten minutes in all
  : { perSecond: 5, agents: 10, calmMs: 1_000, cutMs: 12_000 };
const PASSWORD = 'seven quiet harbors';
const SKEW_MS = 5 * 60_000;
const ANSWER_MS = 5_000;
const EVENT = { name: 'Ana Flores', email: 'ana@example.com', message: 'Do you treat knees?' };
const LIMIT = LIMITS.ingestRequestsPerMinute;
/** Calls no provider. */
const TEMPLATE = 'lead-intake-cleaner';

const skip = whyNotTried();

/** Why this is skipped, which is also written where skipped tests are only counted; false when it runs. */
function whyNotTried(): string | false {
  if (process.env['TEST_FAILOVER'] === 'true') return false;
  const line = 'Several machines were NOT tried: TEST_FAILOVER=true runs their test, which takes minutes.';
  process.stderr.write(`${line}\n`);
  return line;
}

/** Adds an agency with one agent, which is set up, and returns the agent. */
async function addNeighbor({ admin: { email, password }, baseUrl }: Machines): Promise<string> {
  const staff = await signIn(baseUrl, email, password);
  const [plan] = await staff.listPlans();
  assert.ok(plan);
  const owner = { ownerEmail: 'owner@harbor.example', ownerName: 'Ada Berg' };
  const { partner } = await staff.createPartner({
    body: { name: 'Harbor', slug: 'harbor', timezone: 'America/Chicago', planId: plan.id, ...owner },
  });
  const { id } = await staff.createAgent({ body: { partnerId: partner.id, templateName: TEMPLATE } });
  const answer = await setupEnd(staff, await staff.provision({ params: { id: partner.id }, body: {} }));
  assert.equal(answer.instance.status, 'ready', answer.instance.lastError ?? '');
  return id;
}

describe(`several machines at ${SHAPE.perSecond} events/s`, { skip, timeout: 3_600_000 }, () => {
  let machines: Machines;
  let workspace: Workspace;
  let load: Load;
  let agents: string[];
  let alertsBefore: string[];
  /** The machines that were sent an event of their own. */
  const direct = new Set<string>();
  let neighbor: string;
  /** Runs of the neighbor. */
  const asides: string[] = [];

  before(async () => {
    machines = await startMachines();
    workspace = await seedWorkspace({ baseUrl: machines.baseUrl, admin: machines.admin, password: PASSWORD, report: () => undefined });
    assert.equal(workspace.problem, null);
    agents = await addAgents(machines, workspace, SHAPE.agents, TEMPLATE);
    neighbor = await addNeighbor(machines);
    await machines.query('update partner_quota set purchased_credits = purchased_credits + 1000000');
    alertsBefore = (await machines.query<{ id: string }>('select id from alert')).map(({ id }) => id);
    load = startLoad({ baseUrl: machines.baseUrl, secret: secret(), agents, perSecond: SHAPE.perSecond });
    await someAccepted();
  });
  after(async () => {
    await load?.stop();
    await machines?.close();
  });

  const secret = (): string => machines.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '';
  const all = (): Machine[] => [...machines.http, ...machines.workers, machines.engine];
  const count = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await machines.query<{ count: string }>(text, values))[0]?.count ?? 0);
  /** Waits until the system goes on: events are accepted, and one that came now from an agency that has nothing under way has run, ahead of the load's backlog. */
  const someAccepted = async (): Promise<void> => {
    const from = load.accepted.size;
    await until('events are accepted', () => load.accepted.size > from + SHAPE.perSecond);
    const id = await until(`the neighbor's event is accepted`, () => postAside(`aside-${asides.length}`));
    asides.push(id);
    await until(
      'it has run',
      async () => (await count(`select count(*) from execution where id = $1 and status = 'SUCCEEDED'`, [id])) === 1,
    );
  };
  /** Posts an event of the neighbor, always the same for one key, and returns its execution once it is accepted. */
  const postAside = async (key: string): Promise<string | undefined> => {
    const answer = await post(machines.baseUrl, neighbor, key);
    return answer.status === 202 ? ((await answer.json()) as { executionId: string }).executionId : undefined; // the contract's answer
  };
  const post = (baseUrl: string, agent: string, key: string): Promise<Response> =>
    fetch(`${baseUrl}/webhooks/agents/${agent}?token=${ingestToken(secret(), agent)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(EVENT),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  const countOpen = (): Promise<number> =>
    count(`select (select count(*) from execution where status = 'RUNNING') + (select count(*) from dispatch) as count`);
  /** Posts one event, always the same, to this process itself; returns whether it was accepted in time. */
  const postTo = async ({ name, port }: Machine): Promise<boolean> => {
    direct.add(name);
    return (await post(`http://127.0.0.1:${port}`, agents[0] ?? '', name)).status === 202;
  };
  const settle = async (context: TestContext, what: string): Promise<void> => {
    await someAccepted();
    context.diagnostic(`${what}: no event was accepted for at most ${(load.takeLongestGap() / 1000).toFixed(1)} s`);
    await delay(SHAPE.calmMs);
    load.takeLongestGap();
  };

  it('of which each is killed in turn', async (context) => {
    for (const machine of all()) {
      machine.kill();
      await machine.ready();
      await settle(context, `${machine.name} killed`);
    }
  });

  it('of which each is stopped in order and started again, one after the other', async (context) => {
    for (const machine of all()) {
      await machine.stop();
      await machine.start();
      await settle(context, `${machine.name} restarted`);
    }
  });

  it('of which one works behind a network that fails for a while', async (context) => {
    const [cut] = machines.workers;
    cut.network.cut();
    await delay(SHAPE.cutMs);
    await someAccepted();
    cut.network.restore();
    await settle(context, `${cut.name} cut off`);
  });

  it('whose primary dies, and the standby is promoted', async (context) => {
    const killedAt = performance.now();
    const since = (): string => `${((performance.now() - killedAt) / 1000).toFixed(1)} s after the kill`;
    // Half of the connections are closed, as by a proxy that has noticed; no one closes the others.
    await machines.failOver([machines.http[1], machines.workers[1], machines.engine]);
    context.diagnostic(`the standby is the primary ${since()}`);
    await Promise.all(
      machines.http.map(async (machine) => {
        await until(`${machine.name} accepts an event`, () => postTo(machine));
        context.diagnostic(`${machine.name} accepts events ${since()}`);
      }),
    );
    await until('both work', async () => {
      const rows = await machines.query("select from pg_stat_activity where application_name = 'portal worker'");
      return rows.length === 2;
    });
    context.diagnostic(`both work ${since()}`);
    await settle(context, 'primary killed');
    context.diagnostic(`what was accepted meanwhile has run ${since()}`);
  });

  it('of which one has a clock that is five minutes ahead, another one that is five minutes behind', async (context) => {
    const [[, ahead], [, behind]] = [machines.http, machines.workers];
    for (const [machine, shiftMs] of [
      [ahead, SKEW_MS],
      [behind, -SKEW_MS],
    ] as const) {
      await machine.stop();
      const preload = new URL('shifted-clock.mjs', import.meta.url).href;
      await machine.start({ NODE_OPTIONS: `--import=${preload}`, SHIFTED_CLOCK_MS: String(shiftMs) });
    }
    await settle(context, 'clocks moved');
    const ways = machines.http.map(({ port }) => `http://127.0.0.1:${port}`);
    for (const [at, other] of [ways, ways.toReversed()] as [string, string][]) {
      const session = await createClient(routes, { baseUrl: at, fetch }).login({
        body: { email: 'maya@northwind.example', password: PASSWORD },
      });
      assert.ok('accessToken' in session);
      for (const baseUrl of [at, other]) await createClient(routes, { baseUrl, fetch, token: () => session.accessToken }).getMe();
    }
    const [agent = ''] = await addAgents(machines, workspace, 1, TEMPLATE);
    const statuses: number[] = [];
    for (let n = 0; n < LIMIT + 20; n += 1) {
      const answer = await fetch(`${ways[n % 2]}/webhooks/agents/${agent}?token=${ingestToken(secret(), agent)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(EVENT),
      });
      statuses.push(answer.status);
      const waitSeconds = Number(answer.headers.get('retry-after') ?? 0);
      assert.ok(waitSeconds <= 60, `wait ${waitSeconds} s`);
    }
    assert.deepEqual([statuses.filter((status) => status === 202).length, statuses.filter((status) => status === 429).length], [LIMIT, 20]);
  });

  it('of which none works any more: one alert, which ends with the outage', async () => {
    await Promise.all(machines.workers.map((machine) => machine.stop()));
    await machines.query("update worker_heartbeat set seen_at = now() - interval '2 minutes'");
    const opened = () =>
      machines.query<{ status: string }>(`select status from alert where rule = 'no_worker' and not (id = any($1))`, [alertsBefore]);
    await until('the alert is raised', async () => (await opened()).length > 0);
    await Promise.all(machines.workers.map((machine) => machine.start()));
    await until('it has ended', async () => (await opened()).every(({ status }) => status === 'resolved'));
    assert.equal((await opened()).length, 1);
  });

  it('lose nothing that was accepted, run nothing twice and meter each event once', async (context) => {
    await load.stop();
    context.diagnostic(`answers: ${[...load.answers].map(([status, n]) => `${status} × ${n}`).join(', ')}`);
    const since = performance.now();
    // A backlog takes as long as it is large: an error is one that does not get smaller.
    for (let left = await countOpen(), before = left; left > 0; before = left)
      await until(`fewer than ${before} runs are open`, async () => (left = await countOpen()) < before);
    context.diagnostic(`${load.accepted.size} events; all ended ${((performance.now() - since) / 1000).toFixed(1)} s after the last`);
    const twice = [...load.accepted].filter(([, ids]) => ids.size !== 1);
    assert.deepEqual(twice, [], 'each event was accepted as one run');
    const ids = [...load.accepted.values(), asides].flatMap((some) => [...some]);
    assert.equal(new Set(ids).size, ids.length);
    const ended = await machines.query('select status, error_code, count(*)::int from execution where id = any($1) group by 1, 2', [ids]);
    assert.deepEqual(ended, [{ status: 'SUCCEEDED', error_code: null, count: ids.length }]);
    const [ledger] = await machines.query(
      `select (select count(*)::int from execution where workflow_id in (select id from workflow where template_name = '${TEMPLATE}')) as runs,
         (select count(*)::int from execution where status = 'SUCCEEDED') as succeeded,
         (select count(*)::int from usage_entry where kind = 'run') as entries, (select count(distinct execution_id)::int from usage_entry where kind = 'run') as metered,
         (select sum(used)::int from partner_quota) as used, (select -sum(credits)::int from usage_entry) as charged, (select sum(in_flight)::int from partner_quota) as held`,
    );
    assert.ok(ledger);
    assert.equal(ledger['runs'], ids.length + LIMIT + direct.size, 'no run that no sender knows of');
    assert.deepEqual(
      [ledger['entries'], ledger['metered'], ledger['used'], ledger['held']],
      [ledger['succeeded'], ledger['succeeded'], ledger['charged'], 0],
      'each is metered once',
    );
    const [inEngine] = await machines.queryEngine(
      `select count(*)::int as runs, count(distinct input::json->'body'->>'executionId')::int as executions from engine.run where input::json->'body'->>'executionId' is not null`,
    );
    assert.deepEqual(
      inEngine,
      { runs: ids.length + LIMIT + direct.size, executions: ids.length + LIMIT + direct.size },
      'each was handed over once',
    );
  });

  it('leave no alert behind', async () => {
    // The demo's own, about a key that its service refuses, may open late.
    const left = await machines.query(
      `select rule, subject_label, status from alert where status <> 'resolved' and rule <> 'credential_invalid' and not (id = any($1))`,
      [alertsBefore],
    );
    assert.deepEqual(left, []);
  });
});
