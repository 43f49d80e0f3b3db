import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareFlow } from './drift.ts';
import type { HttpStep, Template, TemplateStep } from './types.ts';
import { externalConnectionId, flowFromTemplate, flowMetadata, type FlowBranch, type FlowStep } from './template.ts';
import { stepsUsingProvider, describeDefinition } from './definition.ts';

const code = (name: string, when?: TemplateStep['when']): TemplateStep => ({
  name,
  label: `Do ${name}`,
  kind: 'code',
  file: `steps/${name}.js`,
  uses: ['answers'],
  inputs: { input: '{{trigger.body.input}}' },
  ...(when ? { when } : {}),
});
const text = (name: string, when?: TemplateStep['when']): HttpStep => ({
  name,
  label: `Send ${name}`,
  kind: 'http',
  provider: 'twilio',
  request: { method: 'POST', path: '/2010-04-01/Accounts/{accountSid}/Messages.json', form: '{{check.out.form}}' },
  ...(when ? { when } : {}),
});

function template(steps: TemplateStep[]): Template {
  return {
    name: 'sample',
    templateVersion: 3,
    title: 'Sample',
    summary: 's',
    clientSummary: 's',
    category: 'calls',
    icon: 'phone',
    inputs: [{ key: 'callerNumber', label: 'Caller', type: 'phone', required: true, aliases: ['From'], example: '+13125550121' }],
    config: [],
    data: ['name'],
    requiredConnections: ['twilio'],
    steps,
    result: { contacted: '{{check.out.to}}' },
    stopsWhen: [],
    creditsPerRun: 1,
    timeoutMinutes: 10,
    changelog: [],
    isActive: true,
    sentences: { running: '', succeeded: '', failed: '', stopped: '' },
    resultsPhrase: { one: '', many: '' },
    hoursSavedPerRun: 0,
    sampleConversation: [],
    messages: [],
  };
}

const OPTIONS = {
  internalApiUrl: 'http://api.internal',
  connectionIds: { twilio: 'p1_c1_twilio' },
  displayName: 'Sample for Oak Street',
  codeSources: {
    'steps/check.js': 'export const code = async () => go({});',
    'parts/answers.js': 'export const go = (out) => out;',
    'parts/outcome.js': 'export const code = 1;',
  },
  pieceVersions: { webhook: '0.1.34', http: '0.11.9' },
};

const flowOf = (steps: TemplateStep[]) => flowFromTemplate(template(steps), OPTIONS);

function topLevel(trigger: FlowStep): FlowStep[] {
  return trigger.nextAction === undefined ? [trigger] : [trigger, ...topLevel(trigger.nextAction)];
}

/** The conditions under which a step runs, as texts: OR of ANDs. */
function guardOf(steps: TemplateStep[], name: string, succeedsOn?: '2xx'): string[][] {
  const made = { ...template(steps), ...(succeedsOn && { succeedsOn }) };
  const router = topLevel(flowFromTemplate(made, OPTIONS).trigger).find((step) => step.name === `before_${name}`);
  const branches = (router?.settings['branches'] ?? []) as FlowBranch[];
  return (branches[0]?.conditions ?? []).map((group) =>
    group.map((one) => [one.operator, one.firstValue, one.secondValue].filter((part) => part !== undefined).join(' ')),
  );
}

