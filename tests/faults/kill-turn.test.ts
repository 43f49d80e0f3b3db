import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, beforeEach, describe, it } from 'node:test';
import { alerts } from '@partner-portal/service/modules/5-reactions/alerts/index.ts';
import type { Conversations } from '@partner-portal/service/modules/3-product/conversations/index.ts';
import { isFull } from '../harness/full.ts';
import { answerText, type ModelServer, startModelServer } from '../harness/model-server.ts';
import { type ProvisioningService, startProvisioningService } from '../harness/provisioning.ts';
import { until } from '../harness/system.ts';
import { openTurnProcess, type TurnTask } from '../harness/turn-process.ts';
import { addWorkflow } from '../harness/world.ts';
import { startProxy } from './engine-proxy.ts';

// The process that answers a visitor is killed in each state of its turn; another one goes on. One reply, one text, each model call charged once.

let service: ProvisioningService;
let models: ModelServer;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let workflowId: string;
let agencyWorkflowId: string;
let chatbotId: string;
let other: { talks: Conversations; close(): Promise<void> };
const workers = new Set<ChildProcess>();
let caller = 0;

/** Where the turn is held until its process is killed. */
const POINTS = ['deciding', 'decided', 'running', 'ran', 'composing', 'composed'] as const;
type Point = (typeof POINTS)[number];
let hold: { at: Point; reached: () => void } | undefined;

before(async () => {
  service = await startProvisioningService();
  models = await startModelServer();
  const { partnerId, clientId } = service.world;
  await service.saveKey('twilio', { clientId });
  await service.saveKey('twilio');
  agencyWorkflowId = await service.db.asSystem('seed', (tx) =>
    addWorkflow(tx, { partnerId, clientId: null, templateName: 'missed-call-text-back', providerFlowId: null }),
  );
  workflowId = await service.db.asSystem('seed', (tx) =>
    addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', providerFlowId: null }),
  );
  const made = await service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body: {} });
  assert.equal(made.body.status, 'succeeded');
  await query(`update workflow set config = '{"quietHours":"","repeatAfterHours":0}'`);
  await query(`update client set phone = '+13125550100' where id = $1`, [clientId]);
  await query(`update plan set features = features || '{"chatbot": true}'`);
  await query(`insert into credential (partner_id, provider, source_mode) values ($1, 'openai', 'platform')`, [partnerId]);
  await query(`update partner_quota set monthly_credits = 100000`);
  const [bot] = await query<{ id: string }>(
    `insert into chatbot (partner_id, client_id, is_active, name, greeting, provider, model) values ($1, $2, true, 'Mia', 'Hello.', 'openai', 'gpt-5') returning id`,
    [partnerId, clientId],
  );
  chatbotId = bot?.id ?? '';
  for (const [n, id] of [workflowId, agencyWorkflowId].entries())
    await query(`insert into chatbot_route (chatbot_id, n, partner_id, client_id, intent, workflow_id) values ($1, $2, $3, $4, $5, $6)`, [
      chatbotId,
      n + 1,
      partnerId,
      clientId,
      `wants text ${n}`,
      id,
    ]);
  proxy = await startProxy(made.body.instance.baseUrl, async ({ path }, ask) => {
    const isRun = path.endsWith('/sync');
    if (isRun && stopAt('running')) return null;
    const answer = await ask();
    return isRun && stopAt('ran') ? null : answer;
  });
  other = openTurnProcess(task());
});
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await other?.close();
  await proxy?.close();
  await models?.close();
  await service?.close();
});
beforeEach(() => {
  hold = undefined;
});

const task = (): TurnTask => {
  return { address: service.database.configFor('portal_service'), engineUrl: proxy.url, modelsUrl: models.url, modelsHost: models.host };
};

/** Says once that a point is reached, and never goes on: the process is killed there. */
function stopAt(...points: Point[]): boolean {
  const held = hold;
  if (!held || !points.includes(held.at)) return false;
  hold = undefined;
  held.reached();
  return true;
}

