import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import type { ServerEvent } from '#platform/http/sse.ts';

let service: ProvisioningService;
before(async () => {
  service = await startProvisioningService();
});
after(() => service.close());

type Follower = {
  seen: ServerEvent[];
  until(id: string, status: string): Promise<ServerEvent>;
  untilLacking(id: string, missing: string[]): Promise<void>;
  stop: () => void;
};

/** The stream as the handler opens it; `until` waits for events, not for time. */
async function follow(
  as: Person,
  query: { clientId?: string; partnerId?: string } = {},
  lastEventId: string | null = null,
): Promise<Follower> {
  const seen: ServerEvent[] = [];
  let wake = (): void => undefined;
  const context = { actor: service.actor(as) } as Parameters<typeof service.requests.routes.streamAgentRequests>[1]; // the handler reads the actor only
  const answer = await service.requests.routes.streamAgentRequests({ query, params: {}, body: undefined }, context);
  const stop = await answer.source.open((event) => {
    seen.push(event);
    wake();
  }, lastEventId);
  const untilNews = () => new Promise<void>((resolve) => (wake = resolve));
  return {
    seen,
    stop,
    async until(id, status) {
      for (;;) {
        const found = seen.find((event) => dataOf(event).id === id && dataOf(event).status === status);
        if (found) return found;
        await untilNews();
      }
    },
    async untilLacking(id, missing) {
      const lacks = () => dataOf(seen.findLast((event) => dataOf(event).id === id))?.missingConnections;
      while (String(lacks()) !== String(missing)) await untilNews();
    },
  };
}
const wish = async (templateName: string, clientId = service.world.clientId, as: Person = 'owner') => {
  const made = await service.call('POST', '/agent-requests', { as, body: { clientId, templateName } });
  assert.equal(made.status, 201, made.text);
  return made.body.id as string;
};
const dataOf = (event: ServerEvent | undefined) =>
  event?.data as { id: string; status: string; decisionNote: string | null; clientId: string; missingConnections: string[] };

describe('the stream of agent requests', () => {
  it('sends each change to those concerned, as each may see it, and to no one else', async () => {
    const everybody: Person[] = ['staff', 'owner', 'moderator', 'clientUser', 'otherClientUser', 'rivalOwner'];
    const followers = Object.fromEntries(await Promise.all(everybody.map(async (as) => [as, await follow(as)] as const)));
    const id = await wish('lead-qualifier');
    const rejected = await service.call('POST', `/agent-requests/${id}/reject`, { as: 'staff', body: { note: 'Not this one.' } });
    assert.equal(rejected.status, 200, rejected.text);
    for (const as of ['staff', 'owner', 'moderator', 'clientUser']) {
      const received = await followers[as]?.until(id, 'rejected');
      assert.equal(received?.event, 'agent_request.changed');
      assert.equal(dataOf(received).decisionNote, as === 'clientUser' ? null : 'Not this one.');
    }
    // Readers not concerned have received nothing by the time a later reader has.
    const rival = await service.call('POST', '/agent-requests', {
      as: 'rivalOwner',
      body: { clientId: service.world.rivalClientId, templateName: 'lead-qualifier' },
    });
    await followers['rivalOwner']?.until(rival.body.id, 'submitted');
    assert.ok(followers['rivalOwner']?.seen.every((event) => dataOf(event).id === rival.body.id));
    assert.deepEqual(followers['otherClientUser']?.seen, []);
    for (const one of Object.values(followers)) one.stop();
  });

  it('sends what the pipeline does, follows one client if requested, and resumes where it stopped', async () => {
    const { clientId, otherClientId } = service.world;
    const one = await follow('owner', { clientId: otherClientId });
    const aside = await wish('review-request', clientId);
    const id = await wish('missed-call-text-back', otherClientId);
    const first = await one.until(id, 'submitted');
    assert.ok(one.seen.every((event) => dataOf(event).clientId === otherClientId));
    one.stop();
    // While no stream is open: approved, tried, failed for want of a credential.
    await service.call('POST', `/agent-requests/${id}/approve`, { as: 'staff', body: {} });
    await service.runner.drain();
    const resumed = await follow('owner', { clientId: otherClientId }, first.id);
    assert.deepEqual([dataOf(resumed.seen.at(-1)).id, dataOf(resumed.seen.at(-1)).status], [id, 'provisioning_failed']);
    assert.ok(resumed.seen.every((event) => dataOf(event).id !== aside));
    resumed.stop();
    const odd = await follow('owner', {}, 'not an id');
    assert.deepEqual(odd.seen, []);
    odd.stop();
  });

  it('sends a request whose credential was saved or removed while it waits for a decision', async () => {
    const [staff, owner] = [await follow('staff'), await follow('owner')];
    const id = await wish('missed-call-text-back');
    for (const one of [staff, owner]) await one.untilLacking(id, ['twilio']);
    await service.saveKey('twilio');
    for (const one of [staff, owner]) await one.untilLacking(id, []);
    const removed = await service.call('DELETE', '/credentials/twilio', { as: 'owner' });
    assert.equal(removed.status, 204, removed.text);
    for (const one of [staff, owner]) await one.untilLacking(id, ['twilio']);
    for (const one of [staff, owner]) one.stop();
  });

  it('is refused for another agency’s client, and ends with its session', async () => {
    const path = '/agent-requests/stream';
    assert.equal((await service.call('GET', `${path}?clientId=${service.world.rivalClientId}`, { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', `${path}?clientId=${service.world.otherClientId}`, { as: 'clientUser' })).status, 404);
    assert.equal((await service.call('GET', `${path}?partnerId=${service.world.partnerId}`, { as: 'owner' })).body.code, 'scope_forbidden');
    assert.equal((await service.call('GET', path)).status, 401);
  });
});