describe('a template as a flow', () => {
  it('ends with outcome and report at the top level regardless of earlier failures', () => {
    const flow = flowOf([code('check'), text('send')]);
    assert.deepEqual(
      topLevel(flow.trigger).map((step) => step.name),
      ['trigger', 'check', 'before_send', 'outcome', 'report'],
    );
    assert.equal(flow.schemaVersion, '20');
  });

  it('answers a caller that waits with the report, only for an event without an executionId, and goes on to the report', () => {
    const answering = { ...template([code('check')]), templateVersion: 3, answersSince: 2 };
    const steps = topLevel(flowFromTemplate(answering, OPTIONS).trigger);
    assert.deepEqual(
      steps.map((step) => step.name),
      ['trigger', 'check', 'outcome', 'before_answer', 'report'],
    );
    const router = steps.at(-2);
    const branches = router?.settings['branches'] as FlowBranch[];
    assert.deepEqual(branches[0]?.conditions, [[{ operator: 'DOES_NOT_EXIST', firstValue: '{{trigger.body.executionId}}' }]]);
    const settings = router?.children?.[0]?.settings;
    assert.deepEqual([settings?.['pieceName'], settings?.['actionName']], ['@activepieces/piece-webhook', 'return_response']);
    assert.deepEqual(settings?.['input'], {
      responseType: 'json',
      respond: 'respond',
      fields: { status: 200, headers: {}, body: '{{outcome.report}}' },
    });
    assert.deepEqual(settings?.['errorHandlingOptions'], { continueOnFailure: { value: true }, retryOnFailure: { value: false } });
    assert.equal(router?.children?.[1], null);
  });

  it('is what it was for a version from before it answered', () => {
    const older = { ...template([code('check')]), templateVersion: 1 };
    for (const one of [older, { ...older, answersSince: 2 }])
      assert.deepEqual(
        topLevel(flowFromTemplate(one, OPTIONS).trigger).map((step) => step.name),
        ['trigger', 'check', 'outcome', 'report'],
      );
  });

  it('goes on after an answer of 200 to 299 only; a copy from before goes on after any that the engine took', () => {
    const steps = [text('send'), text('then')];
    assert.deepEqual(guardOf(steps, 'then'), [['NUMBER_IS_GREATER_THAN {{send.status}} 0']]);
    assert.deepEqual(guardOf(steps, 'then', '2xx'), [
      ['NUMBER_IS_GREATER_THAN {{send.status}} 199', 'NUMBER_IS_LESS_THAN {{send.status}} 300'],
    ]);
  });

  it('is the same for the same template, each step dated as import demands', () => {
    const steps = [code('check'), text('send')];
    assert.deepEqual(flowOf(steps), flowOf(steps));
    for (const step of topLevel(flowOf(steps).trigger)) assert.match(step.lastUpdatedDate, /^\d{4}-\d\d-\d\dT/);
  });

  it('posts the report as body.data with the callback token, retries when unreachable, and continues when refused', () => {
    const report = topLevel(flowOf([code('check')]).trigger).at(-1);
    const input = report?.settings['input'] as Record<string, unknown>;
    assert.equal(input['url'], 'http://api.internal/executions/webhook');
    assert.deepEqual(input['headers'], { 'X-Callback-Token': '{{trigger.body.callbackToken}}' });
    assert.deepEqual([input['body_type'], input['body']], ['json', { data: '{{outcome.report}}' }]);
    assert.equal(input['failureMode'], 'continue_4xx');
    assert.equal(input['followRedirects'], false);
    assert.deepEqual(report?.settings['errorHandlingOptions'], { continueOnFailure: { value: true }, retryOnFailure: { value: true } });
  });

  it('takes every secret from a connection by the dot form and carries none itself', () => {
    const send = topLevel(flowOf([code('check'), text('send')]).trigger)[2]?.children?.[0];
    const input = send?.settings['input'] as Record<string, unknown>;
    assert.equal(
      input['url'],
      '{{connections.p1_c1_twilio.props.baseUrl}}/2010-04-01/Accounts/{{connections.p1_c1_twilio.props.accountSid}}/Messages.json',
    );
    assert.deepEqual(input['authFields'], {
      username: '{{connections.p1_c1_twilio.props.accountSid}}',
      password: '{{connections.p1_c1_twilio.props.authToken}}',
    });
    assert.deepEqual(input['headers'], { 'Content-Type': 'application/x-www-form-urlencoded' });
    assert.equal(input['failureMode'], 'continue_all');
    assert.equal(input['followRedirects'], false);
  });

  it('goes on after every step that fails, and makes none of them twice: a text sent again is worse than one that is late', () => {
    const flow = flowOf([code('check'), text('send')]);
    const steps = topLevel(flow.trigger).flatMap((step) => [step, ...(step.children ?? [])]);
    const handling = steps.flatMap((step) =>
      step && ['check', 'send', 'outcome'].includes(step.name) ? [step.settings['errorHandlingOptions']] : [],
    );
    assert.deepEqual(handling, Array(3).fill({ continueOnFailure: { value: true }, retryOnFailure: { value: false } }));
  });

  it('puts shared parts before the source and leaves one export', () => {
    const check = topLevel(flowOf([code('check')]).trigger)[1];
    assert.ok(check);
    const { sourceCode } = check.settings as { sourceCode: { code: string } };
    assert.equal(sourceCode.code, 'const go = (out) => out;\nexport const code = async () => go({});');
  });
});

