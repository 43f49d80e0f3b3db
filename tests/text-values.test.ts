import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { SERVICE_POOL_MAX } from '@partner-portal/service/platform/db/pool.ts';
import { QUEUE_POOL_MAX } from '@partner-portal/service/platform/jobs/runner.ts';
import { SOURCE_BYTES_MAX } from '@partner-portal/portal/shared/media/image-rules.ts';
import { LOG_FILE_BYTES_MAX } from '@partner-portal/service/platform/log.ts';
import { ATTEMPT_MS } from '@partner-portal/service/modules/5-reactions/webhooks/delivery/attempt.ts';
import { LOGIN_MS } from '@partner-portal/service/modules/2-tenancy/sso/login/browser.ts';
import { TEST_MS } from '@partner-portal/service/modules/2-tenancy/sso/store-attempts.ts';
import { ARGON2ID } from '@partner-portal/service/modules/2-tenancy/identity/login/hasher.ts';
import { RECOVERY_CODES } from '@partner-portal/service/modules/2-tenancy/identity/mfa/recovery-codes.ts';
import { MAIL_ATTEMPTS_MAX } from '@partner-portal/core/mail/mail.ts';
import { CLOCK_SKEW_MS } from '@partner-portal/core/sso/assertion.ts';
import { DELIVERY_DAYS, RUN_CONTENT_DAYS } from '@partner-portal/core/trust/retention.ts';

/** Sentences that people read spell numbers out; these tests compare them with the values in core and contract. */

const WORDS: { readonly [word: string]: number } = {
  five: 5,
  six: 6,
  fünf: 5,
  cinco: 5,
  seven: 7,
  sieben: 7,
  siete: 7,
  eight: 8,
  ten: 10,
  zehn: 10,
  diez: 10,
};
const LANGUAGES = ['en', 'de', 'es'];
const inAll = (area: string, key: string): [file: string, sentence: RegExp][] =>
  LANGUAGES.map((language) => [`messages/${language}/${area}.ts`, new RegExp(`'${key}':\\s*['"\`](.*)['"\`],`)]);
const fixes = (code: string): [file: string, sentence: RegExp] => [
  'portal/features/public/problem-fixes.ts',
  new RegExp(`\\b${code}:\\s*['"\`](.*)['"\`],`),
];
const privacy = (sentence: RegExp): [file: string, sentence: RegExp] => ['service/public-texts/privacy.md', sentence];

