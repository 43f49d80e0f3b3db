import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEMO, type DemoClient, ingestUrl, signIn, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { addRival, formOf } from '../harness/callers.ts';
import { unpack } from '../harness/exports.ts';
import { codeOf } from '../harness/refusal-code.ts';
import { DEMO_PASSWORD, runSweep, seedDemo, startSystem, type System, until } from '../harness/system.ts';

// The end of an account and the way back, on the running product: deletion approved, reactivated, approved again, purged.

const CALLER = '+13125550148';
/** What only this agency has. Kept: its issued invoices. */
const CANARIES = [
  DEMO.partner.name,
  'Oak Street Dental',
  'Lakeview Physio',
  'northwind',
  'oakstreet',
  'Lindqvist',
  CALLER,
  'leaving for canary reasons',
];

let system: System;
let workspace: Workspace;
let staff: DemoClient;
let ownerToken: string;
let url: string;
let logoUrl: string | null;
const faces = {} as Record<'owner' | 'moderator' | 'clientUser', DemoClient>; // filled before the first test

before(async () => {
  system = await startSystem({ endsAtRest: true });
  workspace = await seedDemo(system);
  await addRival(system, workspace);
  staff = workspace.admin;
  url = await ingestUrl(workspace.owner, workspace.workflowIds['missed-call-text-back']);
  ownerToken = await system.login(DEMO.owner.email, DEMO_PASSWORD);
  for (const face of ['owner', 'moderator', 'clientUser'] as const)
    faces[face] = await signIn(system.baseUrl, DEMO[face].email, DEMO_PASSWORD);
  const { id: logoMediaId } = await faces.owner.uploadMedia({ body: formOf({ purpose: 'logo' }) });
  ({ logoUrl } = await faces.owner.updateMyPartner({ body: { logoMediaId } }));
});
after(() => system?.stop());

async function missCall(): Promise<{ status: number; code: string | undefined; executionId: string | undefined }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callerNumber: CALLER, businessNumber: DEMO.businessNumber }),
  });
  const body = (await response.json()) as { code?: string; executionId?: string }; // the contract's answers to an event
  return { status: response.status, code: body.code, executionId: body.executionId };
}

/** Everything that a reactivation must bring back. */
const state = () =>
  system.query(
    `select json_agg(to_jsonb(w) - '{updated_at,on_since,last_run_at,last_run_day,last_status,failure_streak}'::text[] order by w.id) as workflows,
      (select json_agg(to_jsonb(s) - '{updated_at}'::text[] order by s.workflow_id) from workflow_schedule s where s.partner_id = $1) as schedules,
      (select json_agg(json_build_array(e.id, e.url, e.is_active) order by e.id) from webhook_endpoint e where e.partner_id = $1) as endpoints,
      (select json_agg(json_build_array(c.id, c.status) order by c.id) from client c where c.partner_id = $1) as clients,
      (select json_agg(to_jsonb(c) - '{last_used_at}'::text[] order by c.id) from credential c where c.partner_id = $1) as credentials
     from workflow w where w.partner_id = $1`,
    [workspace.partnerId],
  );

