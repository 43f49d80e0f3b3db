import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as vocabulary from '@partner-portal/contract/vocabulary.ts';
import { LIMITS, OPEN_REQUEST_STATUSES, PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import { DEFAULT_ALERT_RULES, WEBHOOK_FAILURES } from '@partner-portal/core/alert/alert.ts';
import { ROLLED_OVER } from '@partner-portal/core/billing/roll-over.ts';
import { DEFAULT_REMINDER_MINUTES } from '@partner-portal/core/conversation/chatbot-defaults.ts';
import { fold } from '@partner-portal/core/knowledge/words.ts';
import { HELD_STATUSES } from '@partner-portal/core/provisioning/instance.ts';
import { REMINDER_LATE_MINUTES_MAX } from '@partner-portal/core/schedule/booking-reminder.ts';
import { ACCESS_LOG_DAYS, RUN_CONTENT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

/** SQL cannot import constants, so these tests compare its copies with the values in core and contract. */

const SERVICE = join(import.meta.dirname, '../service');
const SQL = globSync(['schema/**/*.sql', 'modules/**/store*.ts'], { cwd: SERVICE })
  .filter((file) => !file.startsWith('schema/upgrades/'))
  .map((file) => readFileSync(join(SERVICE, file), 'utf8'))
  .join('\n');

const COPIES: [what: string, pattern: RegExp, value: string][] = [
  // The planner takes a partial index only for the values themselves.
  ['statuses of an open agent request', /(?<!check \()status in \('(suggested', 'submitted'[^)]*)'\)/g, OPEN_REQUEST_STATUSES.join("', '")],
  ['failed executions in a row', /default_failure_streak\(\) returns int .*select (\d+)/g, String(DEFAULT_ALERT_RULES.failureStreak)],
  [
    'days of the contents of runs',
    /= agent and e\.id >= uuid_floor\(now\(\) - interval '(\d+) days'\) and e\.status/g,
    String(RUN_CONTENT_DAYS),
  ],
  ['days of the access log', /uuid_floor\(now\(\) - interval '(\d+) days'\) as oldest/g, String(ACCESS_LOG_DAYS)],
  ['statuses of a subscription that is rolled over', /(?<!check \()status in \('(trialing', 'active'[^)]*)'\)/g, ROLLED_OVER.join("', '")],
  ['statuses in which an attempt holds a setup', /\bi\.status in \('(provisioning', 'deprovisioning)'\)/g, HELD_STATUSES.join("', '")],
  ['days of silence', /default_silent_days\(\) returns int .*select (\d+)/g, String(DEFAULT_ALERT_RULES.silentDays)],
  ['failed deliveries in a row', /(?:new|old)\.failure_streak >= (\d+)/g, String(WEBHOOK_FAILURES)],
  ['minutes a reminder may be late', /interval '(\d+) minutes' end/g, String(REMINDER_LATE_MINUTES_MAX)],
  [
    'hours an idempotency key is valid',
    /\b(?:idempotency_key o where o|prior|k)\.created_at (?:<|>=) now\(\) - interval '(\d+) hours'/g,
    String(LIMITS.idempotencyHours),
  ],
];

describe('a value that SQL repeats', () => {
  for (const [what, pattern, value] of COPIES) {
    it(`is the one in core: ${what}`, () => {
      const copies = [...SQL.matchAll(pattern)].map((found) => found[1]);
      assert.ok(copies.length > 0, 'no copy found: update the pattern, or delete the row if the copy is gone');
      assert.deepEqual([...new Set(copies)], [value]);
    });
  }

  it('is the one in core: letters as searches hold them, in the index of messages and in the function that uses it', () => {
    const copies = [
      ...SQL.matchAll(/to_tsvector\('simple', translate\(\s*(replace\([^]*?\),\s+'[^']*(?:''[^']*)*', repeat\(' ', 32\) \|\| '\w+')/g),
    ].map(([, held = '']) => held.replace(/\s+/g, ' '));
    assert.equal(copies.length, 2);
    assert.equal(copies[0], copies[1]);
    const [held = ''] = copies;
    const spelled = [...held.matchAll(/'(\p{L})', '(\w+)'\)/gu)].map(([, letter = '', as = '']) => [letter, as] as const);
    const [, from = '', to = ''] = /(\p{L}+)', repeat\(' ', 32\) \|\| '(\w+)'/u.exec(held) ?? [];
    const single = [...from].map((letter, at) => [letter, to[at] ?? ''] as const);
    for (const [letter, as] of [...spelled, ...single]) assert.equal(fold(letter), as, letter);
    assert.deepEqual([...new Set([...spelled, ...single].map(([letter]) => letter.toLowerCase()))].toSorted(), [...'ßæœøłđðþı'].toSorted());
  });
});

/** Columns with words of their own, or with a part of a list of the contract. */
const OWN_WORDS = [
  'account_export.audience',
  'agent_span.span',
  'ai_call.status',
  'app_user.last_auth_method',
  'audit_entry.actor_type',
  'chat_spending.scope',
  'client.suspension_cause',
  'credential.provider',
  'credential_use.purpose',
  'deletion_request.requester_role',
  'dispatch.keyword',
  'engine_connection.status',
  'invitation.status',
  'onboarding_dismissal.key',
  'planned_run.origin',
  'reactivation_request.decider_role',
  'reactivation_request.requester_role',
  'rerun_item.state',
  'sso_attempt.purpose',
  'sso_connection.status',
  'sso_login.purpose',
  'usage_span.span',
  'workflow.date_order',
  'workflow_schedule.kind',
];

describe('a value that a migrated table repeats', () => {
  let database: TestDatabase;
  before(async () => (database = await createTestDatabase()));
  after(() => database.drop());

  for (const [column, value] of [
    ['alert_rules.failure_streak', String(DEFAULT_ALERT_RULES.failureStreak)],
    ['alert_rules.silent_days', String(DEFAULT_ALERT_RULES.silentDays)],
    ['partner_quota.thresholds', `'{${DEFAULT_ALERT_RULES.usageThresholds.join(',')}}'::integer[]`],
    ['chatbot.reminder_minutes', String(DEFAULT_REMINDER_MINUTES)],
    ['plan.currency', `'${PRESET_CURRENCY}'::text`],
  ] as const) {
    it(`is the one in core: the default of ${column}`, async () => {
      const found = await database.query(
        `select pg_get_expr(d.adbin, d.adrelid) as value from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
         where d.adrelid = split_part($1, '.', 1)::regclass and a.attname = split_part($1, '.', 2)`,
        [column],
      );
      assert.deepEqual(found, [{ value }]);
    });
  }

  for (const [column, min, max] of [
    ['chatbot.reminder_minutes', LIMITS.reminderMinutesMin, LIMITS.reminderMinutesMax],
    ['alert_rules.failure_streak', 1, LIMITS.alertStreakMax],
    ['alert_rules.silent_days', 1, LIMITS.alertSilentDaysMax],
  ] as const) {
    it(`are those in the contract: the bounds of ${column}`, async () => {
      const [check] = await database.query(
        `select pg_get_constraintdef(oid) as text from pg_constraint
         where conrelid = split_part($1, '.', 1)::regclass and contype = 'c' and pg_get_constraintdef(oid) ~ split_part($1, '.', 2)`,
        [column],
      );
      assert.deepEqual(String(check?.text).match(/\d+/g), [String(min), String(max)]);
    });
  }

  it('is one of the lists of the contract: the words that a column may hold', async () => {
    const wordsOf = (list: readonly string[]): string => list.toSorted().join(' ');
    const lists = new Set(
      Object.values(vocabulary).flatMap((value) =>
        Array.isArray(value) && value.every((word) => typeof word === 'string') ? [wordsOf(value)] : [],
      ),
    );
    const checks = await database.query<{ table: string; text: string }>(
      `select c.conrelid::regclass::text as table, pg_get_constraintdef(c.oid) as text from pg_constraint c join pg_class r on r.oid = c.conrelid
       where c.contype = 'c' and not r.relispartition and r.relnamespace = 'public'::regnamespace`,
    );
    const columns = checks.flatMap(({ table, text }) => {
      const [, column = '', words = ''] = /^CHECK \(\(\(?(\w+)(?:\)::text)? = ANY \(ARRAY\[(.*?)\]\)\)\)$/.exec(text) ?? [];
      return column === '' ? [] : [{ column: `${table}.${column}`, words: [...words.matchAll(/'([^']*)'/g)].map(([, word = '']) => word) }];
    });
    assert.ok(columns.length > 80, `${columns.length} lists were read`);
    const own = columns.filter(({ words }) => !lists.has(wordsOf(words))).map(({ column }) => column);
    assert.deepEqual([...new Set(own)].toSorted(), OWN_WORDS, 'a new word of a list of the contract needs a migration of the check');
  });
});
