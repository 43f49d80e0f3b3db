import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { noonZone } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { forgetTexts } from './read/store-forget.ts';
import { v7 } from 'uuid';

let service: ExecutionService;
let workflowId: string;
let rivalWorkflowId: string;
/** Oldest first: succeeded, failed, running. */
let runs: string[];
let rivalRun: string;

const SECRET_INPUT = { ...CALL, apiKey: 'very-secret', note: 'Zebra crossing' };

before(async () => {
  service = await startExecutionService();
  // A zone in which the day does not end during the test.
  await service.query('update client set timezone = $2 where id = $1', [service.world.clientId, noonZone()]);
  workflowId = await service.addAgent();
  rivalWorkflowId = await service.addAgent({ partnerId: service.world.rivalPartnerId, clientId: service.world.rivalClientId });
  runs = [await started(workflowId, SECRET_INPUT), await started(workflowId), await started(workflowId)];
  rivalRun = await started(rivalWorkflowId);
  await service.executions.dispatcher.runOnce();
  await service.report(at(0), {
    status: 'SUCCEEDED',
    output: { contacted: '+13125550121' },
    steps: [
      { name: 'check_hours', status: 'succeeded', output: { to: '+13125550121' } },
      { name: 'send_text', status: 'succeeded', output: { sid: 'SM1' } },
    ],
  });
  await service.report(at(1), {
    status: 'FAILED',
    error: { code: 'twilio_sender_rejected', message: 'Twilio does not accept the sender number', stepName: 'send_text' },
  });
});
after(() => service.close());

async function started(id: string, input: object = CALL): Promise<string> {
  const reply = await service.ingest(id, input);
  assert.equal(reply.status, 202);
  return reply.body.executionId;
}
const at = (index: number): string => runs[index] ?? '';
const ids = (reply: { body: { data: { id: string }[] } }): string[] => reply.body.data.map((row) => row.id);

describe('a look at the runs of a client', () => {
  const looks = async (): Promise<string[]> =>
    (
      await service.query<{ look: string }>(
        `select concat_ws(' ', l.kind, c.name, case when l.is_staff then 'staff' else l.user_name end) as look
          from client_look l join client c on c.id = l.client_id order by 1`,
      )
    ).map(({ look }) => look);
  const looksAfter = async (path: string, as: 'owner' | 'staff' | 'clientUser'): Promise<string[]> => {
    await service.query('delete from client_look');
    assert.equal((await service.call('GET', path, { as })).status, 200, path);
    return looks();
  };

  it('is recorded on every route that narrows the list to one client, also of staff who name no agency', async () => {
    const { clientId } = service.world;
    for (const path of [
      `/executions?clientId=${clientId}`,
      `/executions?workflowId=${workflowId}`,
      `/workflows/${workflowId}/executions`,
      `/executions/${at(0)}`,
    ]) {
      assert.deepEqual(await looksAfter(path, 'owner'), ['runs Oak Street Dental Owner Tester'], path);
      assert.deepEqual(await looksAfter(path, 'staff'), ['runs Oak Street Dental staff'], path);
      assert.deepEqual(await looksAfter(path, 'clientUser'), [], path);
    }
    assert.deepEqual(await looksAfter('/executions', 'staff'), [], 'a list of all agencies');
    assert.deepEqual(
      await looksAfter('/executions', 'owner'),
      ['runs Oak Street Dental Owner Tester'],
      'a list whose rows are one client’s',
    );
  });

  it('is recorded for each client in an export, and for no other', async () => {
    const rival = (await service.query<{ name: string }>('select name from client where id = $1', [service.world.rivalClientId]))[0]?.name;
    for (const path of [`/executions/export.csv?workflowId=${workflowId}`, `/workflows/${workflowId}/executions/export.csv`]) {
      assert.deepEqual(await looksAfter(path, 'owner'), ['exports Oak Street Dental Owner Tester'], path);
      assert.deepEqual(await looksAfter(path, 'staff'), ['exports Oak Street Dental staff'], path);
    }
    assert.deepEqual(await looksAfter('/executions/export.csv', 'owner'), ['exports Oak Street Dental Owner Tester']);
    assert.deepEqual(
      await looksAfter('/executions/export.csv', 'staff'),
      ['exports Oak Street Dental staff', `exports ${rival} staff`].toSorted(),
    );
    assert.deepEqual(await looksAfter('/executions/export.csv', 'clientUser'), []);
  });
});

