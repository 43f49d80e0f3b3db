import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, close, dialog, gone, holds, noDialog, open, press, reads, rows, screen, see, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Call, Refused, reply, row } from '../../testing/service.ts';
import { formatDay } from '../../ui/text/format.ts';

const PAGE = '/dashboard/runs?started=all';
const RUNS = Array.from({ length: 7 }, (_, n) =>
  row('listExecutions', { id: idOf(100 + n), status: 'SUCCEEDED', summary: `Run number ${n}` }),
);
const more = (cursor: string | undefined) =>
  cursor ? { data: RUNS.slice(3), nextCursor: null } : { data: RUNS.slice(0, 3), nextCursor: 'more' };
const count = (expected: number) => holds(() => assert.equal(rows('Runs').length, expected));

test('further rows are appended, and the list says when it is complete', async () => {
  await open('owner', PAGE, { listExecutions: ({ query }) => more(query.cursor) });
  await count(3);
  await see('Showing the newest 3');
  await press('Load 25 more');
  await count(7);
  await see('Showing all 7');
  assert.equal(screen.queryByRole('button', { name: 'Load 25 more' }), null);
  assert.deepEqual(
    rows('Runs').map((one) => one.dataset['row']),
    RUNS.map(({ id }) => id),
  );
});

test('a page of rows that fails to load is reported below the loaded rows, and can be retried', async () => {
  let fails = true;
  await open('owner', PAGE, {
    listExecutions: ({ query }) => {
      if (query.cursor && fails) throw new Refused('invalid_cursor');
      return more(query.cursor);
    },
  });
  await press('Load 25 more');
  const problem = await within(screen.getByRole('main')).findByRole('alert');
  assert.match(problem.textContent ?? '', /More rows could not be loaded\./);
  assert.equal(rows('Runs').length, 3);
  assert.ok(rows('Runs').at(-1)?.compareDocumentPosition(problem) === Node.DOCUMENT_POSITION_FOLLOWING);
  fails = false;
  await press('Load 25 more');
  await count(7);
  await gone(/More rows could not be loaded/);
});

test('J and K stop at the ends, Tab reaches the row they left, and Enter opens it', async () => {
  await open('owner', PAGE, { listExecutions: { data: RUNS.slice(0, 3), nextCursor: null } });
  await count(3);
  for (const [key, at] of [
    ['k', 0],
    ['k', 0],
    ['j', 1],
    ['j', 2],
    ['j', 2],
    ['k', 1],
  ] as const) {
    await user.keyboard(key);
    assert.equal(document.activeElement, rows('Runs')[at]);
  }
  await holds(() => assert.deepEqual(rows('Runs').map((one) => one.tabIndex), [-1, 0, -1])); // prettier-ignore
  const search = screen.getByRole<HTMLInputElement>('searchbox');
  await user.type(search, 'j');
  assert.equal(search.value, 'j');
  await user.clear(search);
  await count(3);
  rows('Runs')[1]?.focus();
  await user.keyboard('{Enter}');
  await holds(() => assert.equal(location.pathname, `/dashboard/runs/${RUNS[1]?.id ?? ''}`));
});

test('X and the box select the same rows; selecting opens nothing, and Clear deselects', async () => {
  await open('owner', PAGE, { listExecutions: { data: RUNS.slice(0, 3), nextCursor: null } });
  await count(3);
  const selected = (...expected: string[]) =>
    holds(() => assert.deepEqual(rows('Runs').map((one) => one.getAttribute('aria-selected')), expected)); // prettier-ignore
  const box = (at: number) => within(rows('Runs')[at] ?? document.body).getByRole<HTMLInputElement>('checkbox');
  await user.keyboard('jx');
  await selected('true', 'false', 'false');
  await user.click(box(2));
  await selected('true', 'false', 'true');
  await button('Rerun 2');
  rows('Runs')[0]?.focus();
  await user.keyboard('x');
  await button('Rerun 1');
  assert.equal(location.pathname, '/dashboard/runs');
  await press('Clear');
  await selected('false', 'false', 'false');
  assert.equal(box(2).checked, false);
});