/** Rows of the other agencies in each table, as one text per table. */
async function neighbours(): Promise<Record<string, string>> {
  const tables = await system.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'partner_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await system.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t
       where partner_id <> $1 and partner_id not in (select id from partner where is_house)`,
      [workspace.partnerId],
    );
    found[name] = row?.sum ?? '';
  }
  return found;
}

/** Where a text is found: in any column of any table, but those of the sandbox, which stands in for other companies. */
async function findEverywhere(text: string): Promise<string[]> {
  const tables = await system.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'sandbox')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const hits = await system.query<{ row: string }>(
      `select left(t::text, 300) as row from ${name} t where position($1 in t::text) > 0 limit 1`,
      [text],
    );
    const bytes = Buffer.from(text).toString('hex');
    const hidden = await system.query<{ row: string }>(
      `select left(t::text, 80) as row from ${name} t where position($1 in t::text) > 0 limit 1`,
      [bytes],
    );
    for (const { row } of [...hits, ...hidden]) found.push(`${name}: ${row}`);
  }
  return found;
}

async function requestDeletion(): Promise<string> {
  const { name } = (await faces.owner.getMe()).partner;
  const request = await faces.owner.requestDeletion({
    body: { scope: 'partner', reason: 'We are leaving for canary reasons.', confirmName: name },
  });
  assert.equal(request.status, 'pending');
  return request.id;
}

describe('an agency that leaves', () => {
  let before: unknown;
  let requestId: string;

  it('requests its deletion once, and goes on until staff decide', async () => {
    const { status, executionId } = await missCall();
    assert.equal(status, 202);
    await until(
      'the run has ended',
      async () => (await faces.owner.getExecution({ params: { id: String(executionId) } })).status !== 'RUNNING',
    );
    before = await state();
    assert.equal(
      await codeOf(faces.owner.requestDeletion({ body: { scope: 'partner', reason: 'Leaving.', confirmName: 'Another name' } })),
      'validation_failed',
    );
    assert.equal(
      await codeOf(faces.moderator.requestDeletion({ body: { scope: 'partner', reason: 'Leaving.', confirmName: DEMO.partner.name } })),
      'partner_role_forbidden',
    );
    requestId = await requestDeletion();
    assert.equal(
      await codeOf(faces.owner.requestDeletion({ body: { scope: 'partner', reason: 'Leaving.', confirmName: DEMO.partner.name } })),
      'already_pending',
    );
    assert.equal(await codeOf(faces.owner.approveDeletion({ params: { id: requestId }, body: {} })), 'role_forbidden');
    assert.equal((await missCall()).status, 202);
  });

  it('is suspended by the approval: each face sees why and until when, and nothing else answers', async () => {
    const approved = await staff.approveDeletion({ params: { id: requestId }, body: { note: 'As you wish.' } });
    assert.equal(approved.status, 'approved');
    assert.ok(Date.parse(approved.purgeAfter ?? '') > Date.now() + 29 * 86_400_000);
    for (const face of Object.values(faces)) {
      const { user } = await face.getMe();
      assert.deepEqual(
        [user.suspension?.cause, user.suspension?.scope, user.suspension?.purgeAfter],
        ['deletion_approved', 'partner', approved.purgeAfter],
      );
      assert.equal(await codeOf(face.listAgents({ query: {} })), 'account_suspended');
    }
    const refused = await missCall();
    assert.deepEqual([refused.status, refused.code], [403, 'account_suspended']);
    assert.equal((await faces.owner.getBilling({ query: {} })).subscription.status !== undefined, true);
    const published = await system.query<{ reason: string }>(
      `select data->>'reason' as reason from event where partner_id = $1 and type = 'account.suspended'`,
      [workspace.partnerId],
    );
    assert.deepEqual(published, [{ reason: 'deletion_approved' }]);
  });

  it('takes its data along', async () => {
    const { id } = await faces.owner.createExport({ body: { scope: 'partner' } });
    const ready = await until('the export is ready', async () => {
      const found = await faces.owner.getExport({ params: { id } });
      return found.status === 'ready' && found;
    });
    const response = await fetch(`${system.baseUrl}/account-export/${id}/download`, { headers: { authorization: `Bearer ${ownerToken}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.deepEqual([response.status, bytes.length], [200, ready.sizeBytes]);
    const { text } = await unpack(bytes);
    for (const known of [CALLER, 'Oak Street Dental', DEMO.moderator.email]) assert.ok(text.includes(known), `${known} is in the export`);
    for (const secret of ['sandbox-auth-token', 're_sandbox_key', '$argon2'])
      assert.ok(!text.includes(secret), `${secret} is not in the export`);
  });

  it('comes back as it was when its reactivation is approved', async () => {
    assert.equal(await codeOf(faces.moderator.requestReactivation({ body: { message: 'Please.' } })), 'partner_role_forbidden');
    const { id } = await faces.owner.requestReactivation({ body: { message: 'We stay after all.' } });
    assert.equal(await codeOf(faces.owner.requestReactivation({ body: { message: 'Again.' } })), 'already_pending');
    await staff.approveReactivation({ params: { id }, body: {} });
    assert.deepEqual(await state(), before);
    assert.equal((await faces.owner.getDeletionRequest({ params: { id: requestId } })).status, 'cancelled');
    for (const face of Object.values(faces)) assert.equal((await face.getMe()).user.suspension, null);
    const { status, executionId } = await missCall();
    assert.equal(status, 202);
    const run = await until('the run has ended', async () => {
      const found = await faces.owner.getExecution({ params: { id: String(executionId) } });
      return found.status !== 'RUNNING' && found;
    });
    assert.equal(run.status, 'SUCCEEDED');
  });

  it('is purged when its thirty days are over: found nowhere but in its invoices, while the neighbour has all it had', async () => {
    requestId = await requestDeletion();
    await staff.approveDeletion({ params: { id: requestId }, body: {} });
    const others = await neighbours();
    const runsOf = (of: string[]) => system.query<{ n: number }>('select count(*)::int as n from engine.run where flow_id = any($1)', [of]);
    const flows = (
      await system.query<{ id: string }>('select provider_flow_id as id from workflow where partner_id = $1', [workspace.partnerId])
    ).map(({ id }) => id);
    assert.ok(((await runsOf(flows))[0]?.n ?? 0) > 0);
    assert.equal((await fetch(`${system.baseUrl}${logoUrl}`)).status, 200);
    // The clock moves on.
    await system.query(`update deletion_request set purge_after = now() - interval '1 minute' where id = $1`, [requestId]);
    await runSweep(system, 'purges.sweep');
    const purge = await until('the purge is completed', async () => {
      const found = await staff.getPurge({ params: { id: requestId } }).catch(() => null);
      return found?.status === 'completed' && found;
    });
    assert.ok(purge.steps.every((step) => step.status === 'succeeded'));
    assert.deepEqual(await neighbours(), others);
    for (const canary of CANARIES) {
      const places = (await findEverywhere(canary)).filter((place) => !/^(invoice|invoice_line|file_chunk)[:_]/.test(place));
      assert.deepEqual(places, [], canary);
      assert.ok(!system.log().includes(canary), `${canary} is in the log`);
    }
    for (const face of ['owner', 'moderator', 'clientUser'] as const) {
      assert.equal(await codeOf(faces[face].getMe()), 'unauthenticated');
      assert.equal(await codeOf(system.login(DEMO[face].email, DEMO_PASSWORD)), 'invalid_credentials');
    }
    assert.equal((await missCall()).status, 404);
    assert.deepEqual(await runsOf(flows), [{ n: 0 }]);
    assert.equal((await fetch(`${system.baseUrl}${logoUrl}`)).status, 404);
  });
});
