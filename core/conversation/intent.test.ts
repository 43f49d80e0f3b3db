import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import type { Template, TemplateInput } from '../template/types.ts';
import { offerAgents, readChoice, toolsOf, typedInput } from './intent.ts';

const input = (key: string, type: TemplateInput['type'], required = false): TemplateInput => ({
  key,
  label: `The ${key}`,
  type,
  required,
  aliases: [],
  example: 'x',
});
const template: Template = {
  name: 'texting',
  templateVersion: 1,
  title: 'Texting',
  summary: 's',
  clientSummary: 'Texts a visitor.',
  category: 'calls',
  icon: 'phone',
  inputs: [
    input('number', 'phone', true),
    input('mail', 'email'),
    input('note', 'text'),
    input('count', 'number'),
    input('isUrgent', 'boolean'),
    input('day', 'datetime'),
    input('page', 'url'),
    input('raw', 'object'),
  ],
  config: [],
  data: ['name'],
  requiredConnections: [],
  steps: [],
  result: {},
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
const WORKFLOW = '019a0000-0000-7000-8000-000000000001';
const pages = { website: 'https://a.example', bookingUrl: null, reviewUrl: null, host: null, config: {} };
const agents = offerAgents([{ intent: 'wants a text', workflowId: WORKFLOW, templateName: 'texting', pages }], (name) =>
  name === 'texting' ? template : undefined,
);
const [agent] = agents;
const call = (name: string, values: Record<string, unknown> = {}) => ({ name, input: values });

describe('tools of a turn', () => {
  it('are the client’s agents, typed by their inputs, and the hand-over', () => {
    const tools = toolsOf(agents);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['agent_1', 'hand_over'],
    );
    assert.deepEqual(tools[0]?.parameters['properties'], {
      number: { type: 'string', description: 'The number, with country code, such as +13125550121' },
      mail: { type: 'string', description: 'The mail' },
      note: { type: 'string', description: 'The note' },
      count: { type: 'number', description: 'The count' },
      isUrgent: { type: 'boolean', description: 'The isUrgent' },
      day: { type: 'string', description: 'The day, as ISO 8601 in the time of the business, without an offset, such as 2027-01-05T15:00' },
      page: { type: 'string', description: 'The page, as a full address' },
    });
  });

  it('leave the number of the business to the business', () => {
    const own = { ...input('businessNumber', 'phone', true), aliases: ['To'] };
    const calls = { ...template, inputs: [input('callerNumber', 'phone', true), own] };
    const offer = (businessPhone: string | null) =>
      offerAgents([{ intent: 'wants a text', workflowId: WORKFLOW, templateName: 'calls', businessPhone }], () => calls);
    const chosen = call('agent_1', { callerNumber: '+13125550121', businessNumber: '+13125550199' });
    const known = readChoice([chosen], offer('+1 (312) 555-0100'));
    assert.deepEqual(known.kind === 'run' && known.input, { callerNumber: '+13125550121', businessNumber: '+13125550100' });
    assert.deepEqual(Object.keys(Object(toolsOf(offer('+1 (312) 555-0100'))[0]?.parameters['properties'])), ['callerNumber']);
    assert.deepEqual([offer(null), offer('none')], [[], []], 'without one, no visitor is asked for it');
  });

  it('leave it to the business in each template that texts from it', () => {
    const own = loadBundles().map((bundle) => {
      const route = { intent: 'x', workflowId: WORKFLOW, templateName: bundle.template.name, businessPhone: '+13125550100' };
      return [bundle.template.name, ...Object.keys(offerAgents([route], () => bundle.template)[0]?.own ?? {})];
    });
    assert.deepEqual(
      own.filter(([, key]) => key !== undefined),
      [
        ['ai-faq-reply', 'to'],
        ['missed-call-text-back', 'businessNumber'],
      ],
    );
  });

  it('a route whose template is gone is not offered', () => {
    assert.deepEqual(
      offerAgents([{ intent: 'x', workflowId: WORKFLOW, templateName: 'gone' }], () => undefined),
      [],
    );
  });
});

