import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PROVIDERS } from '@partner-portal/contract/vocabulary.ts';
import { allowsSourceMode, checkCredentialData, sqlTlsOf, sqlTlsState, classifyProvider, providerTitle } from './credential.ts';
import { PROVIDER_RULES, type StoredProvider } from './provider-rules.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUZ2s=\n-----END CERTIFICATE-----\n';
const database = { host: 'db.example.com', port: 5432, database: 'shop', user: 'reader', password: ' with spaces ', ssl: true };
const good: { [P in StoredProvider]: Record<string, unknown> } = {
  openai: { apiKey: 'sk-1' },
  anthropic: { apiKey: 'sk-ant-1' },
  calcom: { apiKey: 'cal_1' },
  resend: { apiKey: 're_1' },
  twilio: { accountSid: 'AC0123', authToken: 'secret' },
  postgres: database,
};
const stored = Object.keys(PROVIDER_RULES) as StoredProvider[];

describe('a provider in the path', () => {
  it('is stored, a capability or unknown', () => {
    const kinds = PROVIDERS.map((provider) => classifyProvider(provider).kind);
    assert.deepEqual(kinds, ['stored', 'stored', 'stored', 'stored', 'stored', 'stored', 'capability']);
    for (const word of ['OpenAI', 'stripe', '', 'constructor', '__proto__']) assert.equal(classifyProvider(word).kind, 'unknown');
  });
});

describe('the title of a provider', () => {
  it('is the name users read, and the id of an unknown one', () => {
    assert.deepEqual(['calcom', 'postgres', 'stripe', 'code'].map(providerTitle), ['Cal.com', 'SQL database', 'stripe', 'code']);
  });
});

describe('source modes', () => {
  it('let the platform provide the two language models only', () => {
    assert.deepEqual(
      stored.filter((provider) => allowsSourceMode(provider, 'platform')),
      ['openai', 'anthropic'],
    );
    assert.deepEqual(
      stored.filter((provider) => allowsSourceMode(provider, 'byok')),
      stored,
    );
  });
});