test('of the selected failed runs those that were run again are left out, and how many is said', async () => {
  const selected = [
    row('listExecutions', { id: idOf(71), status: 'FAILED' }),
    row('listExecutions', { id: idOf(72), status: 'FAILED' }),
    row('listExecutions', { id: idOf(73), status: 'SUCCEEDED' }),
  ];
  let done: readonly string[] = [idOf(71)];
  const service = await open('owner', PAGE, {
    listExecutions: { data: selected, nextCursor: null },
    rerunExecution: ({ params: { id }, body }) =>
      reply('rerunExecution', { executionId: idOf(90), ...(body?.unlessRerun ? { wasRerun: done.includes(id) } : {}) }),
  });
  await count(3);
  const rerunAll = async (): Promise<HTMLElement> => {
    for (const one of rows('Runs')) await user.click(within(one).getByRole('checkbox'));
    await press('Rerun 3');
    const asked = await dialog('Rerun 3 runs?');
    await reads(
      asked,
      /1 run succeeded before: the people in it get the same message twice\. Failed runs that were run again since are left out/,
    );
    await press('Rerun', asked);
    return asked;
  };
  await rerunAll();
  await see('2 runs restarted. 1 had already been run again or had succeeded.');
  assert.deepEqual(
    service.calls.flatMap(({ name, params, body }) => (name === 'rerunExecution' ? [[params, body]] : [])),
    [
      [{ id: idOf(71) }, { unlessRerun: true }],
      [{ id: idOf(72) }, { unlessRerun: true }],
      [{ id: idOf(73) }, { unlessRerun: false }],
    ],
  );
  done = [];
  await rerunAll();
  await see('3 runs restarted.');
});

test('a list that fails to load, an empty list and a search without a match each say what to do', async () => {
  let answer: (call: Call<'listExecutions'>) => ReturnType<typeof more> = () => {
    throw new Refused('invalid_cursor');
  };
  const service = await open('owner', PAGE, {
    listExecutions: (call) => (call.query.status ? { data: [], nextCursor: null } : answer(call)),
  });
  const main = screen.getByRole('main');
  const alert = await within(main).findByRole('alert');
  assert.match(alert.textContent ?? '', /This cursor is not valid/);
  assert.equal(rows('Runs').length, 0);

  answer = () => ({ data: [], nextCursor: null });
  await close();
  await open('owner', PAGE, service.answers);
  await see('No runs yet');
  assert.equal(within(screen.getByRole('main')).queryByRole('alert'), null);

  answer = () => ({ data: RUNS, nextCursor: null });
  await close();
  await open('owner', `${PAGE}&status=FAILED`, service.answers);
  await see('No run matches');
  await press('Clear the filters');
  await count(RUNS.length);
  assert.equal(new URL(location.href).searchParams.get('status'), null);
});

test('density and hidden columns are kept on the device', async () => {
  const answers = { listExecutions: { data: RUNS.slice(0, 1), nextCursor: null } };
  await open('owner', PAGE, answers);
  const table = () => screen.findByRole('table', { name: 'Runs' });
  const heads = async () =>
    within(await table())
      .getAllByRole('columnheader')
      .map((head) => head.textContent);
  assert.equal((await table()).dataset['dense'], '');
  await user.click(screen.getByRole('radio', { name: 'Comfortable rows' }));
  await press('Columns');
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Credits', checked: true }));
  await user.keyboard('{Escape}');
  assert.ok(!(await heads()).includes('Credits'));

  await close();
  await open('owner', PAGE, answers);
  await count(1);
  assert.equal((await table()).dataset['dense'], undefined);
  assert.deepEqual([(await heads()).includes('Credits'), (await heads()).includes('Source')], [false, true]);
  await press('Columns');
  assert.equal((await screen.findByRole('menuitemcheckbox', { name: 'Credits' })).getAttribute('aria-checked'), 'false');
  await user.keyboard('{Escape}');
  await press('Theme');
  await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
  await press('Theme');
  assert.equal((await screen.findByRole('menuitemradio', { checked: true })).textContent, 'Dark');
  await user.keyboard('{Escape}');
});