describe('the guard before a step', () => {
  it('lets a step run only after the one before did well', () => {
    assert.deepEqual(guardOf([code('check'), text('send')], 'send'), [['BOOLEAN_IS_TRUE {{check.go}}']]);
    assert.deepEqual(guardOf([text('first'), code('check')], 'check'), [['NUMBER_IS_GREATER_THAN {{first.status}} 0']]);
  });

  it('adds the condition of a conditional step, also for the first', () => {
    const when = { ref: 'check.out.hot', is: 'true' } as const;
    assert.deepEqual(guardOf([code('check'), text('alert', when)], 'alert'), [
      ['BOOLEAN_IS_TRUE {{check.go}}', 'BOOLEAN_IS_TRUE {{check.out.hot}}'],
    ]);
    assert.deepEqual(guardOf([text('read', { ref: 'trigger.body.input.uid', is: 'present' })], 'read'), [
      ['EXISTS {{trigger.body.input.uid}}'],
    ]);
  });

  it('goes past a conditional step that was not wanted, never past one that failed', () => {
    const when = { ref: 'check.out.hot', is: 'true' } as const;
    assert.deepEqual(guardOf([code('check'), text('alert', when), text('send')], 'send'), [
      ['BOOLEAN_IS_TRUE {{check.go}}', 'NUMBER_IS_GREATER_THAN {{alert.status}} 0'],
      ['BOOLEAN_IS_TRUE {{check.go}}', 'BOOLEAN_IS_FALSE {{check.out.hot}}'],
    ]);
    assert.deepEqual(
      guardOf([code('check'), { ...text('alert', when), mayFail: true }, text('send', when)], 'send'),
      [['BOOLEAN_IS_TRUE {{check.go}}', 'BOOLEAN_IS_TRUE {{check.out.hot}}']],
      'unless that may fail',
    );
    const present = { ref: 'trigger.body.input.uid', is: 'present' } as const;
    assert.deepEqual(guardOf([text('read', present), code('check')], 'check'), [
      ['NUMBER_IS_GREATER_THAN {{read.status}} 0'],
      ['DOES_NOT_EXIST {{trigger.body.input.uid}}'],
    ]);
  });
});

describe('names in the engine', () => {
  it('gives a connection the same name each time, of letters, digits and underscores only', () => {
    const id = externalConnectionId('0196A0aa-0000-7000-8000-000000000001', '0196a0aa-0000-7000-8000-000000000002', 'twilio');
    assert.equal(id, 'p0196A0aa000070008000000000000001_c0196a0aa000070008000000000000002_twilio');
    assert.equal(externalConnectionId('a-b', null, 'openai'), 'pab_agency_openai');
  });
  it('tags a flow with whose it is', () => {
    const tag = { partnerId: 'p', clientId: null, workflowId: 'w', templateName: 't', templateVersion: 2 };
    assert.deepEqual(flowMetadata(tag), tag);
  });
});

