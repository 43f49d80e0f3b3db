import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCredentialResolver, type StoredCredential } from './resolution.ts';

const PLATFORM = ['openai'];
const row = (over: Partial<StoredCredential>): StoredCredential => ({
  partnerId: 'p1',
  clientId: null,
  provider: 'openai',
  sourceMode: 'byok',
  hasValue: true,
  lastCheckOk: null,
  ...over,
});
const OWN = row({ clientId: 'c1' });
const DEFAULT = row({});
const ON_PLATFORM = row({ sourceMode: 'platform', hasValue: false });
const WITHOUT_PLATFORM_KEY = row({ provider: 'anthropic', sourceMode: 'platform', hasValue: false });

type Case = { name: string; rows: StoredCredential[]; clientId: string | null; provider?: string; expected: string };

const CASES: Case[] = [
  { name: 'the own key of a client', rows: [DEFAULT, OWN], clientId: 'c1', expected: 'ok of c1' },
  { name: 'the default of the partner for another client', rows: [DEFAULT, OWN], clientId: 'c2', expected: 'inherited of null' },
  { name: 'the default for the partner itself', rows: [DEFAULT, OWN], clientId: null, expected: 'ok of null' },
  { name: 'no key of another client', rows: [OWN], clientId: 'c2', expected: 'missing not_saved' },
  { name: 'no key of a client for the partner', rows: [OWN], clientId: null, expected: 'missing not_saved' },
  { name: 'no key of another partner', rows: [row({ partnerId: 'p2' })], clientId: null, expected: 'missing not_saved' },
  { name: 'no key of another provider', rows: [DEFAULT], clientId: null, provider: 'twilio', expected: 'missing not_saved' },
  { name: 'nothing saved', rows: [], clientId: 'c1', expected: 'missing not_saved' },
  { name: 'a platform key', rows: [ON_PLATFORM], clientId: null, expected: 'ok of null' },
  { name: 'an inherited platform key', rows: [ON_PLATFORM], clientId: 'c1', expected: 'inherited of null' },
  {
    name: 'platform mode without a platform key',
    rows: [WITHOUT_PLATFORM_KEY],
    clientId: null,
    provider: 'anthropic',
    expected: 'missing no_platform_key',
  },
  {
    name: 'an unusable own row, which hides a good default',
    rows: [row({ provider: 'anthropic' }), { ...WITHOUT_PLATFORM_KEY, clientId: 'c1' }],
    clientId: 'c1',
    provider: 'anthropic',
    expected: 'missing no_platform_key',
  },
  { name: 'an own mode without a value', rows: [row({ hasValue: false })], clientId: null, expected: 'missing not_saved' },
  { name: 'a key that passed its check', rows: [row({ lastCheckOk: true })], clientId: null, expected: 'ok of null' },
  { name: 'a key that failed its check', rows: [row({ lastCheckOk: false })], clientId: null, expected: 'failing of null' },
  { name: 'an inherited key that failed its check', rows: [row({ lastCheckOk: false })], clientId: 'c1', expected: 'failing of null' },
  {
    name: 'an unusable key that failed its check before',
    rows: [{ ...WITHOUT_PLATFORM_KEY, lastCheckOk: false }],
    clientId: null,
    provider: 'anthropic',
    expected: 'missing no_platform_key',
  },
];

describe('the resolution of a credential', () => {
  for (const { name, rows, clientId, provider = 'openai', expected } of CASES) {
    it(`of ${name} is: ${expected}`, () => {
      for (const order of [rows, rows.toReversed()]) {
        const found = createCredentialResolver(order, PLATFORM)({ partnerId: 'p1', clientId, provider });
        const actual = found.state === 'missing' ? `missing ${found.reason}` : `${found.state} of ${found.row.clientId}`;
        assert.equal(actual, expected);
      }
    });
  }
});