test('a search without a match in the newest rows continues in older rows', async () => {
  await open('owner', PAGE, {
    listExecutions: ({ query: { cursor } }) =>
      cursor === 'third' ? { data: RUNS.slice(0, 1), nextCursor: null } : { data: [], nextCursor: cursor ? 'third' : 'second' },
  });
  await see('Nothing found yet');
  await press('Search older rows');
  await count(1);
});

test('a rerun of many shows how far it is, and what did not start again', async () => {
  const shown = row('listReruns', {
    agentName: 'Missed-call text back',
    total: 100,
    started: 37,
    refused: 0,
    refusal: null,
    finishedAt: null,
  });
  const service = await open('owner', '/dashboard/runs', { listReruns: () => [shown] });
  const main = screen.getByRole('main');
  await see(/Rerunning Missed-call text back: 37 of 100 runs/, main);
  await within(main).findByRole('meter', { name: 'Runs of Missed-call text back started again' });
  Object.assign(shown, { started: 97, refused: 3, refusal: 'quota_exceeded', finishedAt: shown.createdAt });
  await see(/3 of 100 runs of Missed-call text back did not start again: no credits were free\./, main);
  await gone(/Rerunning/, main);
  assert.ok(service.calls.some(({ name }) => name === 'listReruns'));
});

test('a run that was found by its text stays when the stream repeats it', async () => {
  const found = RUNS.slice(0, 1);
  const service = await open('owner', '/dashboard/runs?started=all&q=number', {
    listExecutions: () => ({ data: found, nextCursor: null }),
  });
  await count(1);
  await holds(() => assert.ok(service.send('/executions/stream', 'execution.finished', found[0])));
  // The next event has been read when its own consequence is there.
  const reads = service.calls.filter(({ name }) => name === 'listExecutions').length;
  await holds(() => assert.ok(service.send('/executions/stream', 'execution.finished', RUNS[5])));
  await holds(() => assert.ok(service.calls.filter(({ name }) => name === 'listExecutions').length > reads));
  await count(1);
});

test('a list that is filtered by text is searched again when the stream reports a run that is not in it', async () => {
  let found: typeof RUNS = [];
  const service = await open('owner', '/dashboard/runs?started=all&q=number', {
    listExecutions: () => ({ data: found, nextCursor: null }),
  });
  await see('No run matches');
  found = RUNS.slice(0, 1);
  await holds(() => assert.ok(service.send('/executions/stream', 'execution.finished', RUNS[0])));
  await count(1);
});

test('a page that exceeds the rate limit says that it waits, and continues by itself', async () => {
  let refusals = 1;
  await open('owner', PAGE, {
    listExecutions: () => {
      if (refusals-- > 0) throw new Refused('rate_limited', { retryAfterSeconds: 3 });
      return { data: RUNS, nextCursor: null };
    },
  });
  await see('Too many requests in a minute. Loading continues in 3 seconds.');
  await count(RUNS.length);
  await gone(/Too many requests/);
});

test('of failed runs of several agents the page says how many started again, and whose did not and why', async () => {
  const cause = (n: number, agentName: string, notRerun: number) =>
    row('listFailureCauses', { code: 'step_failed', workflowId: idOf(n), agentName, count: notRerun, notRerun });
  const service = await open('owner', PAGE, {
    listExecutions: { data: RUNS.slice(0, 3), nextCursor: null },
    listFailureCauses: [cause(51, 'Reminder', 3), cause(52, 'Review request', 2), cause(53, 'Lead intake', 4)],
    rerunFailed: ({ body: { workflowId } }) => {
      if (workflowId === idOf(52)) throw new Refused('workflow_inactive');
      return reply('rerunFailed', { count: workflowId === idOf(51) ? 3 : 0 });
    },
  });
  await count(3);
  const lists = (): number => service.calls.filter(({ name }) => name === 'listExecutions').length;
  const before = lists();
  await press('Rerun failed');
  const asked = await dialog('Rerun 9 failed runs?');
  await reads(asked, /A run that fails costs nothing; AI tokens on platform keys are charged in any case\./);
  await press('Rerun failed', asked);
  await see('Rerunning 3 runs.');
  await see('The runs of Review request did not start.');
  await see('This agent is switched off.');
  await noDialog();
  await holds(() => assert.ok(lists() > before));
});

