import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CopySource, copySettings, targetState } from './copy.ts';
import type { Template, TemplateConfig } from './types.ts';

const setting = (one: Partial<TemplateConfig> & Pick<TemplateConfig, 'key' | 'type'>): TemplateConfig => ({
  label: one.key,
  default: '',
  help: '',
  ...one,
});
const template = {
  config: [
    setting({ key: 'message', type: 'longtext', default: 'You can book here: {bookingUrl}' }),
    setting({ key: 'bookingUrl', type: 'url', fromProfile: 'bookingUrl' }),
    setting({ key: 'fromNumber', type: 'phone' }),
    setting({ key: 'ownerEmail', type: 'email' }),
    setting({ key: 'quietHours', type: 'time-range', default: '21:00-08:00' }),
    setting({ key: 'senderName', type: 'text', ofOneClient: true }),
    setting({ key: 'signature', type: 'longtext', default: 'Kind regards', ofOneClient: true }),
    setting({ key: 'blockList', type: 'list', default: [] }),
    setting({ key: 'delays', type: 'numberList', default: [2, 5] }),
  ],
} as unknown as Template; // only the settings are read
const GERMAN = { message: 'Einen Termin buchen Sie hier: {bookingUrl}', signature: 'Freundliche Grüße' };
const SPANISH = { message: 'Reserve en este enlace: {bookingUrl}', signature: 'Un cordial saludo' };
const LONG = 'message.'.repeat(50_000);
const source = (config: CopySource['config']): CopySource => ({
  config,
  texts: [{}, GERMAN, SPANISH],
  client: {
    name: 'Oak Street Dental',
    timezone: 'America/Chicago',
    contacts: [null, '555 0100'],
    businessProfile: { address: '12 Oak Street' },
  },
});
const target = { timezone: 'America/New_York', businessProfile: { bookingUrl: 'https://elm.example/book' }, texts: {} };
const copy = (config: CopySource['config'], given = {}, to: Parameters<typeof copySettings>[2] = target) =>
  copySettings(template, source(config), to, given);
const of = (key: string, result: ReturnType<typeof copy>) => result.differences.find((one) => one.key === key);

describe('a copied setting', () => {
  const cases: { name: string; config: object; key: string; value: unknown; difference?: object }[] = [
    {
      name: 'a text that names no one is copied',
      config: { message: 'We missed you. {bookingUrl}' },
      key: 'message',
      value: 'We missed you. {bookingUrl}',
    },
    { name: 'numbers are copied', config: { delays: [1, 3, 9] }, key: 'delays', value: [1, 3, 9] },
    {
      name: 'a text with a link is not',
      config: { message: 'Book at https://oak.example/book' },
      key: 'message',
      value: undefined,
      difference: { from: 'default', reason: 'names_the_source' },
    },
    {
      name: 'nor one with the name of the business, in any case',
      config: { message: 'This is OAK STREET dental.' },
      key: 'message',
      value: undefined,
      difference: { from: 'default', reason: 'names_the_source' },
    },
    {
      name: 'nor one with a number, however it is written',
      config: { message: 'Call (312) 555-0148.' },
      key: 'message',
      value: undefined,
      difference: { from: 'default', reason: 'names_the_source' },
    },
    { name: 'nor one with its address', config: { message: 'We are at 12 oak street.' }, key: 'message', value: undefined },
    { name: 'a text without blanks is copied, of any length', config: { message: LONG }, key: 'message', value: LONG },
    {
      name: 'nor a list with a mail address',
      config: { blockList: ['spam', 'a@b.example'] },
      key: 'blockList',
      value: undefined,
      difference: { from: 'empty', reason: 'names_the_source', value: null },
    },
    {
      name: 'a phone number belongs to one business',
      config: { fromNumber: '+13125550100' },
      key: 'fromNumber',
      value: undefined,
      difference: { from: 'empty', reason: 'of_one_client' },
    },
    { name: 'so does what the template marks', config: { senderName: 'Front desk' }, key: 'senderName', value: undefined },
    {
      name: 'a link comes from the profile of the target',
      config: { bookingUrl: 'https://oak.example' },
      key: 'bookingUrl',
      value: undefined,
      difference: { from: 'profile', reason: 'of_one_client', value: 'https://elm.example/book' },
    },
    {
      name: 'quiet hours are copied, and said to be local',
      config: { quietHours: '20:00-09:00' },
      key: 'quietHours',
      value: '20:00-09:00',
      difference: { from: 'source', reason: 'local_time' },
    },
  ];
  for (const { name, config, key, value, difference } of cases) {
    it(`${name}`, () => {
      const result = copy(config as CopySource['config']);
      assert.deepEqual(result.config[key], value);
      if (difference) assert.deepEqual({ ...of(key, result), ...difference }, of(key, result));
    });
  }

  it('is replaced by what the call gives', () => {
    const result = copy({ fromNumber: '+13125550100' }, { fromNumber: '+12125550100' });
    assert.deepEqual([result.config.fromNumber, of('fromNumber', result)?.from], ['+12125550100', 'given']);
  });

  it('that equals the template is no difference, also of one business', () => {
    const result = copy({ signature: 'Kind regards', message: 'You can book here: {bookingUrl}' });
    assert.deepEqual([of('signature', result), of('message', result)], [undefined, undefined]);
  });

  it('that is the catalog’s in another language is that of the target’s', () => {
    for (const [config, texts, value] of [
      [{ message: GERMAN.message }, {}, 'You can book here: {bookingUrl}'],
      [{ message: GERMAN.message }, SPANISH, SPANISH.message],
      [{}, GERMAN, GERMAN.message],
    ] as const) {
      const result = copy(config, {}, { ...target, texts });
      assert.equal('message' in result.config, false);
      assert.deepEqual(of('message', result), { key: 'message', label: 'message', from: 'default', reason: 'language', value });
    }
    const same = copy(GERMAN, {}, { ...target, texts: GERMAN });
    assert.deepEqual([same.config.signature, of('message', same), of('signature', same)], [GERMAN.signature, undefined, undefined]);
    const own = copy({ message: 'Rufen Sie 0171 1234567 an' }, {}, { ...target, texts: GERMAN });
    assert.deepEqual([of('message', own)?.reason, of('message', own)?.value], ['names_the_source', GERMAN.message]);
  });

  it('is said to be empty when the profile of the target has none', () => {
    const result = copy({}, {}, { timezone: 'UTC', businessProfile: {}, texts: {} });
    assert.deepEqual([of('bookingUrl', result)?.from, of('bookingUrl', result)?.value], ['empty', null]);
  });
});

describe('a client that may get a copy', () => {
  const facts = { status: 'active', hasAgent: false, hasOpenRequest: false, missing: 0 } as const;
  const cases = [
    [facts, 'ready'],
    [{ ...facts, missing: 2 }, 'missing'],
    [{ ...facts, hasOpenRequest: true, missing: 1 }, 'requested'],
    [{ ...facts, hasAgent: true, hasOpenRequest: true }, 'has_agent'],
    [{ ...facts, status: 'suspended', hasAgent: true }, 'not_allowed'],
    [{ ...facts, status: 'archived' }, 'not_allowed'],
  ] as const;
  for (const [one, state] of cases) it(`is ${state} as ${JSON.stringify(one)}`, () => assert.equal(targetState(one), state));
});
