import assert from 'node:assert/strict';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { DEMO, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type System, until } from '../harness/system.ts';

/** Caller numbers of events that were answered 202, by execution. */
export type Accepted = Map<string, string>;

/** A running system with the demo workspace. */
export type Loaded = { system: System; workspace: Workspace };

/**
 * Error codes of runs whose text met no provider, by what was killed: the sandbox is part of the service, and without Postgres, where it stores its calls, it
 * answers 500.
 */
export const FELL_WITH = { service: 'twilio_unreachable', postgres: 'twilio_down' } as const;

let calls = 0;

/** Copies of an installed agent, each for a client of its own: one agent takes sixty events a minute, a load needs several. They share its flow. */
export async function addAgents(
  system: Pick<System, 'query'>,
  workspace: Workspace,
  count = 16,
  templateName = 'missed-call-text-back',
): Promise<string[]> {
  const rows = await system.query<{ id: string }>(
    `with clients as (
       insert into client (partner_id, name, timezone) select $2, 'Client ' || n, 'America/Chicago' from generate_series(1, $3) n returning id
     )
     insert into workflow (partner_id, client_id, template_name, template_version, name, provider_flow_id, is_active, config)
     select w.partner_id, c.id, w.template_name, w.template_version, w.name, w.provider_flow_id, true, w.config
     from workflow w cross join clients c where w.id = $1 returning id`,
    [workspace.workflowIds[templateName], workspace.partnerId, count],
  );
  return rows.map((row) => row.id);
}

/** Posts missed calls to all agents in turn, `width` at a time. An event without a response counts as not accepted. */
export async function loadEvents(
  system: System,
  agents: readonly string[],
  count: number,
  accepted: Accepted = new Map(),
  width = 8,
): Promise<Accepted> {
  const secret = system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '';
  let left = count;
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      const agent = agents[calls++ % agents.length] ?? '';
      const callerNumber = `+1312${String(5_000_000 + calls)}`;
      const answer = await fetch(`${system.baseUrl}/webhooks/agents/${agent}?token=${ingestToken(secret, agent)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ callerNumber, businessNumber: DEMO.businessNumber }),
      }).catch(() => null);
      if (answer?.status !== 202) continue;
      const body = (await answer.json().catch(() => ({}))) as { executionId?: string }; // the contract's answer to an accepted event
      if (body.executionId) accepted.set(body.executionId, callerNumber);
    }
  };
  await Promise.all(Array.from({ length: width }, sender));
  return accepted;
}

type Facts = {
  open: number;
  runs: number;
  running: number;
  succeeded: number;
  fallen: number;
  metered: number;
  meteredRuns: number;
  texted: number;
};

/**
 * Waits until every accepted run has ended; then each is in the ledger once if it succeeded and not at all if it did not, and nothing
 * is held any more. All succeed, except those that met no provider because `killed` took the sandbox away.
 */
export async function assertEachEndedOnce(system: System, accepted: Accepted, killed?: keyof typeof FELL_WITH): Promise<void> {
  const look = async (): Promise<Facts> => {
    const values = [[...accepted.keys()], [...accepted.values()], killed === undefined ? null : FELL_WITH[killed]];
    const [facts] = await system.query<Facts>(FACTS, values);
    assert.ok(facts);
    return facts;
  };
  let last = await look();
  // Includes events whose 202 never reached the sender, because the service died in between.
  await until('every run has ended', async () => (last = await look()).open === 0).catch(() => undefined);
  const good = accepted.size - last.fallen;
  assert.deepEqual(
    { ...last, texted: 0 },
    { open: 0, runs: accepted.size, running: 0, succeeded: good, fallen: last.fallen, metered: good, meteredRuns: good, texted: 0 },
  );
  assert.ok(last.texted >= good, `${last.texted} texts for ${good} runs`);
  const [rest] = await system.query(
    'select (select count(*)::int from dispatch) as waiting, (select sum(in_flight)::int from partner_quota) as held',
  );
  assert.deepEqual(rest, { waiting: 0, held: 0 });
  const [ledger] = await system.query(
    'select (select sum(used)::int from partner_quota) as used, (select -sum(credits)::int from usage_entry) as metered',
  );
  assert.equal(ledger?.['used'], ledger?.['metered'], 'the counter and the ledger agree');
}

const FACTS = `select (select count(*)::int from execution where status = 'RUNNING') + (select count(*)::int from dispatch) as open,
  (select count(*)::int from execution where id = any($1)) as runs,
  (select count(*)::int from execution where id = any($1) and status = 'RUNNING') as running,
  (select count(*)::int from execution where id = any($1) and status = 'SUCCEEDED') as succeeded,
  (select count(*)::int from execution where id = any($1) and error_code = $3) as fallen,
  (select count(*)::int from usage_entry where execution_id = any($1)) as metered,
  (select count(distinct execution_id)::int from usage_entry where execution_id = any($1)) as "meteredRuns",
  (select count(*)::int from sandbox.call c where c.body like any(select '%To=%2B' || substr(n, 2) || '&%' from unnest($2::text[]) n)) as texted`;
