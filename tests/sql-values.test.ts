import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { LIMITS, PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import { DEFAULT_ALERT_RULES, WEBHOOK_FAILURES } from '@partner-portal/core/alert/alert.ts';
import { ROLLED_OVER } from '@partner-portal/core/billing/roll-over.ts';
import { DEFAULT_REMINDER_MINUTES } from '@partner-portal/core/conversation/chatbot-defaults.ts';
import { fold } from '@partner-portal/core/knowledge/words.ts';
import { OPEN_STATUSES } from '@partner-portal/core/provisioning/agent-request.ts';
import { HELD_STATUSES } from '@partner-portal/core/provisioning/instance.ts';
import { REMINDER_LATE_MINUTES_MAX } from '@partner-portal/core/schedule/booking-reminder.ts';
import { ACCESS_LOG_DAYS } from '@partner-portal/core/trust/retention.ts';

/** SQL cannot import constants, so these tests compare its copies with the values in core and contract. */

const SERVICE = join(import.meta.dirname, '../service');
const SQL = globSync(['schema/**/*.sql', 'modules/**/store*.ts'], { cwd: SERVICE })
  .filter((file) => !file.startsWith('schema/upgrades/'))
  .map((file) => readFileSync(join(SERVICE, file), 'utf8'))
  .join('\n');

const COPIES: [what: string, pattern: RegExp, value: string][] = [
  // The planner takes a partial index only for the values themselves.
  ['statuses of an open agent request', /(?<!check \()status in \('(suggested', 'submitted'[^)]*)'\)/g, OPEN_STATUSES.join("', '")],
  ['failed executions in a row', /default_failure_streak\(\) returns int .*select (\d+)/g, String(DEFAULT_ALERT_RULES.failureStreak)],
  ['days of the access log', /uuid_floor\(now\(\) - interval '(\d+) days'\) as oldest/g, String(ACCESS_LOG_DAYS)],
  ['statuses of a subscription that is rolled over', /(?<!check \()status in \('(trialing', 'active'[^)]*)'\)/g, ROLLED_OVER.join("', '")],
  ['statuses in which an attempt holds a setup', /\bi\.status in \('(provisioning', 'deprovisioning)'\)/g, HELD_STATUSES.join("', '")],
  ['days of silence', /default_silent_days\(\) returns int .*select (\d+)/g, String(DEFAULT_ALERT_RULES.silentDays)],
  ['the column of failed executions', /failure_streak +int not null default ([1-9]\d*)/g, String(DEFAULT_ALERT_RULES.failureStreak)],
  ['the column of days of silence', /silent_days +int not null default (\d+)/g, String(DEFAULT_ALERT_RULES.silentDays)],
  ['the column of thresholds', /thresholds +int\[\] not null default '\{([^}]*)\}'/g, DEFAULT_ALERT_RULES.usageThresholds.join(',')],
  ['the column of minutes until a reminder', /reminder_minutes +int not null default (\d+)/g, String(DEFAULT_REMINDER_MINUTES)],
  [
    'bounds of the minutes until a reminder',
    /reminder_minutes between (\d+ and \d+)/g,
    `${LIMITS.reminderMinutesMin} and ${LIMITS.reminderMinutesMax}`,
  ],
  ['the currency of a new plan', /currency +text not null default '(\w+)'/g, PRESET_CURRENCY],
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