const DAY_MS = 86_400_000;

test('one cause of several agents is counted once, the newest cause comes first, and its filter has its words', async () => {
  const now = Date.now();
  const down = (n: number, client: string) =>
    row('listFailureCauses', {
      code: 'openai_down',
      message: 'OpenAI was not working',
      workflowId: idOf(n),
      count: 3,
      notRerun: 3,
      clients: [client],
      lastAt: new Date(now - 9 * DAY_MS).toISOString(),
    });
  const sender = row('listFailureCauses', {
    code: 'twilio_sender_rejected',
    message: 'Twilio does not accept the sender number',
    workflowId: idOf(54),
    count: 1,
    clients: ['Casa Verde'],
    lastAt: new Date(now).toISOString(),
  });
  await open('owner', PAGE, {
    listExecutions: { data: RUNS.slice(0, 3), nextCursor: null },
    listFailureCauses: [down(51, 'Hillcrest'), down(52, 'Bright Spark'), down(53, 'Oak Street'), sender],
  });
  const strip = await screen.findByRole('region', { name: 'Failures by cause' });
  await reads(
    strip,
    /10 failed2 causes1Twilio does not accept the sender numberCasa Verde9OpenAI was not workingHillcrest, Bright Spark,? and Oak Street/,
  );
  await press(/OpenAI was not working/, strip);
  await holds(() => assert.equal(new URL(location.href).searchParams.get('cause'), 'openai_down'));
  await reads(screen.getByRole('main'), /CauseOpenAI was not working/);
  await press('Rerun failed', strip);
  await dialog('Rerun 9 failed runs?');
});

test('a rerun of failed runs names the day of the oldest, when that is before today, and whose they are', async () => {
  const cause = (byDay: number[], notRerun: number) =>
    row('listFailureCauses', {
      code: 'openai_down',
      workflowId: idOf(51),
      agentName: 'FAQ reply',
      clients: ['Hillcrest', 'Oak Street'],
      count: 2,
      notRerun,
      byDay,
    });
  const ask = async (byDay: number[], notRerun = 2): Promise<HTMLElement> => {
    await open('owner', PAGE, {
      listExecutions: { data: RUNS.slice(0, 1), nextCursor: null },
      listFailureCauses: [cause(byDay, notRerun)],
    });
    await press('Rerun failed');
    return dialog(/failed runs?\?$/);
  };
  const threeDaysAgo = (): string => formatDay(new Date(Date.now() - 3 * DAY_MS).toISOString());
  const before = threeDaysAgo();
  const late = await ask([0, 1, 0, 0, 1]);
  await reads(late, /2 runs of 1 agent \(FAQ reply\), for Hillcrest and Oak Street,/);
  // Midnight may pass.
  const day = (): string => `(?:${before}|${threeDaysAgo()})`;
  await reads(late, new RegExp(`The oldest is from ${day()}\\. The people that these runs are about get the message now\\.`));
  // Which of them was run again is not known here.
  await reads(await ask([0, 1, 0, 0, 1], 1), new RegExp(`The oldest may be from ${day()}\\.`));
  assert.doesNotMatch((await ask([0, 0, 0, 0, 2])).textContent, /oldest/);
});

test('a rerun of selected runs names the day of the oldest, when that is before today', async () => {
  const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  for (const days of [0, 3]) {
    const failed = row('listExecutions', { id: idOf(71), status: 'FAILED', startedAt: at(days) });
    await open('owner', PAGE, { listExecutions: { data: [failed], nextCursor: null } });
    await count(1);
    await user.click(within(rows('Runs')[0] ?? document.body).getByRole('checkbox'));
    await press('Rerun 1');
    const asked = await dialog('Rerun 1 run?');
    if (days === 0) assert.doesNotMatch(asked.textContent, /oldest/);
    else await reads(asked, new RegExp(`The oldest is from ${formatDay(at(days))}\\.`));
  }
});
