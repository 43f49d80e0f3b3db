import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

let service: ExecutionService;
let reviews: string;
before(async () => {
  service = await startExecutionService();
  reviews = await service.addAgent({ templateName: 'review-request' });
});
after(() => service.close());

const RATED = { customerName: 'Leo Grant', customerPhone: '+13125550144', rating: '2 of 5' };

async function ended(report: Record<string, unknown>): Promise<string> {
  const { status, body } = await service.ingest(reviews, RATED);
  assert.equal(status, 202, JSON.stringify(body));
  await service.executions.dispatcher.runOnce();
  await service.report(body.executionId, report);
  return body.executionId;
}
type Shown = { id: string; tone: string | null; summary: string };
async function shown(id: string, as: 'owner' | 'clientUser'): Promise<Shown> {
  const list = await service.call('GET', '/executions', { as });
  const page = await service.call('GET', `/executions/${id}`, { as });
  assert.deepEqual([list.status, page.status], [200, 200]);
  const row: Shown = list.body.data.find((one: Shown) => one.id === id);
  assert.deepEqual([page.body.tone, page.body.summary], [row.tone, row.summary]);
  return row;
}

describe('a run that succeeded because a customer was not happy', () => {
  it('needs a person, in the list, on its page and in the language of the client', async () => {
    const id = await ended({ status: 'SUCCEEDED', output: { asked: false, mailId: 'm1' } });
    const agency = await shown(id, 'owner');
    assert.deepEqual([agency.tone, agency.summary], ['attention', 'Leo Grant was not happy (rating: 2 of 5): the owner was notified']);
    await service.query("update app_user set locale = 'de' where role = 'CLIENT'");
    const client = await shown(id, 'clientUser');
    assert.deepEqual(
      [client.tone, client.summary],
      ['attention', 'Leo Grant war nicht zufrieden (Bewertung: 2 of 5): der Inhaber wurde benachrichtigt'],
    );
  });
  it('is good when a happy one was asked, neutral when it ended early, and has no tone while it runs or when it failed', async () => {
    const tone = async (report: Record<string, unknown>) => (await shown(await ended(report), 'owner')).tone;
    assert.equal(await tone({ status: 'SUCCEEDED', output: { asked: true, messageId: 's1' } }), 'good');
    assert.equal(await tone({ status: 'SUCCEEDED', output: { skipped: true, reason: 'quiet_hours', message: 'x' } }), 'neutral');
    assert.equal(await tone({ status: 'FAILED', error: { code: 'twilio_400_21606', message: 'x', stepName: 'send_text' } }), null);
    const { body } = await service.ingest(reviews, RATED);
    assert.equal((await shown(body.executionId, 'owner')).tone, null);
  });
});