/** The model wants the number texted, and then says that it was; its answer may be held before its first or before its last byte. */
function behave(number: string, name = 'agent_1'): void {
  models.behave(async (call, response) => {
    const messages = call.body['messages'] as { role: string }[]; // in OpenAI's format
    const isReport = messages.at(-1)?.role === 'tool';
    if (stopAt(isReport ? 'composing' : 'deciding')) return;
    const held =
      hold?.at === (isReport ? 'composed' : 'decided') ? new Promise<never>(() => stopAt(isReport ? 'composed' : 'decided')) : undefined;
    if (isReport) await answerText(call, response, ['I have sent ', 'the text.'], held ? { afterFirst: held } : {});
    else {
      const pieces = [JSON.stringify({ callerNumber: number, businessNumber: '+13125550100' })];
      await answerText(call, response, ['One moment'], {
        tool: { id: 'call_1', name, pieces },
        ...(held ? { afterFirst: held } : {}),
      });
    }
  });
}

const query = <Row extends object>(text: string, values?: unknown[]) => service.database.query<Row>(text, values);

/** A visitor's message whose turn no process holds. */
async function addTurn(): Promise<{ turnId: string; conversationId: string; number: string }> {
  const { partnerId, clientId } = service.world;
  const number = `+1312555${String(3000 + (caller += 1))}`;
  const [row] = await query<{ turnId: string; conversationId: string }>(
    `with talk as (insert into conversation (partner_id, client_id, chatbot_id, visitor_label) values ($1, $2, $3, 'Visitor') returning *),
      said as (insert into conversation_message (partner_id, client_id, conversation_id, author, content) select $1, $2, id, 'visitor', $4 from talk returning *)
      insert into conversation_turn (partner_id, client_id, conversation_id, upto_message_id, due_at) select $1, $2, conversation_id, id, now() - interval '1 second' from said
      returning id as "turnId", conversation_id as "conversationId"`,
    [partnerId, clientId, chatbotId, `Please text me the booking link at ${number}.`],
  );
  assert.ok(row);
  return { ...row, number };
}

