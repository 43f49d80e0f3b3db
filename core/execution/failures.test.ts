import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FAILURE_CODES, failureOf, serviceOf } from './failures.ts';
import { cleanError } from './error.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KNOWN: ReadonlySet<string> = new Set(FAILURE_CODES);

/** The sources that make an error code: steps and parts of templates. They run inside the engine, where no compiler sees them. */
const sources = globSync('catalog/{parts,*/steps}/*.js', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'));

/** Codes written out, and the endings put behind the name of a service. */
function codesIn(source: string): { codes: string[]; endings: string[] } {
  const all = (pattern: RegExp): string[] => [...source.matchAll(pattern)].map((found) => found[1] ?? '');
  return {
    codes: [
      ...all(/\bfault\('([a-z0-9_]+)'/g),
      ...all(/\bfault: '([a-z0-9_]+)'/g),
      ...all(/\d+: \['(\w+)',/g),
      ...all(/\bcode: '([a-z0-9_]+)'/g),
    ],
    endings: all(/\bprovider \+ '_(\w+)'/g),
  };
}

describe('the table of failures', () => {
  it('knows every code that a template can emit', () => {
    const found = sources.map(codesIn);
    const codes = found.flatMap((one) => one.codes);
    const endings = found.flatMap((one) => one.endings);
    assert.ok(codes.length >= 30 && endings.length > 0, `${codes.length} codes and ${endings.length} endings were found`);
    assert.deepEqual(
      codes.filter((code) => !KNOWN.has(code)),
      [],
    );
    assert.deepEqual(
      endings.filter((ending) => !KNOWN.has(`openai_${ending}`)),
      [],
    );
    assert.deepEqual(codesIn("fault('new_one', 'x'); [provider + '_gone', name]"), { codes: ['new_one'], endings: ['gone'] });
  });

  for (const code of FAILURE_CODES)
    it(`${code} has a way to fix it, and words without a code or a placeholder`, () => {
      const { sentence, fix, service } = failureOf(code);
      assert.doesNotMatch(`${sentence} ${fix}`, /[{}_]|E\.164|\b\d{3}\b(?!\d)/);
      assert.match(fix, /\.$/);
      assert.doesNotMatch(sentence ?? '', /\.$/);
      assert.equal(service, serviceOf(code));
    });

  it('says of a text or a mail without an answer that it may have gone out; a call that sends nothing could not be made', () => {
    for (const code of ['twilio_unreachable', 'resend_unreachable']) {
      assert.match(failureOf(code).sentence ?? '', /^(Twilio|Resend) did not answer and may have sent the message$/);
      assert.match(failureOf(code).fix, /only if it did not/);
    }
    for (const code of ['twilio_down', 'resend_down']) {
      assert.match(failureOf(code).sentence ?? '', /^(Twilio|Resend) was not working and may have sent the message$/);
      assert.match(failureOf(code).fix, /only if it did not/);
    }
    assert.match(failureOf('openai_down').fix, /^Run it again in a few minutes\./);
    for (const code of ['openai_unreachable', 'calcom_unreachable', 'postgres_unreachable'])
      assert.match(failureOf(code).sentence ?? '', / could not be reached$/);
  });

  it('takes a code of a third party as one of its service, and any other as a failed step', () => {
    assert.deepEqual([failureOf('resend_new_thing').act, failureOf('resend_new_thing').service], ['input', 'resend']);
    assert.deepEqual(
      [failureOf('constructor').kind, failureOf('').act, failureOf('openai_constructor').kind],
      ['other', 'input', 'provider'],
    );
    assert.equal(cleanError({ code: 'twilio_key_refused', message: 'x' }).message, 'Twilio did not accept the saved key');
    assert.equal(cleanError({ code: 'resend_new_thing', message: 'The mail was refused' }).message, 'The mail was refused');
  });
});