describe('comparing a flow with what the engine holds', () => {
  const sent = flowOf([code('check'), text('send'), text('again', { ref: 'check.out.hot', is: 'true' })]);

  /** The engine's answer: rewritten references, new dates, members of its own. */
  function returned(): { valid: boolean; trigger: FlowStep } {
    const rewritten = JSON.stringify(sent.trigger)
      .replace(/\{\{(trigger|check|send|again|outcome)\./g, "{{$1['output'].")
      .replaceAll('2026-01-01T00:00:00.000Z', '2027-02-03T04:05:06.789Z')
      .replaceAll('"settings":{', '"settings":{"sampleData":{},');
    return { valid: true, trigger: JSON.parse(rewritten) as FlowStep };
  }

  function changed(change: (steps: FlowStep[]) => void): string[] {
    const version = returned();
    change(topLevel(version.trigger));
    return compareFlow(sent, version).map((difference) => `${difference.step} ${difference.what}`);
  }

  it('finds none where the engine only rewrote and stamped', () => {
    assert.deepEqual(compareFlow(sent, returned()), []);
  });
  it('names a missing, foreign, switched off or changed step', () => {
    assert.deepEqual(
      changed((steps) => delete steps.at(-2)?.nextAction),
      ['report is missing'],
    );
    assert.deepEqual(
      changed((steps) => Object.assign(steps.at(-1) ?? {}, { nextAction: { name: 'spy' } })),
      ['spy is not part of the template'],
    );
    assert.deepEqual(
      changed((steps) => Object.assign(steps[1] ?? {}, { skip: true })),
      ['check is switched off'],
    );
    assert.deepEqual(
      changed((steps) => Object.assign(steps[1]?.settings ?? {}, { sourceCode: { code: 'x', packageJson: '{}' } })),
      ['check differs in sourceCode'],
    );
    assert.deepEqual(
      changed((steps) => Object.assign(steps[2] ?? {}, { children: [null, null] })),
      ['send is missing'],
    );
  });
  it('detects an added header and a removed condition', () => {
    const header = changed((steps) => {
      const input = steps.at(-1)?.settings['input'] as { headers: object };
      input.headers = { ...input.headers, 'X-Copy-To': 'elsewhere' };
    });
    assert.deepEqual(header, ['report differs in input']);
    const condition = changed((steps) => {
      const branches = (steps[2]?.settings['branches'] ?? []) as { conditions?: unknown[] }[];
      branches[0]?.conditions?.pop();
    });
    assert.deepEqual(condition, ['before_send differs in branches']);
  });
  it('reports a flow the engine calls invalid, or no flow at all', () => {
    assert.deepEqual(
      compareFlow(sent, { ...returned(), valid: false }).map((one) => one.what),
      ['the engine calls the flow invalid'],
    );
    assert.equal(compareFlow(sent, null).length, 1);
  });
});

describe('the definition people read', () => {
  it('lists steps in order with what they read, report last', () => {
    const definition = describeDefinition(template([code('check'), text('send', { ref: 'check.out.hot', is: 'true' })]));
    assert.deepEqual(definition.trigger.keys, ['callerNumber']);
    assert.deepEqual(definition.steps, [
      { name: 'check', label: 'Do check', kind: 'code', provider: null, reads: ['callerNumber'], conditional: false },
      { name: 'send', label: 'Send send', kind: 'http', provider: 'twilio', reads: ['Do check'], conditional: true },
      { name: 'report', label: 'Report', kind: 'report', provider: null, reads: ['Do check', 'Send send'], conditional: false },
    ]);
  });
  it('names the steps that need a provider', () => {
    assert.deepEqual(stepsUsingProvider(template([code('check'), text('send')]), 'twilio'), ['Send send']);
    assert.deepEqual(stepsUsingProvider(template([code('check')]), 'twilio'), []);
  });
});
