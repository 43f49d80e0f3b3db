import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

/** An agent that texts a person again after some hours only counts a run that is under way as a contact. */

let service: ExecutionService;
let calls: string;
before(async () => {
  service = await startExecutionService({ firstContactsPerHour: 3 });
  calls = await service.addAgent();
});
after(() => service.close());
beforeEach(async () => {
  service.engine.calls.length = 0;
  for (const table of ['dispatch', 'under_way', 'first_contact', 'workflow_contact']) await service.query(`delete from ${table}`);
});

let people = 0;
const someone = (): string => `+1312555${String(3000 + (people += 1))}`;
const accept = (callerNumber = someone(), workflowId = calls): Promise<string> => service.accept(workflowId, { ...CALL, callerNumber });
const handOver = (): Promise<number> => service.executions.dispatcher.runOnce();

describe('a person who calls again before the first text is out', () => {
  /** What each run, in the order in which they were sent, knows of an earlier contact. */
  const contacts = () => service.engine.calls.map(({ body }) => typeof body.facts['lastContactAt']);

  it('is known to the later runs of one claim, and of claims after it', async () => {
    const caller = someone();
    for (let n = 0; n < 3; n += 1) await accept(caller);
    await handOver();
    await accept(caller);
    await handOver();
    assert.deepEqual(contacts(), ['object', 'string', 'string', 'string']);
  });

  it('is known to runs that waited for the next hour of first contacts', async () => {
    for (let n = 0; n < 3; n += 1) await accept();
    const caller = someone();
    for (let n = 0; n < 2; n += 1) await accept(caller);
    await handOver();
    service.engine.calls.length = 0;
    await service.query("update first_contact set at = at - interval '1 hour'");
    await service.query('update dispatch set due_at = now(), held_until = now() where held_until is not null');
    await handOver();
    assert.deepEqual(contacts(), ['object', 'string']);
  });

  it('is known to each run but one when two processes hand over', async () => {
    const caller = someone();
    for (let n = 0; n < 4; n += 1) await accept(caller);
    await Promise.all([handOver(), handOver()]);
    assert.deepEqual(contacts().toSorted(), ['object', 'string', 'string', 'string']);
  });

  it('is texted by the run that the engine could not be reached for', async () => {
    const caller = someone();
    const first = await accept(caller);
    service.engine.answer = () => 'unreachable';
    await handOver();
    service.engine.answer = () => 'accepted';
    const second = await accept(caller);
    await service.query('update dispatch set due_at = now() where execution_id = $1', [first]);
    service.engine.calls.length = 0;
    await handOver();
    await handOver();
    const known = new Map(service.engine.calls.map(({ body }) => [body.executionId, typeof body.facts['lastContactAt']]));
    assert.deepEqual([known.get(first), known.get(second)], ['object', 'string']);
  });

  it('is texted by that run also when a later one is sent before its next attempt', async () => {
    const caller = someone();
    const first = await accept(caller);
    service.engine.answer = () => 'unreachable';
    await handOver();
    service.engine.answer = () => 'accepted';
    await service.query("update dispatch set due_at = now() + interval '1 hour' where execution_id = $1", [first]);
    await accept(caller);
    service.engine.calls.length = 0;
    await handOver();
    await service.query('update dispatch set due_at = now() where execution_id = $1', [first]);
    await handOver();
    assert.deepEqual(contacts(), ['string', 'object']);
  });

  it('is someone else than the other callers, and than those of another agent', async () => {
    const caller = someone();
    const requests = await service.addAgent({ templateName: 'no-show-rebooking', clientId: service.world.otherClientId });
    await accept(caller);
    await accept();
    await service.ingest(requests, { attendeeName: 'Ada', attendeePhone: caller, missedAt: '2026-01-05T15:00:00Z' });
    await handOver();
    assert.deepEqual(contacts(), ['object', 'object', 'object']);
  });

  it('is known by the stored contact once the first run has texted', async () => {
    const caller = someone();
    const first = await accept(caller);
    await handOver();
    await service.report(first, { status: 'SUCCEEDED', output: { contacted: caller } });
    await accept(caller);
    await handOver();
    assert.deepEqual(contacts(), ['object', 'string']);
  });

  it('is texted again when the first run has ended without a text', async () => {
    const caller = someone();
    const first = await accept(caller);
    await handOver();
    await service.report(first, { status: 'FAILED', error: { message: 'no' }, output: { contacted: caller } });
    await accept(caller);
    await handOver();
    assert.deepEqual(contacts(), ['object', 'object']);
  });
});

it('an agent that answers each text counts no run that is under way', async () => {
  const answers = await service.addAgent({ templateName: 'ai-faq-reply' });
  const from = someone();
  for (let n = 0; n < 2; n += 1) await service.ingest(answers, { from, to: CALL.businessNumber, body: `Question ${n}` });
  await handOver();
  assert.deepEqual(
    service.engine.calls.map(({ body }) => body.facts['lastContactAt']),
    [null, null],
  );
});

