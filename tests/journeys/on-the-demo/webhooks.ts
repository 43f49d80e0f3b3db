import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ApiError, type Client } from '@partner-portal/contract/client.ts';
import { EVENT_DATA } from '@partner-portal/contract/events.ts';
import type { Routes } from '@partner-portal/contract/index.ts';
import { EVENT_TYPES, type EventType, LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { DEMO, ingestUrl, postJson, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { Received, Receiver } from '../../harness/deliveries.ts';
import { readSigned } from '../../harness/stripe.ts';
import { DEMO_PASSWORD, type System, until } from '../../harness/system.ts';
import type { OnTheDemo } from './open.ts';

// The running product notifies the partner's own systems: each event from its real cause, over a real socket, checked by a library
// that was written elsewhere.

type Calls = Client<Routes>;
type Envelope = { id: string; type: EventType; createdAt: string; data: Record<string, unknown> };

/** Fire as soon as the capability that causes them is there; adding it moves its type to a test below. */
const WAITING: readonly EventType[] = ['seat_purchase.completed'];

let system: System;
let workspace: Workspace;
let receiver: Receiver;
let owner: Calls;
let endpoint: { id: string; secret: string };
const seen = new Set<EventType>();

/** Reads a delivery as its receiver should: signature first, then the promise of its type. */
function read(one: Received): Envelope {
  const event = readSigned(one.body, one.headers['x-service-signature'], endpoint.secret);
  const envelope = event as Envelope; // its type is looked at next, its data by the contract
  assert.equal(one.headers['x-service-event'], envelope.type);
  assert.match(envelope.id, /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual(Object.keys(envelope), ['id', 'type', 'createdAt', 'data']);
  EVENT_DATA[envelope.type].strict().parse(envelope.data);
  assert.equal(envelope.data['partnerId'], workspace.partnerId);
  return envelope;
}

/** The event of this type that says so, once it has arrived. */
async function arrived(type: EventType, says: (data: Record<string, unknown>) => boolean = () => true): Promise<Envelope> {
  const event = await until(`${type} has arrived`, () =>
    receiver.received.map((one) => JSON.parse(one.body) as Envelope).find((one) => one.type === type && says(one.data)),
  );
  const of = receiver.received.filter((one) => one.body.includes(event.id));
  assert.equal(of.length, 1, 'it came once');
  seen.add(type);
  return of.map(read)[0] ?? event;
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (refused: unknown) => refused,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error.problem?.code;
}

const member = (data: Record<string, unknown>, name: string): Record<string, unknown> => (data[name] ?? {}) as Record<string, unknown>; // of events the contract has parsed

export function testWebhooks(open: () => OnTheDemo): void {
  before(async () => {
    ({ system, workspace, receiver } = open());
    owner = system.client(await system.login(DEMO.owner.email, DEMO_PASSWORD));
    endpoint = await owner.createWebhook({ body: { url: receiver.url } });
  });

  describe('an event leaves the house when its cause has happened', () => {
    it('a missed call crosses a usage threshold: the execution is metered and the partner’s system notified', async () => {
      await system.query(
        'update partner_quota set used = monthly_credits / 2 - 1, purchased_credits = 0, highest_threshold = 0 where partner_id = $1',
        [workspace.partnerId],
      );
      const url = await ingestUrl(owner, workspace.workflowIds['missed-call-text-back']);
      const posted = await postJson(url, { callerNumber: '+13125550198', businessNumber: DEMO.businessNumber });
      const { executionId } = (await posted.json()) as { executionId: string }; // the contract's answer to an accepted event
      const event = await arrived('usage.threshold_crossed');
      assert.deepEqual([event.data['metric'], event.data['thresholdPercent']], ['credits', 50]);
      const run = await owner.getExecution({ params: { id: executionId } });
      assert.deepEqual([run.status, run.creditsCharged], ['SUCCEEDED', 1]);
      assert.equal(event.data['used'], (await owner.getQuota()).used);
    });

    it('an agent is requested, fails for want of a key, is approved and fulfilled, or rejected', async () => {
      const { admin, oakStreetId: clientId } = workspace;
      const ask = async (templateName: string): Promise<string> => {
        const made = await owner.createAgentRequest({ body: { clientId, templateName } });
        return 'id' in made ? made.id : '';
      };
      const is = (id: string, resolution?: string) => (data: Record<string, unknown>) =>
        member(data, 'agentRequest')['id'] === id && (resolution === undefined || data['resolution'] === resolution);
      const keyless = await ask('lead-intake-cleaner');
      const submitted = await arrived('agent_request.submitted', is(keyless));
      assert.deepEqual(
        [member(submitted.data, 'client')['name'], member(submitted.data, 'actor')['email']],
        ['Oak Street Dental', DEMO.owner.email],
      );
      await admin.approveAgentRequest({ params: { id: keyless }, body: { provisionNow: true } });
      await arrived('agent_request.resolved', is(keyless, 'approved'));
      const fulfilled = await arrived('agent_request.resolved', is(keyless, 'fulfilled'));
      assert.equal(member(fulfilled.data, 'agent')['isActive'], true);

      const needsKey = await ask('no-show-rebooking');
      await admin.approveAgentRequest({ params: { id: needsKey }, body: { provisionNow: true } });
      const failed = await arrived('agent_request.provisioning_failed', is(needsKey));
      const missing = failed.data['missingConnections'] as { provider: string }[]; // parsed by the contract
      assert.ok(missing.some(({ provider }) => provider === 'calcom'));

      const unwanted = await ask('review-request').catch(() => ask('quote-follow-up'));
      await admin.rejectAgentRequest({ params: { id: unwanted }, body: { note: 'Not for this one.' } });
      assert.equal((await arrived('agent_request.resolved', is(unwanted, 'rejected'))).data['note'], 'Not for this one.');
    });

    it('a user is invited to a client’s portal: the link is not part of it', async () => {
      const body = { kind: 'client_user', email: 'second@oakstreet.example', clientId: workspace.oakStreetId } as const;
      const { acceptUrl } = await owner.createInvitation({ body });
      const event = await arrived('client_user.invited', (data) => member(data, 'invitation')['email'] === body.email);
      const token = String(acceptUrl).split('/').at(-1) ?? '';
      assert.ok(token.length > 20 && !JSON.stringify(event).includes(token));
    });

    it('a test is asked for', async () => {
      const { eventId } = await owner.testWebhook({ params: { id: endpoint.id } });
      const event = await arrived('webhook.test');
      assert.deepEqual([event.id, event.data['endpointId'], event.data['synthetic']], [eventId, endpoint.id, true]);
    });

    it('a client is suspended, and then the agency itself, which is still notified', async () => {
      const { admin, lakeviewId, partnerId } = workspace;
      await owner.suspendClient({ params: { id: lakeviewId }, body: { reason: 'moved away' } });
      await arrived('account.suspended', (data) => member(data, 'account')['id'] === lakeviewId);
      await admin.suspendPartner({ params: { id: partnerId }, body: { reason: 'unpaid' } });
      await arrived('account.suspended', (data) => member(data, 'account')['id'] === partnerId);
      await admin.resumePartner({ params: { id: partnerId } });
      owner = system.client(await system.login(DEMO.owner.email, DEMO_PASSWORD));
    });

    it('a deletion is requested and rejected, then approved, for a client and for the agency itself, and the account is suspended', async () => {
      const { admin, partnerId } = workspace;
      const { id: clientId } = await owner.createClient({ body: { name: 'Closing Shop' } });
      const of = (id: string, resolution?: string) => (data: Record<string, unknown>) =>
        member(data, 'account')['id'] === id && (resolution === undefined || data['resolution'] === resolution);
      const order = { scope: 'client' as const, clientId, reason: 'It closes.', confirmName: 'Closing Shop' };
      const first = await owner.requestDeletion({ body: order });
      const submitted = await arrived('deletion_request.submitted', of(clientId));
      assert.deepEqual(submitted.data['deletionRequest'], { id: first.id, scope: 'client', reason: 'It closes.', status: 'pending' });
      await owner.rejectDeletion({ params: { id: first.id }, body: { note: 'Not yet' } });
      assert.equal((await arrived('deletion_request.resolved', of(clientId, 'rejected'))).data['note'], 'Not yet');
      const { id } = await owner.requestDeletion({ body: order });
      const approved = await owner.approveDeletion({ params: { id }, body: {} });
      const resolved = await arrived('deletion_request.resolved', of(clientId, 'approved'));
      assert.equal(resolved.data['purgeAfter'], approved.purgeAfter);
      const suspended = await arrived('account.suspended', of(clientId));
      assert.deepEqual(
        [suspended.data['reason'], suspended.data['deletionRequestId'], suspended.data['reactivation']],
        ['deletion_approved', id, { allowed: true, until: approved.purgeAfter }],
      );
      const own = await owner.requestDeletion({ body: { scope: 'partner', reason: 'We merge.', confirmName: DEMO.partner.name } });
      await arrived('deletion_request.submitted', of(partnerId));
      await admin.approveDeletion({ params: { id: own.id }, body: {} });
      await arrived('deletion_request.resolved', of(partnerId, 'approved'));
      await arrived('account.suspended', (data) => data['deletionRequestId'] === own.id);
      const back = await owner.requestReactivation({ body: { message: 'We do not.' } });
      await admin.approveReactivation({ params: { id: back.id }, body: {} });
      assert.equal((await owner.getMyPartner()).status, 'active');
      const { eventId } = await owner.testWebhook({ params: { id: endpoint.id } });
      await until('webhooks deliver again', () => receiver.received.some(({ body }) => body.includes(eventId)));
    });

    it('and every type of the contract is among these, but those whose cause is yet to be built', () => {
      assert.deepEqual([...seen, ...WAITING].toSorted(), [...EVENT_TYPES].toSorted());
    });
  });

  describe('an event that an endpoint missed', () => {
    it('is kept while it is off and sent again on request, in order, with the ids it had', async () => {
      const { id } = endpoint;
      // What happened before is not among what is missed.
      await until('nothing is under way', async () => {
        const rows = await system.query(
          "select 1 from event where due_at is not null union all select 1 from delivery where status = 'pending'",
        );
        return rows.length === 0;
      });
      const since = new Date().toISOString();
      await owner.updateWebhook({ params: { id }, body: { isActive: false } });
      for (const n of [1, 2, 3]) {
        const email = `missed-${n}@oakstreet.example`;
        await owner.createInvitation({ body: { kind: 'client_user', email, clientId: workspace.oakStreetId } });
      }
      const missed = await until('three deliveries are kept', async () => {
        const rows = (await owner.listDeliveries({ params: { id } })).filter((row) => row.reason === 'endpoint_inactive');
        return rows.length === 3 && rows;
      });
      const before = receiver.received.length;
      await owner.updateWebhook({ params: { id }, body: { isActive: true } });
      const dry = await owner.recoverDeliveries({ params: { id }, body: { since, dryRun: true } });
      assert.deepEqual([dry.count, dry.recovery], [3, null]);
      const { recovery } = await owner.recoverDeliveries({ params: { id }, body: { since } });
      assert.equal(recovery?.total, 3);
      const ended = await until('the recovery has ended', async () => {
        const [newest] = await owner.listRecoveries({ params: { id } });
        return newest?.status === 'completed' && newest;
      });
      assert.deepEqual([ended.queued, ended.delivered, ended.failed], [3, 3, 0]);
      const resent = receiver.received.slice(before).map(read);
      assert.deepEqual(resent.map((event) => event.id).toSorted(), missed.map((row) => row.eventId).toSorted());
    });

    it('is tried again by itself after a failure, each attempt with a signature of its own time', async () => {
      let answers = 0;
      receiver.answer = (_request, response) => void response.writeHead((answers += 1) === 1 ? 503 : 200).end();
      const before = receiver.received.length;
      const { deliveryId } = await owner.testWebhook({ params: { id: endpoint.id } });
      // Asked of the table: a person may ask a hundred times a minute only.
      await until('it is delivered', async () => {
        const rows = await system.query("select 1 from delivery where id = $1 and status = 'delivered'", [deliveryId]);
        return rows.length === 1;
      });
      const row = (await owner.listDeliveries({ params: { id: endpoint.id } })).find((one) => one.id === deliveryId);
      assert.deepEqual(
        row?.attempts.map((one) => [one.n, one.httpStatus, one.error]),
        [
          [1, 503, 'status'],
          [2, 200, null],
        ],
      );
      const attempts = receiver.received.slice(before);
      attempts.map(read);
      assert.equal(new Set(attempts.map((one) => one.body)).size, 1);
      assert.equal(new Set(attempts.map((one) => one.headers['x-service-signature'])).size, 2);
    });
  });

  describe('endpoints', () => {
    it('stop at five, however many are registered at the same moment', async () => {
      const free = LIMITS.webhookEndpointsMax - (await owner.listWebhooks()).length;
      const answers = await Promise.allSettled(Array.from({ length: 12 }, () => owner.createWebhook({ body: { url: receiver.url } })));
      const made = answers.filter((answer) => answer.status === 'fulfilled');
      assert.equal(made.length, free);
      for (const refused of answers.filter((answer) => answer.status === 'rejected'))
        assert.ok(refused.reason instanceof ApiError && refused.reason.problem?.code === 'webhook_limit_reached');
      const rows = await owner.listWebhooks();
      assert.equal(rows.length, LIMITS.webhookEndpointsMax);
      for (const { value } of made) await owner.deleteWebhook({ params: { id: value.id } });
    });

    it('are looked at by the moderator, who changes nothing, and by staff over all agencies', async () => {
      const moderator = system.client(await system.login(DEMO.moderator.email, DEMO_PASSWORD));
      const params = { id: endpoint.id };
      assert.equal((await moderator.listWebhooks()).length, 1);
      assert.ok((await moderator.listDeliveries({ params })).length > 5);
      assert.equal(await codeOf(moderator.testWebhook({ params })), 'partner_role_forbidden');
      assert.equal(await codeOf(moderator.createWebhook({ body: { url: receiver.url } })), 'partner_role_forbidden');
      const { data } = await workspace.admin.listWebhookEndpoints({ query: { partnerId: workspace.partnerId } });
      assert.deepEqual(
        [data[0]?.id, data[0]?.partnerName, data[0]?.contactEmail],
        [endpoint.id, DEMO.partner.name, 'help@northwind.example'],
      );
      const clientUser = system.client(await system.login(DEMO.clientUser.email, DEMO_PASSWORD));
      assert.equal(await codeOf(clientUser.listWebhooks()), 'role_forbidden');
    });
  });
}
