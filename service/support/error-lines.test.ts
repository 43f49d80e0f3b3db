import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hiderOf, readErrorLines } from './error-lines.ts';

const hide = hiderOf(['canary-secret-1']);
const ID = '0199d3a0-1b2c-7d3e-8f40-112233445566';
const line = (fields: object): string => JSON.stringify({ level: 'error', time: '2026-11-29T09:00:00.000Z', msg: 'it failed', ...fields });

describe('the error lines of a log', () => {
  it('are its newest warnings and errors, also with a prefix of a container, and nothing else', () => {
    const text = [
      line({ msg: 'first' }),
      line({ msg: 'second', executionId: ID, trace_id: 'a'.repeat(32) }),
      `service-1  | ${line({ msg: 'third', level: 'fatal' })}`,
      line({ msg: 'slow', level: 'warn' }),
      line({ msg: 'request', level: 'info' }),
      'Starting Postgres',
      '',
    ].join('\n');
    const found = readErrorLines(text, hide, 2);
    assert.deepEqual([found.read, found.notJson], [6, 1]);
    assert.deepEqual(found.errors, [
      { time: '2026-11-29T09:00:00.000Z', msg: 'second', executionId: ID, trace_id: 'a'.repeat(32) },
      { time: '2026-11-29T09:00:00.000Z', msg: 'third' },
    ]);
    assert.deepEqual(
      found.warnings.map(({ msg }) => msg),
      ['slow'],
    );
  });

  it('leave out addresses, paths, users and every field that is not known', () => {
    const [shown] = readErrorLines(
      line({ address: '192.0.2.1', path: '/x/canary', userId: ID, url: 'x', anything: 'canary', data: { a: 1 } }),
      hide,
      1,
    ).errors;
    assert.deepEqual(Object.keys(shown ?? {}), ['time', 'msg']);
  });

  it('keep the first line of a message alone: what follows is the text and the stack of an error', () => {
    const msg =
      "Failed task 12 (mail.send) with error 'canary has no room':\n  Error: canary has no room\n      at run (/home/canary/x.ts:3:4)";
    const [shown] = readErrorLines(line({ msg }), hide, 1).errors;
    assert.equal(shown?.['msg'], 'Failed task 12 (mail.send) with error [quoted]:');
  });

  it('keep an error’s type, code, message and the places of its stack, and none of the values in them', () => {
    const err = {
      type: 'Error',
      code: 'ECONNREFUSED',
      message: 'duplicate key "canary@example.com" for https://canary:pw@db.example.com/x?token=canary',
      stack:
        'Error: duplicate key "canary" \n    at send (file:///srv/portal/service/dist/portal.js:12:5)\n    at async run (/home/canary/x.ts:3:4)\n    at node:internal/process:5:6',
      detail: 'canary',
    };
    const [shown] = readErrorLines(line({ err }), hide, 1).errors;
    assert.deepEqual(shown?.['err'], {
      type: 'Error',
      code: 'ECONNREFUSED',
      message: 'duplicate key [quoted] for [address]',
      stack: 'send portal.js:12:5, run x.ts:3:4, anonymous process:5:6',
    });
  });
});

describe('what a message may hold', () => {
  for (const [what, text, shown] of [
    ['a secret of the settings', 'refused canary-secret-1 as key', 'refused [secret] as key'],
    ['a quoted value', `no "Ada Lovelace" and 'Bob', nor “Cem” or \`dora\``, 'no [quoted] and [quoted], nor [quoted] or [quoted]'],
    ['an e-mail address', 'to ada@example.com and <bob+x@example.co.uk>', 'to [e-mail] and <[e-mail]>'],
    ['a phone number', 'to +1 (312) 555-0148, 0049 30 123456 and 13125550148', 'to [number], [number] and [number]'],
    ['an address with a token', 'GET https://x.example/a?token=b failed', 'GET [address] failed'],
    ['a connection string', 'postgres://portal:pw@db/portal is away', '[address] is away'],
    ['a key', 'with sk_live_4eC39HqLyjWDarjtT1 and SK0123456789abcdef0123456789abcdef', 'with [hidden] and [hidden]'],
  ] as const)
    it(`${what} is covered`, () => assert.equal(hide(text), shown));

  it('ids, times, codes and words are kept', () => {
    const text = `run ${ID} at 2026-11-29 took 12.5 s: 503 ECONNREFUSED in a-long-hyphenated-identifier`;
    assert.equal(hide(text), text);
  });
});