const SENTENCES: [what: string, value: number, in_: [file: string, sentence: RegExp][]][] = [
  ['minutes of a reset link', LIMITS.passwordResetMinutes, [...inAll('login', 'login.deadLinkHint'), ...inAll('login', 'login.onItsWay')]],
  ['characters of a password', LIMITS.passwordLengthMin, [...inAll('ui', 'ui.atLeast8'), fixes('weak_password')]],
  ['minutes for the second step', LIMITS.mfaChallengeMinutes, [...inAll('login', 'login.tookLong'), fixes('mfa_challenge_expired')]],
  [
    'minutes of a recent login',
    LIMITS.recentLoginMinutes,
    [...inAll('account', 'account.confirmLead'), fixes('reauthentication_required')],
  ],
  ['recovery codes', RECOVERY_CODES, [...inAll('account', 'account.renewLead'), ...inAll('mail', 'mail.codesLead')]],
  ['megabytes of a picked image', SOURCE_BYTES_MAX / 1_000_000, inAll('picture', 'picture.too-large')],
  ['days of an invitation', LIMITS.invitationDays, [fixes('invitation_expired')]],
  ['days of an export', LIMITS.exportDays, [...inAll('lifecycle', 'lifecycle.exports-none-hint'), fixes('export_expired')]],
  [
    'megabytes of a log file',
    LOG_FILE_BYTES_MAX / 2 ** 20,
    [
      ['README.md', /(at \d+ MB it is renamed)/],
      ['docs/security/inventory.md', /two (files of \d+ MB)/],
    ],
  ],
  ['mebibytes of a hash', ARGON2ID.memoryCost / 2 ** 10, [['docs/security/asvs.md', /argon2id, (\d+ MiB)/]]],
  ['passes of a hash', ARGON2ID.timeCost, [['docs/security/asvs.md', /argon2id, \d+ MiB, (\d+ passes)/]]],
  [
    'seconds of an attempt of a webhook',
    ATTEMPT_MS / 1000,
    [
      ['portal/features/webhooks/endpoint-form.tsx', /2xx status (within \d+ seconds)/],
      ['contract/delivery-errors.ts', /(No complete response arrived within \d+ seconds)/],
      ['contract/delivery-errors.ts', /(response was not complete within \d+ seconds)/],
      ['docs/behaviour/webhooks.md', /attempts of at most (\d+ s) each/],
    ],
  ],
  // The login loads no list of limits.
  [
    'seconds that the second step counts down',
    LIMITS.mfaChallengeMinutes * 60,
    [['portal/features/session/mfa-form.tsx', /SECONDS = (\d+);/]],
  ],
  ['minutes of viewing as someone', LIMITS.viewAsMinutes, [['docs/security/threat-model.md', /view-as is read-only, (for \d+ minutes)/]]],
  ['days of the contents of runs', RUN_CONTENT_DAYS, [privacy(/(contents of runs are shown for \d+ days)/)]],
  ['attempts to send a mail', MAIL_ATTEMPTS_MAX, [['portal/features/system/mail-labels.ts', /did not accept it (in \w+ attempts)/]]],
  [
    'minutes of a login at a provider',
    LOGIN_MS / 60_000,
    [
      ['portal/shared/sso.ts', /A test login is valid (for \w+ minutes)/],
      ['portal/shared/sso.ts', /Each login is valid (for \w+ minutes)/],
    ],
  ],
  ['minutes of a test login', TEST_MS / 60_000, [['portal/features/sso/test-login.tsx', /no response (within \w+ minutes)/]]],
  [
    'minutes that the clock of a provider may differ',
    CLOCK_SKEW_MS / 60_000,
    [
      ['portal/shared/sso.ts', /Up to (\w+ minutes of difference)/],
      ['portal/features/sso/guides-oidc.ts', /May differ (by \w+ minutes)/],
      ['portal/features/sso/guides-saml.ts', /May differ (by \w+ minutes)/],
    ],
  ],
  [
    'rows that the SQL of a report may return',
    LIMITS.queryRowsMax,
    ['daily-sql-report', 'weekly-insight-digest'].flatMap((name) =>
      ['template.json', 'texts.de.json', 'texts.es.json'].map((file): [file: string, sentence: RegExp] => [
        `catalog/${name}/${file}`,
        /(\d+ (?:rows|Zeilen|filas))/,
      ]),
    ),
  ],
  ['days of webhook deliveries', DELIVERY_DAYS, [privacy(/(webhook deliveries for \d+ days)/)]],
];

function numbersOf(sentence: string): number[] {
  return [...sentence.matchAll(/\p{L}+|\d+/gu)].flatMap(([word]) => WORDS[word.toLowerCase()] ?? (/^\d/.test(word) ? Number(word) : []));
}

describe('a number that a text repeats', () => {
  for (const [what, value, places] of SENTENCES)
    it(`is the one that holds: ${what}`, () => {
      for (const [file, sentence] of places) {
        const found = sentence.exec(readFileSync(join(import.meta.dirname, '..', file), 'utf8'));
        assert.ok(found?.[1], `${file} has no text ${String(sentence)}: update the pattern, or delete the row if the text is gone`);
        assert.deepEqual(numbersOf(found[1]), [value], `${file}: ${found[1]}`);
      }
    });
});

it('the connections that docs/deploy.md plans for are those that processes may open', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy.md'), 'utf8');
  const [, sentence = ''] =
    /`max_connections` of Postgres must have room for the most that the processes open: ([^]+?)\n\n/.exec(page) ?? [];
  const [notices, counting, alive, building, starting, byDefault] = [1, 1, 1, 2, 4, 100];
  const http = SERVICE_POOL_MAX + notices + counting;
  const worker = SERVICE_POOL_MAX + notices + QUEUE_POOL_MAX + alive + building;
  assert.deepEqual(numbersOf(sentence), [
    http,
    SERVICE_POOL_MAX,
    worker,
    QUEUE_POOL_MAX,
    building,
    starting,
    2 * http + 2 * worker + starting,
    byDefault,
  ]);
});