describe('a person who is to be written to about the same visit or quote by two runs at a time', () => {
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const visit = {
    attendeeName: 'Bob',
    attendeePhone: '+13125553900',
    attendeeEmail: 'bob@example.com',
    startTime: at(23.7),
    bookingUid: 'v-1',
  };
  const quote = {
    customerName: 'Bob',
    customerEmail: 'bob@example.com',
    customerPhone: '+13125553900',
    quoteUrl: 'https://oak.example/q/1',
    sentAt: at(-50),
  };
  /** The same moment as another system writes it. */
  const elsewhere = (iso: string): string => `${new Date(Date.parse(iso) - 6 * 3_600_000).toISOString().slice(0, -1)}-06:00`;
  const known = () =>
    service.engine.calls.map(({ body }) => ['lastContactAt', 'lastMailAt'].map((fact) => typeof body.facts[fact] === 'string'));
  let reminders: string;
  let nudges: string;
  before(async () => {
    reminders = await service.addAgent({ templateName: 'appointment-reminder', templateVersion: 9 });
    nudges = await service.addAgent({ templateName: 'quote-follow-up', templateVersion: 9 });
  });

  for (const [what, agentOf, event, again, other] of [
    ['visit', () => reminders, visit, { startTime: elsewhere(visit.startTime) }, { ...visit, bookingUid: 'v-2' }],
    ['quote', () => nudges, quote, { sentAt: elsewhere(quote.sentAt) }, { ...quote, quoteUrl: 'https://oak.example/q/2' }],
  ] as const)
    it(`is known to the later one about the same ${what}, of one claim and of claims after it, and not to one about another`, async () => {
      await service.accept(agentOf(), event);
      await service.accept(agentOf(), { ...event, ...again, sequence: 2 });
      await service.accept(agentOf(), other);
      await handOver();
      await service.accept(agentOf(), { ...event, sequence: 3 });
      await handOver();
      assert.deepEqual(known(), [
        [false, false],
        [true, true],
        [false, false],
        [true, true],
      ]);
    });

  it('is mailed once when no event has a number, and gets the mail that only the later event asks for', async () => {
    const byMail = { ...visit, attendeePhone: '', bookingUid: 'v-4' };
    const byText = { ...visit, attendeeEmail: '', bookingUid: 'v-5' };
    for (const event of [byMail, byMail, byText, { ...byText, attendeeEmail: visit.attendeeEmail }]) await service.accept(reminders, event);
    await handOver();
    await service.accept(reminders, byMail);
    await handOver();
    assert.deepEqual(known(), [
      [false, false],
      [true, true],
      [false, false],
      [true, false],
      [true, true],
    ]);
  });

  it('is reminded of a visit that was moved, or cancelled and booked again, while the events waited', async () => {
    const moved = { ...visit, bookingUid: 'v-6' };
    for (const startTime of [at(60), visit.startTime]) await service.accept(reminders, { ...moved, startTime });
    const again = { ...visit, bookingUid: 'v-7' };
    for (const more of [{}, { cancelled: true }, { sequence: 2 }]) await service.accept(reminders, { ...again, ...more });
    await handOver();
    const sent = service.engine.calls.filter(({ body }) => body.input['cancelled'] !== true && body.input['startTime'] === visit.startTime);
    assert.deepEqual(
      sent.map(({ body }) => [body.input['bookingUid'], body.facts['lastContactAt'] ?? null]),
      [
        ['v-6', null],
        ['v-7', null],
      ],
    );
  });

  it('is reminded by the event that confirms the visit, and not kept back by one that did not', async () => {
    await service.accept(reminders, { ...visit, confirmed: 'pending' });
    await service.accept(reminders, visit);
    await handOver();
    assert.deepEqual(known(), [
      [false, false],
      [false, false],
    ]);
  });
});

describe('a mail that is sorted and answered', () => {
  let triage: string;
  before(async () => {
    const config = { fromAddress: 'hello@oak.example', ownerEmail: 'owner@oak.example' };
    triage = await service.addAgent({ templateName: 'ai-email-triage', clientId: service.world.otherClientId, config });
  });
  const mail = (replyTo: string): Promise<string> =>
    service.accept(triage, { fromEmail: 'web@oak.example', replyTo, subject: 'Parking', text: 'Is there any?' });
  const answer = async (id: string, contacted: string) =>
    service.report(id, { status: 'SUCCEEDED', output: { contacted, replyMailId: 'm1' } });
  const lastContacts = () => service.engine.calls.map(({ body }) => typeof body.facts['lastContactAt']);

  it('is known by the address that was answered, which is not that of the website in between', async () => {
    const first = await mail('Bot@Machine.example');
    await handOver();
    await answer(first, 'bot@machine.example');
    await mail('bot@machine.example');
    await mail('ada@person.example');
    await handOver();
    assert.deepEqual(lastContacts(), ['object', 'string', 'object']);
  });
});