describe('the list of executions', () => {
  it('shows each caller exactly its own, newest first', async () => {
    const newestFirst = runs.toReversed();
    for (const person of ['owner', 'moderator', 'clientUser'] as const)
      assert.deepEqual(ids(await service.call('GET', '/executions', { as: person })), newestFirst, person);
    assert.deepEqual(ids(await service.call('GET', '/executions', { as: 'otherClientUser' })), []);
    assert.deepEqual(ids(await service.call('GET', '/executions', { as: 'rivalOwner' })), [rivalRun]);
    assert.deepEqual(ids(await service.call('GET', '/executions', { as: 'staff' })), [rivalRun, ...newestFirst]);
    assert.deepEqual(ids(await service.call('GET', `/executions?partnerId=${service.world.rivalPartnerId}`, { as: 'staff' })), [rivalRun]);
    assert.equal((await service.call('GET', '/executions')).status, 401);
  });

  it('refuses foreign ids as unknown, and a partnerId from any caller but staff', async () => {
    const { rivalClientId, partnerId } = service.world;
    assert.equal((await service.call('GET', `/executions?clientId=${rivalClientId}`, { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', `/executions?workflowId=${rivalWorkflowId}`, { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', `/executions?clientId=${service.world.clientId}`, { as: 'otherClientUser' })).status, 404);
    assert.equal((await service.call('GET', `/executions?partnerId=${partnerId}`, { as: 'owner' })).body.code, 'scope_forbidden');
    assert.equal((await service.call('GET', `/executions?partnerId=${newId()}`, { as: 'staff' })).status, 404);
    assert.equal((await service.call('GET', `/executions?workflowId=${workflowId}`, { as: 'owner' })).status, 200);
  });

  it('filters by status, source, cause, workflow and time', async () => {
    const list = async (query: string) => ids(await service.call('GET', `/executions?${query}`, { as: 'owner' }));
    assert.deepEqual(await list('status=FAILED'), [at(1)]);
    assert.deepEqual(await list('status=RUNNING'), [at(2)]);
    assert.deepEqual(await list('status=SUCCEEDED'), [at(0)]);
    assert.deepEqual(await list('source=trigger'), []);
    assert.deepEqual(await list('cause=twilio_sender_rejected'), [at(1)]);
    assert.equal((await list(`from=${new Date(Date.now() - 3_600_000).toISOString()}`)).length, 3);
    assert.deepEqual(await list(`to=${new Date(Date.now() - 3_600_000).toISOString()}`), []);
    assert.equal((await service.call('GET', '/executions?status=LOST', { as: 'owner' })).body.code, 'invalid_query');
    assert.deepEqual(ids(await service.call('GET', `/workflows/${workflowId}/executions?status=FAILED`, { as: 'clientUser' })), [at(1)]);
    assert.equal((await service.call('GET', `/workflows/${rivalWorkflowId}/executions`, { as: 'owner' })).status, 404);
  });

  it('has the oldest first when asked, page by page, with the same filters; a marker is bound to the order', async () => {
    const oldest = (query: string, as: 'owner' | 'staff' | 'rivalOwner' = 'owner') =>
      service.call('GET', `/executions?sort=oldest${query}`, { as });
    assert.deepEqual(ids(await oldest('')), runs);
    assert.deepEqual(ids(await oldest('', 'rivalOwner')), [rivalRun]);
    assert.deepEqual(ids(await oldest('', 'staff')), [...runs, rivalRun]);
    assert.deepEqual(ids(await oldest('&status=FAILED')), [at(1)]);
    const first = await oldest('&limit=2');
    assert.deepEqual(ids(first), [at(0), at(1)]);
    const next = `cursor=${first.body.nextCursor}`;
    const second = await oldest(`&limit=2&${next}`);
    assert.deepEqual([ids(second), second.body.nextCursor], [[at(2)], null]);
    assert.equal((await service.call('GET', `/executions?limit=2&${next}`, { as: 'owner' })).body.code, 'invalid_cursor');
    assert.deepEqual(ids(await service.call('GET', '/executions?sort=newest', { as: 'owner' })), runs.toReversed());
    assert.equal((await service.call('GET', '/executions?sort=cheapest', { as: 'owner' })).body.code, 'invalid_query');
    assert.equal((await oldest('&q=zebra')).body.code, 'invalid_query', 'a text is searched for among the newest');
    assert.deepEqual(ids(await service.call('GET', '/executions?q=zebra', { as: 'owner' })), [at(0)]);
  });

  it('pages by key; a marker is bound to its filters', async () => {
    const first = await service.call('GET', '/executions?limit=2', { as: 'owner' });
    assert.deepEqual(ids(first), [at(2), at(1)]);
    const second = await service.call('GET', `/executions?limit=2&cursor=${first.body.nextCursor}`, { as: 'owner' });
    assert.deepEqual([ids(second), second.body.nextCursor], [[at(0)], null]);
    assert.equal(
      (await service.call('GET', `/executions?status=FAILED&cursor=${first.body.nextCursor}`, { as: 'owner' })).body.code,
      'invalid_cursor',
    );
  });

  it('can be searched by input text by the partner, never by a client', async () => {
    assert.deepEqual(ids(await service.call('GET', '/executions?q=zebra', { as: 'owner' })), [at(0)]);
    assert.deepEqual(ids(await service.call('GET', '/executions?q=%25', { as: 'owner' })), []);
    assert.deepEqual(ids(await service.call('GET', '/executions?q=zebra', { as: 'rivalOwner' })), []);
    assert.equal((await service.call('GET', '/executions?q=zebra', { as: 'clientUser' })).body.code, 'scope_forbidden');
  });

  it('takes four statements: begin, scope, page, commit; and one that records who looked, however many clients are in it', async () => {
    assert.equal(await service.countStatements(() => service.call('GET', '/executions', { as: 'owner' })), 5);
  });
});

describe('causes', () => {
  it('group failures with their clients', async () => {
    const reply = await service.call('GET', '/executions/causes', { as: 'owner' });
    assert.deepEqual(
      reply.body.map(({ code, count, clients }: { code: string; count: number; clients: string[] }) => ({ code, count, clients })),
      [{ code: 'twilio_sender_rejected', count: 1, clients: ['Oak Street Dental'] }],
    );
    assert.deepEqual((await service.call('GET', '/executions/causes', { as: 'rivalOwner' })).body, []);
  });

  it('are counted by day since the asked time, of a long time the newest 31 days', async () => {
    const byDay = async (daysBack: number): Promise<number[]> => {
      const from = new Date(Date.now() - daysBack * 86_400_000 - 3_600_000).toISOString();
      return (await service.call('GET', `/executions/causes?from=${from}`, { as: 'owner' })).body[0].byDay;
    };
    assert.deepEqual(await byDay(0), [1]);
    assert.deepEqual(await byDay(2), [0, 0, 1]);
    assert.deepEqual([(await byDay(400)).length, (await byDay(400)).at(-1)], [31, 1]);
  });

  it('leave out days of which not every failure was read', async () => {
    const columns = (
      await service.query<{ name: string }>(
        `select a.attname as name from pg_attribute a where a.attrelid = 'execution'::regclass and a.attnum > 0 and not a.attisdropped
           and a.attgenerated = '' and a.attname not in ('id', 'started_at', 'summary')`,
      )
    ).map(({ name }) => `"${name}"`);
    // With the one from above one more than is read: half a minute ago, and an hour before.
    await service.query(
      `insert into execution (id, started_at, summary, ${columns.join(', ')})
       select uuidv7(shift), now() + shift, 'counted', ${columns.map((name) => `e.${name}`).join(', ')}
       from execution e, generate_series(1, 5000) n, lateral (select -interval '1 hour' * (n % 2) - interval '30 seconds' as shift) s where e.id = $1`,
      [at(1)],
    );
    try {
      const from = new Date(Date.now() - 48.5 * 3_600_000).toISOString();
      const { body } = await service.call('GET', `/executions/causes?from=${from}`, { as: 'owner' });
      assert.deepEqual(
        body.map(({ count, byDay }: { count: number; byDay: number[] }) => [count, byDay]),
        [[5_000, [2_501]]],
      );
    } finally {
      await service.query("delete from execution where summary = 'counted'");
    }
  });

  it('are shown to the partner in full, to its client by their kind', async () => {
    assert.match((await service.call('GET', '/executions/causes', { as: 'moderator' })).text, /Twilio does not accept the sender number/);
    const { body, text } = await service.call('GET', '/executions/causes', { as: 'clientUser' });
    assert.deepEqual([body.length, body[0].count, /Twilio does not accept the sender number/.test(text)], [1, 1, false]);
  });
});

describe('one execution', () => {
  it('shows the partner its input without secrets, the timeline and its neighbours', async () => {
    const { status, body } = await service.call('GET', `/executions/${at(0)}`, { as: 'moderator' });
    assert.equal(status, 200);
    assert.deepEqual(body.input, { ...SECRET_INPUT, apiKey: '[hidden]' });
    assert.deepEqual(
      body.steps.map((step: { label: string; status: string; output?: unknown }) => [step.label, step.status, step.output]),
      [
        ['Check hours and repeats', 'succeeded', { to: '+13125550121' }],
        ['Send text', 'succeeded', { sid: 'SM1' }],
      ],
    );
    assert.deepEqual([body.previousId, body.nextId, body.payloadExpired], [null, at(1), false]);
  });

  it('shows a client labels and results with numbers masked, and no step payloads', async () => {
    const { body, text } = await service.call('GET', `/executions/${at(0)}`, { as: 'clientUser' });
    assert.ok(!text.includes('5550121') && !text.includes('SM1') && !text.includes('very-secret'));
    assert.equal(body.output.contacted, '+1 312 ··· 0121');
    assert.deepEqual(Object.keys(body.steps[0]).toSorted(), ['durationMs', 'error', 'label', 'name', 'sentence', 'startedAt', 'status']);
    assert.equal(body.steps[0].sentence, null);
  });

  it('says in words what a step did, and why a step ended the run', async () => {
    const sentences = async (id: string): Promise<(string | null)[]> =>
      (await service.call('GET', `/executions/${id}`, { as: 'owner' })).body.steps.map(
        (step: { sentence: string | null }) => step.sentence,
      );
    assert.deepEqual(await sentences(at(0)), ['Outside quiet hours; this caller gets a text.', null]);
    const id = await started(workflowId);
    await service.executions.dispatcher.runOnce();
    await service.report(id, {
      status: 'SUCCEEDED',
      output: { skipped: true, reason: 'quiet_hours', message: 'It is quiet hours for the business' },
      steps: [
        { name: 'check_hours', status: 'succeeded' },
        { name: 'send_text', status: 'skipped' },
      ],
    });
    assert.deepEqual(await sentences(id), ['It is quiet hours for the business.', null]);
    await service.query('delete from execution_payload where id = $1', [id]);
    await service.query('delete from execution where id = $1', [id]);
  });

  it('is 404 for any other caller', async () => {
    await service.assertRefused('GET', `/executions/${at(0)}`, {
      rivalOwner: 'not_found',
      otherClientUser: 'not_found',
      rivalClientUser: 'not_found',
    });
    assert.equal((await service.call('GET', '/executions/nonsense', { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', `/executions/${at(0)}`, { as: 'staff' })).status, 200);
  });

  it('fetches the engine’s step times once and stores them', async () => {
    let calls = 0;
    service.engine.find = async () => {
      calls += 1;
      return {
        status: 'SUCCEEDED',
        startTime: '2026-01-01T00:00:00.000Z',
        steps: { check_hours: { duration: 12 }, send_text: { duration: 250, input: { url: 'x' } } },
      };
    };
    await service.query('update execution_payload set timed = false');
    const first = await service.call('GET', `/executions/${at(0)}`, { as: 'owner' });
    const second = await service.call('GET', `/executions/${at(0)}`, { as: 'owner' });
    assert.equal(calls, 1);
    assert.deepEqual(second.body.steps, first.body.steps);
    assert.deepEqual(
      first.body.steps.map((step: { durationMs: number; startedAt: string }) => [step.durationMs, step.startedAt]),
      [
        [12, '2026-01-01T00:00:00.000Z'],
        [250, '2026-01-01T00:00:00.012Z'],
      ],
    );
  });

  it('shows what the provider answered to a step that failed, by its codes only', async () => {
    const id = at(1);
    const [original] = await service.query<{ steps: unknown }>('select steps from execution_payload where id = $1', [id]);
    const steps = [{ name: 'send_text', status: 'failed', error: 'Twilio rejected the number: not E.164' }];
    await service.query('update execution_payload set timed = false, steps = $2 where id = $1', [id, JSON.stringify(steps)]);
    const response = { status: 400, body: { code: 21211, message: "The 'To' number +13125550121 is not valid, account AC123" } };
    const times = { duration: 30, input: { url: 'x' }, output: { response, request: {} } };
    service.engine.find = async () => ({ status: 'SUCCEEDED', startTime: '2026-01-01T00:00:00.000Z', steps: { send_text: times } });
    const { body, text } = await service.call('GET', `/executions/${id}`, { as: 'owner' });
    assert.deepEqual(body.steps.at(-1).output, { status: 400, code: 21211 });
    assert.ok(!text.includes('AC123'));
    await service.query('update execution_payload set steps = $2 where id = $1', [id, JSON.stringify(original?.steps ?? null)]);
  });

  it('shows the steps of the engine’s run when the report had none, without the engine’s texts', async () => {
    const id = at(1);
    const [original] = await service.query<{ steps: unknown }>('select steps from execution_payload where id = $1', [id]);
    const lost = { type: 'CODE', status: 'SUCCEEDED', duration: 12, input: {}, output: { to: '+13125550121' } };
    const broken = { type: 'PIECE', status: 'FAILED', duration: 30, input: {}, errorMessage: 'Error: secret at /srv/engine/worker.js:1:1' };
    const seen = async (steps: Record<string, object>) => {
      await service.query('update execution_payload set timed = false, steps = null where id = $1', [id]);
      service.engine.find = async () => ({ status: 'FAILED', startTime: '2026-01-01T00:00:00.000Z', steps });
      const { body, text } = await service.call('GET', `/executions/${id}`, { as: 'owner' });
      assert.ok(!text.includes('worker.js') && !text.includes('router'));
      return body.steps.map((step: { name: string; status: string; durationMs: number | null; error: string | null }) => [
        step.name,
        step.status,
        step.durationMs,
        step.error,
      ]);
    };
    assert.deepEqual(await seen({ trigger: lost, check_hours: lost, router_1: lost, send_text: broken }), [
      ['check_hours', 'succeeded', 12, null],
      ['send_text', 'failed', 30, null],
    ]);
    const steps = [{ name: 'send_text', status: 'failed', error: 'Twilio is down\n    at /srv/engine/worker.js:1:1' }];
    const report = { executionId: id, workflowId, status: 'FAILED', steps };
    assert.deepEqual(await seen({ send_text: broken, outcome: { ...lost, output: { report } } }), [
      ['check_hours', 'skipped', null, null],
      ['send_text', 'failed', 30, 'Twilio is down'],
    ]);
    await service.query('update execution_payload set steps = $2 where id = $1', [id, JSON.stringify(original?.steps ?? null)]);
  });

  it('shows an execution that the engine continues after its timeout, and fetches the remaining steps when it has ended there', async () => {
    const id = at(1);
    const [original] = await service.query<{ steps: unknown }>('select steps from execution_payload where id = $1', [id]);
    await service.query('update execution_payload set timed = false, steps = null where id = $1', [id]);
    const seen = async (status: string, steps: Record<string, object>): Promise<string[]> => {
      service.engine.find = async () => ({ status, startTime: '2026-01-01T00:00:00.000Z', steps });
      const { body } = await service.call('GET', `/executions/${id}`, { as: 'owner' });
      return body.steps.map((step: { status: string }) => step.status);
    };
    const done = { status: 'SUCCEEDED', duration: 12 };
    assert.deepEqual(await seen('RUNNING', { check_hours: done }), ['succeeded', 'skipped']);
    assert.deepEqual(await seen('SUCCEEDED', { check_hours: done, send_text: done }), ['succeeded', 'succeeded']);
    await service.query('update execution_payload set steps = $2 where id = $1', [id, JSON.stringify(original?.steps ?? null)]);
  });

  it('is shown without times while the engine is down, and fetched again next time', async () => {
    await service.query('update execution_payload set timed = false');
    service.engine.find = async () => {
      throw new Error('away');
    };
    assert.equal((await service.call('GET', `/executions/${at(1)}`, { as: 'owner' })).status, 200);
    const [payload] = await service.query<{ timed: boolean }>('select timed from execution_payload where id = $1', [at(1)]);
    assert.equal(payload?.timed, false);
  });
});

describe('the export', () => {
  it('contains exactly the filtered executions in scope', async () => {
    const reply = await service.call('GET', '/executions/export.csv?status=FAILED', { as: 'owner' });
    const lines = reply.text.trim().split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', new RegExp(`^${at(1)},`));
    assert.match(String(reply.headers['content-disposition']), /runs-\d{4}-\d\d-\d\d\.csv/);
    assert.equal((await service.call('GET', '/executions/export.csv', { as: 'rivalOwner' })).text.trim().split('\r\n').length, 2);
    assert.equal((await service.call('GET', `/executions/export.csv?workflowId=${rivalWorkflowId}`, { as: 'owner' })).status, 404);
  });

  it('has its headings in the language of a client, and English ones for its agency', async () => {
    const speak = (tag: string) =>
      service.query('update app_user set locale = $2 where id = any($1)', [
        [service.world.people.clientUser.userId, service.world.people.owner.userId],
        tag,
      ]);
    const head = async (as: 'clientUser' | 'owner') =>
      (await service.call('GET', '/executions/export.csv', { as })).text.replace('\uFEFF', '').split('\r\n')[0];
    await speak('de-AT');
    assert.match((await head('clientUser')) ?? '', /^Lauf;Begonnen;Beendet;Status;/);
    assert.match((await head('owner')) ?? '', /^Run,Started,Finished,/);
    await speak('es-MX');
    assert.match((await head('clientUser')) ?? '', /^Ejecución,Inicio,Fin,Estado,Agente,Cliente,Origen,Qué ocurrió,/);
    assert.match((await head('owner')) ?? '', /^Run,Started,Finished,Status,Agent,Client,Source,What happened,/);
    await speak('en-US');
  });
});

describe('the stream', () => {
  it('reports starts and ends in scope, never of others, and resumes with missed ones', async () => {
    const handler = service.executions.routes.streamExecutions;
    const open = async (person: 'owner' | 'rivalOwner' | 'clientUser', lastEventId: string | null) => {
      const events: { id: string; event: string; data: { id: string } }[] = [];
      const waiting: (() => void)[] = [];
      const input = { params: {}, query: {}, body: undefined };
      const stream = await handler(input, { actor: service.actor(person) } as Parameters<typeof handler>[1]); // the handler reads the actor only
      const stop = await stream.source.open((event) => {
        events.push(event as (typeof events)[number]); // the stream's own shape
        for (const resolve of waiting.splice(0)) resolve();
      }, lastEventId);
      const until = async (id: string, event: string): Promise<void> => {
        while (!events.some((one) => one.data.id === id && one.event === event))
          await new Promise<void>((resolve) => waiting.push(resolve));
      };
      return { events, stop, until };
    };
    const [own, client, rival] = [await open('owner', null), await open('clientUser', null), await open('rivalOwner', null)];
    const id = await started(workflowId);
    await service.executions.flushNotices();
    await Promise.all([own.until(id, 'execution.started'), client.until(id, 'execution.started')]);
    await service.executions.dispatcher.runOnce();
    await service.report(id, { status: 'SUCCEEDED' });
    await service.executions.flushNotices();
    await Promise.all([own.until(id, 'execution.finished'), client.until(id, 'execution.finished')]);
    const rivals = await started(rivalWorkflowId);
    await service.executions.flushNotices();
    await rival.until(rivals, 'execution.started');
    // A stream may also report what happened just before it was opened.
    const rows = await service.query<{ id: string }>('select id from execution where partner_id = $1', [service.world.rivalPartnerId]);
    const theirs = new Set(rows.map((row) => row.id));
    assert.ok(rival.events.every((event) => theirs.has(event.data.id)));
    assert.ok([...own.events, ...client.events].every((event) => !theirs.has(event.data.id)));
    const since = String(Number(own.events[0]?.id) - 1_000);
    for (const one of [own, client, rival]) one.stop();
    const resumed = await open('owner', since);
    assert.ok(resumed.events.some((event) => event.data.id === id && event.event === 'execution.finished'));
    assert.ok(resumed.events.every((event) => !theirs.has(event.data.id)));
    resumed.stop();
    await service.report(await dispatchedAgain(rivals), { status: 'SUCCEEDED' });
  });
});

async function dispatchedAgain(id: string): Promise<string> {
  await service.executions.dispatcher.runOnce();
  return id;
}

describe('a trigger', () => {
  it('starts an execution with the same checks, is audited, and takes at most four statements', async () => {
    await service.executions.flushNotices();
    let id = '';
    const count = await service.countStatements(async () => {
      const reply = await service.call('POST', `/workflows/${workflowId}/trigger`, { as: 'owner', body: { input: CALL } });
      assert.equal(reply.status, 202);
      id = reply.body.executionId;
      await service.executions.flushNotices();
    });
    assert.ok(count <= 4, `${count} statements`);
    const [audit] = await service.query<{ action: string; actor_email: string }>(
      'select action, actor_email from audit_entry where target_id = $1',
      [id],
    );
    assert.deepEqual(audit, { action: 'workflow.triggered', actor_email: service.world.people.owner.email });
    assert.equal((await service.query('select 1 from inbound_event where execution_id = $1', [id])).length, 0);
  });

  it('is for staff, partner admins and the client that owns the workflow', async () => {
    const path = `/workflows/${workflowId}/trigger`;
    await service.assertRefused(
      'POST',
      path,
      { moderator: 'partner_role_forbidden', otherClientUser: 'not_found', rivalOwner: 'not_found', rivalClientUser: 'not_found' },
      { input: CALL },
    );
    for (const person of ['staff', 'owner', 'clientUser'] as const)
      assert.equal((await service.call('POST', path, { as: person, body: { input: CALL } })).status, 202, person);
    assert.equal((await service.call('POST', path, { as: 'owner', body: { input: {} } })).body.code, 'missing_input');
    assert.equal((await service.call('POST', path, { as: 'owner', body: {} })).body.code, 'validation_failed');
    const key = { 'idempotency-key': 'once' };
    const [one, two] = [
      await service.call('POST', path, { as: 'owner', body: { input: CALL }, headers: key }),
      await service.call('POST', path, { as: 'owner', body: { input: CALL }, headers: key }),
    ];
    assert.equal(one.body.executionId, two.body.executionId);
  });
});

describe('a rerun', () => {
  it('starts a new execution with the original input or a changed one, audited', async () => {
    const reply = await service.call('POST', `/executions/${at(1)}/rerun`, { as: 'owner', body: {} });
    assert.equal(reply.status, 202);
    const [again] = await service.query<{ rerun_of: string; source: string }>('select rerun_of, source from execution where id = $1', [
      reply.body.executionId,
    ]);
    assert.deepEqual(again, { rerun_of: at(1), source: 'rerun' });
    const changed = await service.call('POST', `/executions/${at(1)}/rerun`, {
      as: 'staff',
      body: { input: { ...CALL, callerNumber: '+13125550199' } },
    });
    const [payload] = await service.query<{ input: { callerNumber: string } }>('select input from execution_payload where id = $1', [
      changed.body.executionId,
    ]);
    assert.equal(payload?.input.callerNumber, '+13125550199');
    assert.equal(
      (await service.query(`select 1 from audit_entry where action = 'execution.rerun' and target_id = $1`, [reply.body.executionId]))
        .length,
      1,
    );
  });

  it('with the key of an earlier one of the same execution starts no second one', async () => {
    const again = async (id: string, key: string): Promise<string> =>
      (await service.call('POST', `/executions/${id}/rerun`, { as: 'owner', body: {}, headers: { 'idempotency-key': key } })).body
        .executionId;
    const first = await again(at(1), 'one-click');
    assert.equal(await again(at(1), 'one-click'), first);
    const other = await service.call('POST', `/executions/${at(1)}/rerun`, {
      as: 'owner',
      body: { input: { ...CALL, callerNumber: '+13125550177' } },
      headers: { 'idempotency-key': 'one-click' },
    });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    assert.notEqual(await again(at(1), 'another'), first);
    assert.notEqual(await again(at(0), 'one-click'), first);
  });

  it('is refused to others, while the original is in progress, and when its input is no longer stored', async () => {
    const path = `/executions/${at(1)}/rerun`;
    await service.assertRefused(
      'POST',
      path,
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' },
      {},
    );
    assert.equal((await service.call('POST', `/executions/${at(2)}/rerun`, { as: 'owner', body: {} })).body.code, 'invalid_state');
    await service.query('delete from execution_payload where id = $1', [at(0)]);
    assert.equal((await service.call('POST', `/executions/${at(0)}/rerun`, { as: 'owner', body: {} })).body.code, 'invalid_state');
    assert.equal((await service.call('POST', `/executions/${at(0)}/rerun`, { as: 'owner', body: { input: CALL } })).status, 202);
    assert.equal((await service.call('GET', `/executions/${at(0)}`, { as: 'owner' })).body.payloadExpired, true);
  });

  it('of all failures of a window reruns each once', async () => {
    // As if the tests above had not run it again: those would stand for it.
    await service.query('update execution set rerun_of = null where rerun_of = $1', [at(1)]);
    const body = {
      workflowId,
      status: 'FAILED',
      from: new Date(Date.now() - 3_600_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    };
    const first = await service.call('POST', '/executions/rerun', { as: 'owner', body });
    assert.deepEqual([first.status, first.body], [202, { count: 1 }]);
    assert.deepEqual((await service.call('POST', '/executions/rerun', { as: 'owner', body })).body, { count: 0 });
    await service.assertRefused(
      'POST',
      '/executions/rerun',
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' },
      body,
    );
    assert.equal((await service.call('POST', '/executions/rerun', { as: 'owner', body: { ...body, to: body.from } })).status, 422);
  });
});

describe('a workflow', () => {
  it('lists its inbound events to the partner', async () => {
    await service.ingest(workflowId, {});
    const refused = await service.call('GET', `/workflows/${workflowId}/inbound-events?outcome=refused`, { as: 'owner' });
    assert.deepEqual(
      refused.body.data.map((one: { reason: string; status: number }) => [one.reason, one.status]),
      [['missing_input', 422]],
    );
    assert.ok((await service.call('GET', `/workflows/${workflowId}/inbound-events`, { as: 'moderator' })).body.data.length > 1);
    // Accepted and refused calls share one order and one cursor.
    const accepted = await service.ingest(workflowId, CALL);
    await service.ingest(workflowId, {});
    const page = async (query: string) =>
      (await service.call('GET', `/workflows/${workflowId}/inbound-events?${query}`, { as: 'owner' })).body;
    const all = (await page('limit=100')).data;
    assert.deepEqual(
      all.slice(0, 3).map((one: { outcome: string }) => one.outcome),
      ['refused', 'accepted', 'refused'],
    );
    assert.deepEqual([all[1].executionId, all[1].status, all[1].senderAddress], [accepted.body.executionId, 202, '127.0.0.1']);
    assert.ok(all[1].bodyPreview.includes('···') && !all[1].bodyPreview.includes('5550121'));
    const seen: string[] = [];
    for (let marker = ''; marker !== 'end';) {
      const one = await page(`limit=1${marker === '' ? '' : `&cursor=${marker}`}`);
      seen.push(...one.data.map((call: { id: string }) => call.id));
      marker = one.nextCursor ?? 'end';
    }
    assert.deepEqual(
      seen,
      all.map((one: { id: string }) => one.id),
    );
    const only = (await page('outcome=accepted')).data;
    assert.ok(only.length > 0 && only.every((one: { outcome: string }) => one.outcome === 'accepted'));
    // An event older than fourteen days is no longer listed, although its execution is.
    const old = '019a0000-0000-7000-8000-000000000001';
    await service.query(
      `with gone as (delete from execution where id = $1 returning *),
        moved as (insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, started_at, due_at, status)
          select $2, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, now() - interval '30 days', now(), 'FAILED' from gone)
      update execution_payload set id = $2 where id = $1`,
      [accepted.body.executionId, old],
    );
    assert.ok((await page('limit=100')).data.every((one: { id: string }) => one.id !== old && one.id !== accepted.body.executionId));
    await service.assertRefused('GET', `/workflows/${workflowId}/inbound-events`, {
      clientUser: 'role_forbidden',
      rivalOwner: 'not_found',
    });
  });

  it('has a figure for every day of the range', async () => {
    const days = (await service.call('GET', `/workflows/${workflowId}/executions/stats?range=7d`, { as: 'clientUser' })).body;
    assert.equal(days.length, 7);
    const today = days.at(-1);
    assert.ok(today.succeeded >= 1 && today.failed >= 1 && today.p95Ms !== null);
    await service.assertRefused('GET', `/workflows/${workflowId}/executions/stats`, {
      rivalOwner: 'not_found',
      otherClientUser: 'not_found',
    });
    assert.equal(
      (await service.call('GET', `/workflows/${workflowId}/executions/stats?range=1y`, { as: 'owner' })).body.code,
      'invalid_query',
    );
  });
});

it('every response of these routes matches the contract', () => {
  assert.ok(Object.keys(service.executions.routes).every((name) => name in routes));
});

describe('a run in the language of its reader', () => {
  it('is translated for a client, and stays English for its agency, for a view of the client, and in a language that is not offered', async () => {
    const read = async (person: 'clientUser' | 'owner', id: string) =>
      (await service.call('GET', `/executions/${id}`, { as: person })).body;
    const speak = (tag: string) =>
      service.query('update app_user set locale = $2 where id = $1', [service.world.people.clientUser.userId, tag]);
    const english = await read('clientUser', at(0));
    assert.match(english.summary, /^Texted \+1.* after a missed call$/);
    try {
      await speak('es-MX');
      const [done, failed] = [await read('clientUser', at(0)), await read('clientUser', at(1))];
      assert.match(done.summary, /^SMS a \+1.* tras una llamada perdida$/);
      assert.deepEqual(
        done.steps.map((step: { label: string }) => step.label),
        ['Revisar horario y repeticiones', 'Enviar SMS'],
      );
      assert.match(failed.summary, /^No se pudo escribir a \+1.* tras una llamada perdida$/);
      assert.equal(failed.error.message, 'Hay que revisar la cuenta o la configuración de un servicio conectado.');
      const listed = (await service.call('GET', '/executions', { as: 'clientUser' })).body.data;
      const summaries = listed.map((run: { summary: string }) => run.summary);
      for (const { summary } of [done, failed]) assert.ok(summaries.includes(summary), summary);
      assert.equal((await read('owner', at(0))).summary, english.summary);
      await speak('fr');
      assert.equal((await read('clientUser', at(0))).summary, english.summary);
    } finally {
      await speak('en-US');
    }
  });
});

describe('the CSV exports of one workflow', () => {
  const idsIn = (text: string): (string | undefined)[] =>
    text
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);

  it('contain its executions and inbound events as the lists do, and no others', async () => {
    for (const list of ['executions', 'inbound-events']) {
      const path = `/workflows/${workflowId}/${list}`;
      const rows = ids(await service.call('GET', `${path}?limit=100`, { as: 'owner' }));
      assert.ok(rows.length >= 3, list);
      const file = await service.call('GET', `${path}/export.csv`, { as: 'owner' });
      assert.match(String(file.headers['content-type']), /^text\/csv/);
      assert.deepEqual(idsIn(file.text), rows);
      assert.equal((await service.call('GET', `${path}/export.csv`, { as: 'rivalOwner' })).body.code, 'not_found');
    }
    const refused = await service.call('GET', `/workflows/${workflowId}/inbound-events/export.csv?outcome=refused`, { as: 'owner' });
    assert.equal(
      idsIn(refused.text).length,
      ids(await service.call('GET', `/workflows/${workflowId}/inbound-events?outcome=refused&limit=100`, { as: 'owner' })).length,
    );
    assert.equal(
      (await service.call('GET', `/workflows/${workflowId}/inbound-events/export.csv`, { as: 'clientUser' })).body.code,
      'role_forbidden',
    );
  });
});

describe('the counts of an agent', () => {
  const counts = (id: string, as: 'owner' | 'staff' = 'owner') => service.call('GET', `/workflows/${id}/executions/counts`, { as });

  it('say what each step did in the newest runs, and how many calls came in', async () => {
    const id = await service.addAgent({ clientId: service.world.otherClientId });
    const [done, broken] = [await started(id), await started(id)];
    await service.executions.dispatcher.runOnce();
    const steps = (second: string) => [
      { name: 'check_hours', status: 'succeeded' },
      { name: 'send_text', status: second },
    ];
    await service.report(done, { status: 'SUCCEEDED', steps: steps('skipped') });
    await service.report(broken, {
      status: 'FAILED',
      error: { code: 'twilio_down', message: 'Twilio had a fault' },
      steps: steps('failed'),
    });
    const silent = await started(id);
    await service.executions.dispatcher.runOnce();
    await service.report(silent, { status: 'FAILED', error: { code: 'twilio_down', message: 'Twilio had a fault' } });
    await started(id);
    assert.equal((await service.ingest(id, {})).status, 422);
    const { status, body } = await counts(id);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      runs: 3,
      failed: 2,
      steps: [
        { name: 'check_hours', succeeded: 2, failed: 0, skipped: 0 },
        { name: 'send_text', succeeded: 0, failed: 1, skipped: 1 },
      ],
      inbound: { accepted: 4, refused: 1, isMore: false },
    });
    assert.deepEqual((await counts(id, 'staff')).body, body);
  });

  it('are all zero for an agent that never ran, and one statement for any agent', async () => {
    const id = await service.addAgent({ clientId: null });
    assert.deepEqual((await counts(id)).body, { runs: 0, failed: 0, steps: [], inbound: { accepted: 0, refused: 0, isMore: false } });
    assert.equal(await service.countStatements(() => counts(id)), 4);
  });

  it('are not for clients, rivals or unknown agents', async () => {
    await service.assertRefused('GET', `/workflows/${workflowId}/executions/counts`, {
      clientUser: 'role_forbidden',
      rivalOwner: 'not_found',
    });
    assert.equal((await counts(newId())).status, 404);
  });
});

describe('a failure whose cause names a person', () => {
  it('is shown to the client without its cause: in the run, in the list and in its export', async () => {
    const id = await service.addAgent({ clientId: service.world.otherClientId, templateName: 'lead-follow-up-email' });
    const run = await started(id, { leadName: 'Ada Byron', leadEmail: 'ada.byron@example.com', message: 'Hello' });
    await service.executions.dispatcher.runOnce();
    const message = 'Resend refused ada.byron@example.com and +13125550121';
    await service.report(run, { status: 'FAILED', error: { code: 'resend_422', message, stepName: 'send_mail' } });
    const sayings = async (as: 'owner' | 'otherClientUser'): Promise<string[]> => {
      const one = (await service.call('GET', `/executions/${run}`, { as })).body;
      const listed = (await service.call('GET', `/executions?workflowId=${id}`, { as })).body.data[0];
      const { text } = await service.call('GET', `/executions/export.csv?workflowId=${id}`, { as });
      return [one.summary, listed.summary, text];
    };
    for (const said of await sayings('owner'))
      assert.match(said, /Could not answer Ada Byron: Resend refused a···@example\.com and \+1 312 ··· 0121/);
    for (const said of await sayings('otherClientUser')) {
      assert.match(said, /Could not answer Ada Byron/);
      assert.ok(!said.includes('Resend'), said);
    }
  });
});

describe('the contents of a run', () => {
  it('are shown, found and rerun for 90 days, and then no longer, also before their month is dropped; its status stays', async () => {
    const id = await service.addAgent({ clientId: service.world.otherClientId, templateName: 'review-request' });
    const event = { customerName: 'Ada', customerPhone: '+13125550121', note: 'Yellow submarine' };
    const [young, old] = [await endedDaysAgo(id, event, 89.9), await endedDaysAgo(id, event, 90.1)];
    for (const [run, isShown] of [
      [young, true],
      [old, false],
    ] as const)
      for (const person of ['owner', 'staff', 'otherClientUser'] as const) {
        const { body } = await service.call('GET', `/executions/${run}`, { as: person });
        assert.deepEqual([body.status, body.payloadExpired], ['FAILED', !isShown], person);
        assert.deepEqual([body.input?.note ?? null, body.output], isShown ? ['Yellow submarine', { tried: 1 }] : [null, null], person);
        const shown = body.steps.some((step: { output?: unknown }) => step.output !== undefined);
        assert.equal(shown, isShown && person !== 'otherClientUser', person);
        assert.equal(body.summary.startsWith('Could not ask Ada for a review'), isShown, body.summary);
        assert.equal(body.error.message.includes('Ada'), isShown && person !== 'otherClientUser', body.error.message);
      }
    const listed = await service.call('GET', `/executions?workflowId=${id}`, { as: 'owner' });
    assert.deepEqual(ids(listed), [young, old]);
    assert.equal(listed.body.data[1].summary, 'The details are no longer stored.');
    for (const person of ['owner', 'otherClientUser'] as const) {
      const { text } = await service.call('GET', `/executions/export.csv?workflowId=${id}`, { as: person });
      const lines = [young, old].map((run) => text.split('\r\n').find((line) => line.startsWith(run)));
      assert.deepEqual(
        lines.map((line) => line?.includes('Ada')),
        [true, false],
        person,
      );
    }
    assert.deepEqual(ids(await service.call('GET', `/executions?workflowId=${id}&q=submarine`, { as: 'owner' })), [young]);
    const from = new Date(Date.now() - 91 * 86_400_000).toISOString();
    const window = { workflowId: id, status: 'FAILED', from, to: new Date().toISOString() };
    assert.deepEqual((await service.call('POST', '/executions/rerun', { as: 'owner', body: window })).body, { count: 1 });
    const rerun = (run: string, body: object) => service.call('POST', `/executions/${run}/rerun`, { as: 'owner', body });
    assert.equal((await rerun(old, {})).body.code, 'invalid_state');
    assert.equal((await rerun(old, { input: event })).status, 202);
    assert.equal((await rerun(young, {})).status, 202);
  });

  it('are emptied in the run itself once they are no longer shown, each run once', async () => {
    const id = await service.addAgent({ clientId: null, templateName: 'review-request' });
    const event = { customerName: 'Ada', customerPhone: '+13125550121' };
    const [oldest, older, young] = [
      await endedDaysAgo(id, event, 4_000),
      await endedDaysAgo(id, event, 90.1),
      await endedDaysAgo(id, event, 89.9),
    ];
    const forget = (batch: number) => service.db.asSystem('sweep', (tx) => forgetTexts(tx, batch));
    const named = async () => {
      const rows = await service.query<{ id: string }>(
        "select id from execution where workflow_id = $1 and (summary like '%Ada%' or error_message like '%Ada%') order by id",
        [id],
      );
      return rows.map((row) => row.id);
    };
    assert.equal(await forget(1), 1);
    assert.deepEqual(await named(), [older, young]);
    assert.ok((await forget(100)) > 0);
    assert.equal(await forget(100), 0);
    assert.deepEqual(await named(), [young]);
    const { body } = await service.call('GET', `/executions/${oldest}`, { as: 'owner' });
    assert.deepEqual([body.status, body.summary], ['FAILED', 'The details are no longer stored.']);
    assert.ok(body.error.message !== '' && !body.error.message.includes('Ada'), body.error.message);
  });

  it('leave the run as it ended when they are dropped: one that stopped stays stopped', async () => {
    const id = await service.addAgencyAgent();
    const run = await started(id);
    await service.executions.dispatcher.runOnce();
    await service.report(run, { status: 'SUCCEEDED', output: { skipped: true, reason: 'on_stop_list', message: 'No texts were wanted' } });
    const listed = async () => {
      const { body } = await service.call('GET', `/executions?workflowId=${id}`, { as: 'staff' });
      return [body.data[0].status, body.data[0].stopped, body.data[0].tone];
    };
    assert.deepEqual(await listed(), ['SUCCEEDED', true, 'neutral']);
    await service.query('delete from execution_payload where id = $1', [run]);
    assert.deepEqual(await listed(), ['SUCCEEDED', true, 'neutral']);
  });
});

/** A run that failed; the time of a run is in its id. */
async function endedDaysAgo(id: string, event: object, days: number): Promise<string> {
  const run = await started(id, event);
  await service.executions.dispatcher.runOnce();
  const steps = [{ name: 'send_text', status: 'succeeded', output: { sid: 'SM1' } }];
  await service.report(run, {
    status: 'FAILED',
    output: { tried: 1 },
    steps,
    error: { code: 'no_such_code', message: 'The service could not reach Ada' },
  });
  const msecs = Date.now() - days * 86_400_000;
  const earlier = v7({ msecs });
  await service.query('update execution set id = $2, started_at = $3 where id = $1', [run, earlier, new Date(msecs)]);
  await service.query('update execution_payload set id = $2, timed = true where id = $1', [run, earlier]);
  return earlier;
}
