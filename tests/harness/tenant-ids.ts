import assert from 'node:assert/strict';
import { routes } from '@partner-portal/contract/index.ts';
import { DEMO, ingestUrl, postJson, registerReceiver, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { bodyOf, type Ids } from './route-cases.ts';
import { callRoute, formOf } from './callers.ts';
import { addVisitorConversation } from './conversations.ts';
import { sandboxToken, sandboxUrl, type System, until } from './system.ts';

/** Creates one record of every kind for the demo partner and returns the ids; `bearer` is a session of its owner. */
export async function collectIds(system: System, workspace: Workspace, bearer: string): Promise<Ids> {
  const { owner, admin, partnerId, oakStreetId, workflowIds } = workspace;
  const workflow = workflowIds['missed-call-text-back'] ?? '';
  const posted = await postJson(await ingestUrl(owner, workflow), { callerNumber: '+13125550148', businessNumber: DEMO.businessNumber });
  const { executionId } = (await posted.json()) as { executionId: string }; // the contract's answer to an accepted event
  await until('the run has ended', async () => (await owner.getExecution({ params: { id: executionId } })).status !== 'RUNNING');
  const { data: clientUsers } = await owner.listClientUsers({ params: { id: oakStreetId } });
  const [user] = clientUsers;
  const invitation = await owner.createInvitation({
    body: { kind: 'client_user', email: 'waiting@oakstreet.example', clientId: oakStreetId },
  });
  const [attempt] = await admin.listAttempts({ params: { id: partnerId } });
  const request = await requestAgent(system, oakStreetId, bearer);
  return {
    partner: partnerId,
    client: oakStreetId,
    user: user?.id ?? '',
    invitation: invitation.id,
    workflow,
    execution: executionId,
    attempt: attempt?.id ?? '',
    request,
    nameReview: await addNameReview(system, workspace.partnerId),
    planRequest: (await owner.createPlanRequest({ body: { kind: 'custom', message: 'More of everything, please.' } })).id,
    ...(await addAccountRequests(system, partnerId, oakStreetId)),
    rollout: await addRollout(system),
    invoice: await addInvoice(system, partnerId),
    export: await addExport(system, partnerId),
    media: (await owner.uploadMedia({ body: formOf({ purpose: 'general' }) })).id,
    clientImport: (await owner.importClients({ body: formOf({}, 'table') })).import?.id ?? '',
    knowledge: (await owner.uploadKnowledge({ body: formOf({ clientId: oakStreetId }, 'text') })).id,
    ...(await findAlert(workspace)),
    ...(await addWebhook(system, workspace)),
    textSuggestion: await addTextSuggestion(system, { partnerId, clientId: oakStreetId, workflow }),
    conversation: await addVisitorConversation(system, { partnerId, clientId: oakStreetId }),
    cannedReply: (await owner.addCannedReply({ body: { clientId: oakStreetId, title: 'Hours', text: 'We open at nine.' } })).id,
    mail: (await admin.listMail({ query: { partnerId } })).data[0]?.id ?? '',
  };
}

/** An endpoint with a finished delivery and an empty recovery. */
async function addWebhook(system: System, workspace: Workspace): Promise<Pick<Ids, 'endpoint' | 'delivery' | 'recovery'>> {
  const { owner, partnerId } = workspace;
  const endpoint = await registerReceiver(owner, { url: sandboxUrl(system, '/receiver/isolated'), token: sandboxToken(system) });
  const { deliveryId } = await owner.testWebhook({ params: { id: endpoint } });
  await until('the test was delivered', async () => {
    const rows = await owner.listDeliveries({ params: { id: endpoint } });
    return rows.every((row) => row.status === 'delivered');
  });
  const [recovery] = await system.query<{ id: string }>(
    `insert into webhook_recovery (partner_id, endpoint_id, since, until, total, status, finished_at) values ($1, $2, now() - interval '1 hour', now(), 0, 'completed', now())
     returning id`,
    [partnerId, endpoint],
  );
  return { endpoint, delivery: deliveryId, recovery: recovery?.id ?? '' };
}

/** The demo has an alert: a key whose check failed, with a notification for every member. */
async function findAlert(workspace: Workspace): Promise<Pick<Ids, 'alert' | 'notification'>> {
  const { owner } = workspace;
  const alert = await until('the refused key has opened an alert', async () => (await owner.listAlerts()).data[0]);
  return { alert: alert.id, notification: (await owner.listNotifications()).data[0]?.id ?? '' };
}

/** A deletion that was withdrawn and a reactivation that was rejected: the account is as it was. */
async function addAccountRequests(system: System, partnerId: string, clientId: string): Promise<Pick<Ids, 'deletion' | 'reactivation'>> {
  const [row] = await system.query<{ deletion: string; reactivation: string }>(
    `with d as (insert into deletion_request (partner_id, client_id, scope, account_name, reason, status, requester_role)
        values ($1, $2, 'client', 'Oak Street Dental', 'a test', 'cancelled', 'PARTNER') returning id),
      r as (insert into reactivation_request (partner_id, client_id, scope, message, status, requester_role)
        values ($1, $2, 'client', 'a test', 'rejected', 'CLIENT') returning id)
     select d.id as deletion, r.id as reactivation from d, r`,
    [partnerId, clientId],
  );
  return { deletion: row?.deletion ?? '', reactivation: row?.reactivation ?? '' };
}

/** A name that staff have approved, so that it holds no mail. */
async function addNameReview(system: System, partnerId: string): Promise<string> {
  const text = `insert into name_review (partner_id, name, resembles, status, decided_at) values ($1, 'PayPal Security', 'PayPal', 'approved', now()) returning id`;
  const [row] = await system.query<{ id: string }>(text, [partnerId]);
  return row?.id ?? '';
}

/** A completed rollout: only staff may see whom it reached. */
async function addRollout(system: System): Promise<string> {
  const text =
    "insert into rollout (template_name, target_version, batch_size, status, due_at) values ('missed-call-text-back', 2, 1, 'completed', null) returning id";
  const [row] = await system.query<{ id: string }>(text);
  return row?.id ?? '';
}

/** An export that failed. */
async function addExport(system: System, partnerId: string): Promise<string> {
  const text = `insert into account_export (partner_id, scope, status, error, finished_at) values ($1, 'partner', 'failed', 'a test', now()) returning id`;
  const [row] = await system.query<{ id: string }>(text, [partnerId]);
  return row?.id ?? '';
}

/** A text that a client suggested and withdrew. */
async function addTextSuggestion(system: System, of: { partnerId: string; clientId: string; workflow: string }): Promise<string> {
  const [row] = await system.query<{ id: string }>(
    `insert into text_suggestion (partner_id, client_id, workflow_id, key, before, text, status, suggested_by_name, decided_at)
      values ($1, $2, $3, 'message', 'Before', 'After', 'withdrawn', 'A person', now()) returning id`,
    [of.partnerId, of.clientId, of.workflow],
  );
  return row?.id ?? '';
}

/** An issued invoice without lines. */
async function addInvoice(system: System, partnerId: string): Promise<string> {
  const [row] = await system.query<{ id: string }>(
    `insert into invoice (partner_id, status, number, currency, seller, buyer, issued_at, due_at, mailed_at)
      values ($1, 'issued', '1999-000001', 'USD', $2, $2, now(), now() + interval '14 days', now()) returning id`,
    [partnerId, JSON.stringify({ name: 'A party', address: null, country: null, taxId: null, email: null })],
  );
  return row?.id ?? '';
}

async function requestAgent(system: System, clientId: string, authorization: string): Promise<string> {
  const name = 'createAgentRequest';
  const made = await callRoute(system, name, { body: { ...bodyOf(name, routes[name]), clientId }, authorization });
  assert.equal(made.status, 201, made.text);
  return (JSON.parse(made.text) as { id: string }).id; // the contract's record
}

/** Returns a digest of all records of the partner once no job is pending: a refused call must not change it. */
export async function fingerprint(system: System, partnerId: string): Promise<string> {
  await until('nothing is under way', async () => {
    const [left] = await system.query<{ count: number }>(UNDER_WAY, [partnerId]);
    return left?.count === 0;
  });
  const tables = [
    'partner',
    'client',
    'app_user',
    'invitation',
    'workflow',
    'credential',
    'execution',
    'automation_instance',
    'provisioning_attempt',
    'usage_entry',
    'opt_out',
    'plan_request',
    'mail',
    'webhook_endpoint',
    'webhook_recovery',
    'delivery',
    'billing_order',
    'billing_profile',
    'invoice',
    'account_export',
    'media',
    'conversation',
    'conversation_message',
    'conversation_read',
    'canned_reply',
  ];
  const parts = tables.map(
    (table) =>
      `select '${table}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${table} t where ${table === 'partner' ? 'id' : 'partner_id'} = $1${table === 'mail' ? NO_DIGEST : ''}`,
  );
  return JSON.stringify(await system.query(parts.join(' union all '), [partnerId]));
}

/** Jobs, mails, reactions, executions and deliveries in one statement: each hands over to the next in one transaction. One job sends all mails. */
const UNDER_WAY = `select (select count(*)::int from graphile_worker.jobs where task_identifier <> 'mail.send' and run_at <= now() and attempts < max_attempts)
  + (select count(*)::int from mail where partner_id = $1 and status = 'queued')
  + (select count(*)::int from event where due_at is not null) + (select count(*)::int from dispatch)
  + (select count(*)::int from execution where partner_id = $1 and status = 'RUNNING')
  + (select count(*)::int from delivery where partner_id = $1 and status = 'pending') as count`;
/** The daily digest may be sent at any time. */
const NO_DIGEST = ` and kind <> 'digest'`;
