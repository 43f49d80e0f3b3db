import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SETTINGS } from '../settings.ts';
import { type GivenSetting, reportSettings, secretTexts } from './report-settings.ts';

const given = (values: Record<string, string>): Map<string, GivenSetting> =>
  new Map(Object.entries(values).map(([name, text]) => [name, { from: 'environment', text }]));

describe('the settings in a support bundle', () => {
  it('are all there by name, with where each comes from', () => {
    const reported = reportSettings(given({ ROLE: 'worker' }));
    assert.deepEqual(Object.keys(reported), Object.keys(SETTINGS));
    assert.deepEqual(
      [reported['ROLE'], reported['PORT'], reported['SMTP_HOST']],
      [{ from: 'environment', value: 'worker' }, { from: 'default', value: '3000' }, { from: 'not set' }],
    );
  });

  it('show numbers, switches, choices and hosts of addresses', () => {
    const reported = reportSettings(
      given({
        PORT: '8080',
        STAFF_MFA_REQUIRED: 'true',
        SMTP_SECURITY: 'tls',
        AUTOMATION_ENGINE_BASE_URL: 'https://me:canary@engine.example.com/canary?x=canary',
        CORS_ORIGINS: 'https://a.example,https://b.example',
      }),
    );
    assert.deepEqual(
      ['PORT', 'STAFF_MFA_REQUIRED', 'SMTP_SECURITY', 'AUTOMATION_ENGINE_BASE_URL', 'CORS_ORIGINS'].map(
        (name) => reported[name]?.value ?? reported[name]?.entries,
      ),
      ['8080', 'true', 'tls', 'https://engine.example.com', 2],
    );
  });

  it('show no secret, free text, person or malformed value', () => {
    const names = Object.entries(SETTINGS).map(([name]) => name);
    const reported = reportSettings(given(Object.fromEntries(names.map((name) => [name, `canary ${name}@example.com`]))));
    assert.doesNotMatch(JSON.stringify(reported), /canary/);
    const people = {
      SEED_ADMIN_EMAIL: 'canary@example.com',
      SMTP_FROM: 'canary@example.com',
      SMTP_USER: 'canary',
      INVOICE_SELLER_NAME: 'canary',
      AUTOMATION_ENGINE_ADMIN_EMAIL: 'canary@example.com',
    };
    assert.doesNotMatch(JSON.stringify(reportSettings(given(people))), /canary/);
  });

  it('name the parts of secrets that are looked for elsewhere', () => {
    const parts = secretTexts(
      given({ JWT_SECRET: 'k2:newer-secret,k1:older-secret', DATABASE_URL: 'postgres://a:p%40ss-word@db/x', PORT: '8080' }),
    );
    for (const part of ['postgres', '//a']) assert.ok(!parts.includes(part), part);
    for (const part of ['newer-secret', 'older-secret', 'p%40ss-word', 'p@ss-word']) assert.ok(parts.includes(part), part);
    assert.ok(!parts.includes('8080'));
  });
});