describe('what the model chose', () => {
  it('is run with values of their types', () => {
    const values = {
      number: '+1 312 555 0121',
      mail: ' Ada@Example.com ',
      count: 2,
      isUrgent: true,
      day: '2026-11-24',
      page: 'https://a.example/b',
    };
    assert.deepEqual(readChoice([call('agent_1', values)], agents), {
      kind: 'run',
      agent,
      input: { ...values, number: '+13125550121', mail: 'ada@example.com' },
    });
  });

  it('is refused when it links to a page of someone else', () => {
    const chosen = readChoice([call('agent_1', { number: '+13125550121', page: 'https://evil.example/b' })], agents);
    assert.deepEqual(chosen, { kind: 'foreign_link', agent, key: 'page' });
  });

  it('asks for a value that is missing or of another type', () => {
    for (const number of [undefined, '', 'call me', 13125550121, { $ne: null }, ['+13125550121']])
      assert.deepEqual(readChoice([call('agent_1', { number })], agents), { kind: 'ask', agent, missing: ['number'] });
  });

  it('is nothing when the tool was not offered', () => {
    for (const name of ['agent_2', 'agent_1 ', 'run_sql', '__proto__', ''])
      assert.deepEqual(readChoice([call(name)], agents), { kind: 'reply' });
  });

  it('is one tool at most', () => {
    const chosen = readChoice([call('hand_over'), call('agent_1', { number: '+13125550121' })], agents);
    assert.deepEqual(chosen, { kind: 'hand_over' });
  });
});

it('values of other types, unknown keys and long texts are dropped', () => {
  const hostile = JSON.parse(
    '{"mail":"a b@c","note":["x"],"count":"2","isUrgent":"true","day":"soon","page":"javascript:alert(1)","raw":{"a":1},"other":1,"__proto__":{"x":1}}',
  );
  assert.deepEqual(typedInput(template, hostile), {});
  assert.deepEqual(typedInput(template, { note: 'x'.repeat(301) }), {});
  assert.deepEqual(typedInput(template, { note: 'a\u0000b\ud800' }), { note: 'ab\ufffd' });
  assert.deepEqual(typedInput(template, { note: ' \u0000 ' }), {});
  assert.deepEqual(typedInput(template, { note: 'x'.repeat(300) }), { note: 'x'.repeat(300) });
});

it('a number is one of the country of the business; a day alone is dropped where a time is needed', () => {
  const berlin = { timezone: 'Europe/Berlin', countries: ['DE'], locale: 'de' } as const;
  assert.deepEqual(typedInput(template, { number: '0151 23456789' }, berlin), { number: '+4915123456789' });
  assert.deepEqual(typedInput(template, { number: '0151 23456789' }), {});
  const offered = offerAgents([{ intent: 'x', workflowId: WORKFLOW, templateName: 'texting', reader: berlin }], () => template);
  const choice = readChoice([call('agent_1', { number: '0151 23456789' })], offered);
  assert.deepEqual(choice.kind === 'run' && choice.input, { number: '+4915123456789' });
  const timed = { ...template, inputs: [{ ...input('day', 'datetime'), timeRequired: true as const }] };
  assert.deepEqual(typedInput(timed, { day: '2027-01-05' }), {});
  assert.deepEqual(typedInput(timed, { day: '2027-01-05T15:00' }), { day: '2027-01-05T15:00' });
  for (const day of ['2027-01-05T15:00Z', '2027-01-05T15:00:00Z', '2027-01-05T15:00:00.000Z'])
    assert.deepEqual(typedInput(timed, { day }), { day: day.slice(0, -1) }, 'an hour of the business');
  assert.deepEqual(typedInput(timed, { day: '2027-01-05T15:00+01:00' }), { day: '2027-01-05T15:00+01:00' });
});
