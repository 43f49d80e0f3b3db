import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { EVENT_SAMPLES } from '@partner-portal/contract/event-samples.ts';
import { EVENT_DATA } from '@partner-portal/contract/events.ts';
import { EVENT_TYPES } from '@partner-portal/contract/vocabulary.ts';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import { listEventTypes } from './list-event-types.ts';
import { SNIPPETS } from './verification-snippets.ts';

describe('the catalog of events', () => {
  const { types } = listEventTypes();

  it('lists every type once, with its trigger and a sample that fits its schema', () => {
    assert.deepEqual(
      types.map(({ type }) => type),
      [...EVENT_TYPES],
    );
    for (const { type, when, sample, dataSchema } of types) {
      assert.ok(when.endsWith('.'), when);
      assert.deepEqual(Object.keys(sample), ['id', 'type', 'createdAt', 'data']);
      assert.equal(sample.type, type);
      assert.match(sample.id, /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
      // Parsing changes nothing: no member is unknown to the schema.
      assert.deepEqual(EVENT_DATA[type].strict().parse(EVENT_SAMPLES[type].data), sample.data);
      assert.equal(dataSchema['type'], 'object');
      assert.ok((dataSchema['required'] as string[]).includes('partnerId')); // a JSON Schema's list of names
    }
  });

  it('carries no secret, link or token', () => {
    assert.doesNotMatch(JSON.stringify(types), /whsec_|\/invite\/|token=|password/i);
  });
});

/** Runs each snippet; `check` reads body, header and secret from files and prints true or false. */
const RUNNERS = {
  node: {
    command: process.execPath,
    file: 'check.mjs',
    call: `import { readFileSync } from 'node:fs';
const [body, header, secret] = process.argv.slice(2).map((file) => readFileSync(file));
process.stdout.write(String(isSigned(body, header.toString() || undefined, secret.toString())));`,
  },
  python: {
    command: 'python3',
    file: 'check.py',
    call: `import sys
body, header, secret = (open(path, "rb").read() for path in sys.argv[1:4])
print(str(is_signed(body, header.decode(), secret.decode())).lower(), end="")`,
  },
  php: {
    command: 'php',
    file: 'check.php',
    call: `[$body, $header, $secret] = array_map('file_get_contents', array_slice($argv, 1, 3));
echo is_signed($body, $header === '' ? null : $header, $secret) ? 'true' : 'false';`,
  },
  ruby: {
    command: 'ruby',
    file: 'check.rb',
    call: `body, header, secret = ARGV.map { |path| File.binread(path) }
print signed?(body, header, secret)`,
  },
} as const;

describe('the snippet that verifies a signature', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'portal-snippets-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const secret = `whsec_${'a-Z_9'.repeat(8)}abc`;
  const body = JSON.stringify({ id: 'evt_1', data: { name: 'Zoë “Ω” 💡', slash: '\\/', line: 'a\nb' } });
  type Case = [string, { body?: string; header?: string; secret?: string }, boolean];
  const casesOf = (now: number, good: string): Case[] => [
    ['a good one', {}, true],
    ['one of four minutes ago', { header: webhookSignatureHeader(secret, now - 240, body) }, true],
    ['one of an hour ago', { header: webhookSignatureHeader(secret, now - 3_600, body) }, false],
    ['one of an hour ahead', { header: webhookSignatureHeader(secret, now + 3_600, body) }, false],
    ['another body', { body: `${body} ` }, false],
    ['another secret', { secret: `${secret}x` }, false],
    ['the secret without its prefix', { secret: secret.slice(6) }, false],
    ['another time under the same signature', { header: good.replace(/^t=\d+/, `t=${now - 1}`) }, false],
    ['a short signature', { header: good.slice(0, -2) }, false],
    ['a long signature', { header: `${good}00` }, false],
    ['a line break at its end', { header: `${good}\n` }, false],
    ['no header', { header: '' }, false],
    ['nonsense', { header: 't=now,v1=zz' }, false],
  ];

  for (const { language, code } of SNIPPETS) {
    const { command, file, call } = RUNNERS[language];
    // Node always runs; the others where their language is installed.
    const isMissing = language !== 'node' && spawnSync(command, ['--version']).error !== undefined;
    it(
      `in ${language} says yes to a good one and no to everything else`,
      { skip: isMissing ? `${command} is not installed` : false },
      () => {
        const script = join(folder, file);
        writeFileSync(script, `${code}\n${call}\n`);
        // A current timestamp: the languages before may have been slow.
        const now = Math.floor(Date.now() / 1000);
        const good = webhookSignatureHeader(secret, now, body);
        for (const [what, given, expected] of casesOf(now, good)) {
          const parts = [given.body ?? body, given.header ?? good, given.secret ?? secret];
          const files = parts.map((text, index) => {
            const path = join(folder, `part-${index}`);
            writeFileSync(path, text);
            return path;
          });
          const ran = spawnSync(command, [script, ...files], { encoding: 'utf8' });
          assert.equal(ran.stdout, String(expected), `${language}: ${what} ${ran.stderr}`);
        }
      },
    );
  }
});