describe('the data of a save', () => {
  for (const provider of stored) {
    it(`is accepted for ${provider} exactly as its shape says`, () => {
      assert.deepEqual(checkCredentialData(provider, { ...good[provider], unknown: 'member' }), { ok: true, data: good[provider] });
    });
    it(`names every missing field of ${provider}`, () => {
      const checked = checkCredentialData(provider, {});
      const needed = Object.keys(good[provider]).filter((field) => field !== 'port' && field !== 'ssl');
      assert.deepEqual(
        !checked.ok && checked.errors.map((error) => error.field),
        needed.map((field) => `data.${field}`),
      );
    });
  }

  it('trims keys, and takes passwords as typed', () => {
    const key = checkCredentialData('openai', { apiKey: ' sk-1\n' });
    assert.deepEqual(key, { ok: true, data: { apiKey: 'sk-1' } });
    const checked = checkCredentialData('postgres', database);
    assert.equal(checked.ok && checked.data.password, ' with spaces ');
  });

  it('drops what no one sees in a key or an account, and refuses any other character of no key at its field with the position', () => {
    const twilio = checkCredentialData('twilio', { accountSid: '\u200bAC0123 ', authToken: '\ufeffsecret' });
    assert.deepEqual(twilio, { ok: true, data: { accountSid: 'AC0123', authToken: 'secret' } });
    for (const provider of ['openai', 'anthropic', 'calcom', 'resend'] as const)
      assert.deepEqual(checkCredentialData(provider, { apiKey: ' \u200bsk-proj-abc” ' }), {
        ok: false,
        errors: [{ field: 'data.apiKey', code: 'invalid', message: 'Character 12 is a curly quote. Copy the key again from its source.' }],
      });
    const checked = checkCredentialData('postgres', { ...database, password: 'gänse–“füße”' });
    assert.equal(checked.ok && checked.data.password, 'gänse–“füße”');
  });

  it('takes an account SID of Twilio that starts with AC, and names the prefix otherwise', () => {
    const check = (accountSid: string) => checkCredentialData('twilio', { accountSid, authToken: 'secret' });
    assert.equal(check('AC0123').ok, true);
    // An API key of Twilio is often mistaken for it.
    for (const accountSid of ['SK0123', 'ac0123', 'AC', 'AC-1'])
      assert.deepEqual(check(accountSid), {
        ok: false,
        errors: [
          { field: 'data.accountSid', code: 'invalid', message: 'An account SID starts with AC and contains only letters and digits.' },
        ],
      });
  });

  it('assumes the usual port and an encrypted connection', () => {
    const { port: _port, ssl: _ssl, ...rest } = database;
    const checked = checkCredentialData('postgres', rest);
    assert.deepEqual(checked.ok && [checked.data.port, checked.data.ssl], [5432, true]);
  });

  const bad: [StoredProvider, string, unknown][] = [
    ['openai', 'apiKey', 7],
    ['openai', 'apiKey', 'x'.repeat(513)],
    ['openai', 'apiKey', 'a\r\nX-Other: b'],
    ['openai', 'apiKey', '   '],
    ['openai', 'apiKey', ['a']],
    ['twilio', 'accountSid', '../Accounts'],
    ['twilio', 'accountSid', 'AC 1'],
    ['postgres', 'host', 'https://db.example.com'],
    ['postgres', 'host', '/var/run/postgresql'],
    ['postgres', 'host', 'db.example.com:5432'],
    ['postgres', 'host', 'a..b'],
    ['postgres', 'host', `${':'.repeat(200_000)}x`],
    ['postgres', 'host', ['db']],
    ['postgres', 'port', 0],
    ['postgres', 'port', 65_536],
    ['postgres', 'port', 1.5],
    ['postgres', 'port', 'x'],
    ['postgres', 'ssl', 'yes'],
    ['postgres', 'ssl', {}],
    ['postgres', 'ssl', { verify: true }],
    ['postgres', 'ssl', { verify: 'false' }],
    ['postgres', 'ssl', { verify: false, ca: PEM }],
    ['postgres', 'ssl', { ca: 'my-ca' }],
    ['postgres', 'ssl', { ca: [PEM] }],
    ['postgres', 'ssl', { ca: PEM, servername: 'other' }],
    ['postgres', 'ssl', { ca: `${PEM}-----BEGIN PRIVATE KEY-----` }],
    ['postgres', 'ssl', { ca: PEM.repeat(500) }],
    ['postgres', 'database', { a: 1 }],
    ['postgres', 'user', 'a\0b'],
    ['postgres', 'password', null],
  ];
  for (const [provider, field, value] of bad) {
    it(`refuses ${provider} ${field} = ${JSON.stringify(value).slice(0, 40)} and names the field`, () => {
      const checked = checkCredentialData(provider, { ...good[provider], [field]: value });
      assert.deepEqual(!checked.ok && checked.errors.map((error) => error.field), [`data.${field}`]);
    });
  }

  it('accepts each way to secure a SQL database, and keeps only the certificates of a file', () => {
    const accepted = (ssl: unknown) => {
      const checked = checkCredentialData('postgres', { ...database, ssl });
      return checked.ok ? [checked.data.ssl, sqlTlsState(checked.data.ssl)] : checked.errors;
    };
    assert.deepEqual(accepted(true), [true, 'verified']);
    assert.deepEqual(accepted(false), [false, 'off']);
    assert.deepEqual(accepted({ verify: false }), [{ verify: false }, 'not_verified']);
    assert.deepEqual(accepted({ ca: PEM }), [{ ca: PEM }, 'verified']);
    assert.deepEqual(accepted({ ca: `Certificate:\n  Issuer: CN=x\n${PEM}\nnext\n${PEM.trim()}` }), [{ ca: PEM + PEM }, 'verified']);
  });

  it('connects without verification only with a key from before, as long as it is not verified', () => {
    for (const state of ['untested', 'failed'] as const) assert.deepEqual(sqlTlsOf(true, state), { verify: false });
    for (const state of ['verified', 'not_verified', 'off', null] as const) assert.equal(sqlTlsOf(true, state), true);
    for (const ssl of [false, { ca: PEM }, { verify: false }] as const) assert.equal(sqlTlsOf(ssl, 'failed'), ssl);
  });

  it('accepts every spelling of a host that may be public', () => {
    for (const host of ['db.example.com', 'localhost', '203.0.113.9', '2001:db8::1', 'my_db.internal', 'DB.Example.com']) {
      assert.ok(checkCredentialData('postgres', { ...database, host }).ok, host);
    }
  });
});