async function killAt(at: Point): Promise<void> {
  const reached = Promise.withResolvers<void>();
  hold = { at, reached: reached.resolve };
  const worker = fork(new URL('turn-worker.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
  worker.send(task());
  await reached.promise;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

async function assertAnsweredOnce({ turnId, conversationId, number }: Awaited<ReturnType<typeof addTurn>>): Promise<void> {
  const said = await query<{ content: string; turnId: string }>(
    `select content, turn_id as "turnId" from conversation_message where conversation_id = $1 and author = 'bot'`,
    [conversationId],
  );
  assert.deepEqual(said, [{ content: 'I have sent the text.', turnId }]);
  const texts = await query(`select 1 from sandbox.call where provider = 'twilio' and body like '%' || $1 || '%'`, [
    encodeURIComponent(number),
  ]);
  const charges = await query<{ kind: string; n: number }>(
    `select u.kind, count(*)::int as n from usage_entry u where u.execution_id = $1 or u.id in (select id from ai_call where turn_id = $1) group by 1 order by 1`,
    [turnId],
  );
  const calls = await query<{ status: string }>(`select status from ai_call where turn_id = $1`, [turnId]);
  assert.deepEqual([texts.length, calls.map(({ status }) => status)], [1, ['settled', 'settled']]);
  assert.deepEqual(charges, [
    { kind: 'ai_tokens', n: 2 },
    { kind: 'run', n: 1 },
  ]);
}

const finish = async (conversationId: string): Promise<void> => {
  // Its lease would run out by itself.
  await query(`update conversation_turn set due_at = now() - interval '1 second' where conversation_id = $1 and finished_at is null`, [
    conversationId,
  ]);
  await other.talks.takeOver();
  await until('the turn ended', async () => {
    const [row] = await query<{ state: string }>(
      `select state from conversation_turn where conversation_id = $1 and finished_at is not null`,
      [conversationId],
    );
    return row !== undefined;
  });
};

describe('a turn', () => {
  it('runs the agent that the visitor wants, once, and says what came of it', async () => {
    const turn = await addTurn();
    behave(turn.number);
    await finish(turn.conversationId);
    await assertAnsweredOnce(turn);
    const [run] = await query<{ source: string; status: string }>(`select source, status from execution where id = $1`, [turn.turnId]);
    assert.deepEqual(run, { source: 'chatbot', status: 'SUCCEEDED' });
  });

  for (const point of isFull ? POINTS : (['deciding', 'ran', 'composed'] as const))
    it(`whose process is killed when it is ${point} goes on in another, with one reply, one text and no second charge`, async () => {
      const turn = await addTurn();
      behave(turn.number);
      await killAt(point);
      await finish(turn.conversationId);
      await assertAnsweredOnce(turn);
    });

  it('is taken over by one of two processes', async () => {
    const turn = await addTurn();
    behave(turn.number);
    const second = openTurnProcess(task());
    const taken = await Promise.all([other.talks.takeOver(), second.talks.takeOver()]);
    assert.equal(taken[0] + taken[1], 1);
    await finish(turn.conversationId);
    await assertAnsweredOnce(turn);
    await second.close();
  });

  it('may run an agent of the whole agency', async () => {
    const turn = await addTurn();
    behave(turn.number, 'agent_2');
    await finish(turn.conversationId);
    await assertAnsweredOnce(turn);
    const [run] = await query<{ id: string }>(`select workflow_id as id from execution where id = $1`, [turn.turnId]);
    assert.equal(run?.id, agencyWorkflowId);
  });

  it('asks for what the agent needs when the model passes something else', async () => {
    const turn = await addTurn();
    behave('my usual number');
    await finish(turn.conversationId);
    const [row] = await query<{ text: string; status: string }>(
      `select last_message_text as text, status from conversation where id = $1`,
      [turn.conversationId],
    );
    assert.match(row?.text ?? '', /^Gladly\. For that I still need: /);
    assert.deepEqual([row?.status, await query('select 1 from execution where id = $1', [turn.turnId])], ['open', []]);
  });

  it('runs no more agents than a conversation may in an hour', async () => {
    const turn = await addTurn();
    behave(turn.number);
    await query(
      `insert into conversation_turn (partner_id, client_id, conversation_id, state, workflow_id, finished_at)
        select t.partner_id, t.client_id, t.conversation_id, 'done', $2, now() from conversation_turn t, generate_series(1, 10) where t.id = $1`,
      [turn.turnId, workflowId],
    );
    await query(`update conversation_turn set due_at = now() - interval '1 second' where id = $1`, [turn.turnId]);
    await other.talks.takeOver();
    await until(
      'the turn ended',
      async () => (await query(`select 1 from conversation_turn where id = $1 and finished_at is not null`, [turn.turnId])).length === 1,
    );
    const [row] = await query<{ text: string }>(`select last_message_text as text from conversation where id = $1`, [turn.conversationId]);
    assert.match(row?.text ?? '', /several times already/);
    assert.deepEqual(await query('select 1 from execution where id = $1', [turn.turnId]), []);
  });

  it('of an agent that fails is said honestly and handed over', async () => {
    const turn = await addTurn();
    behave('+15002160600');
    await finish(turn.conversationId);
    const [row] = await query<{ status: string; reason: string; text: string }>(
      `select status, handoff_reason as reason, last_message_text as text from conversation where id = $1`,
      [turn.conversationId],
    );
    assert.deepEqual([row?.status, row?.reason], ['handed_off', 'failure']);
    assert.match(row?.text ?? '', /did not work/);
  });

  it('of an agent that fails alerts the agency at once; the next one that works resolves it, and an answer without an agent does not', async () => {
    const watch = alerts({ db: service.db, cursors: service.cursors, log: service.log });
    const states = async () => {
      await watch.evaluate(service.world.partnerId);
      return query<{ status: string }>(
        `select status from alert where rule = 'chatbot_failing' and subject_id = $1 and cleared_at is null`,
        [chatbotId],
      );
    };
    const say = async (number: string): Promise<void> => {
      const turn = await addTurn();
      behave(number === '' ? turn.number : number);
      await finish(turn.conversationId);
    };
    await say('');
    assert.deepEqual(await states(), []);
    await say('+15002160600');
    assert.deepEqual(await states(), [{ status: 'open' }]);
    await say('my usual number');
    assert.deepEqual(await states(), [{ status: 'open' }]);
    await say('');
    assert.deepEqual(await states(), []);
  });
});
