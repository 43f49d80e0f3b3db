import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { isDatabaseUnavailable } from './unavailable.ts';

const withCode = (code: string, more: object = {}): Error => Object.assign(new Error('something'), { code, ...more });
const failedConnect = (path: string): Promise<unknown> => new Promise((resolve) => connect(path).on('error', resolve));

describe('an error that means the database is away', () => {
  const AWAY: [string, unknown][] = [
    ['the server shuts down', withCode('57P01')],
    ['another backend crashed', withCode('57P02')],
    ['the server starts', withCode('57P03')],
    ['no connection is left', withCode('53300')],
    ['the connection failed', withCode('08006')],
    ['the other end is gone', withCode('EPIPE', { syscall: 'write' })],
    ['no address of the host answers', new AggregateError([withCode('ECONNREFUSED', { syscall: 'connect' })])],
    ['the connection broke', new Error('Connection terminated unexpectedly')],
    ['the connection had broken before', new Error('Client has encountered a connection error and is not queryable')],
    ['the pool had no connection in time', new Error('timeout exceeded when trying to connect')],
  ];
  for (const [what, error] of AWAY) it(`is one: ${what}`, () => assert.equal(isDatabaseUnavailable(error), true));

  it('is one: there is no socket', async () => {
    assert.equal(isDatabaseUnavailable(await failedConnect('/nonexistent/.s.PGSQL.5432')), true);
  });
});

describe('an error of another kind', () => {
  const OTHER: [string, unknown][] = [
    ['a syntax error', withCode('42601')],
    ['a unique violation', withCode('23505')],
    ['a statement that took too long', withCode('57014')],
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a text with the words in it', new Error('It said: Connection terminated')],
    ['no error at all', { code: '57P01' }],
    ['several errors of which one is another', new AggregateError([withCode('ECONNREFUSED', { syscall: 'connect' }), new TypeError('x')])],
  ];
  for (const [what, error] of OTHER) it(`is none: ${what}`, () => assert.equal(isDatabaseUnavailable(error), false));

  it('is none: a file that is missing', async () => {
    assert.equal(isDatabaseUnavailable(await readFile('/nonexistent').catch((error: unknown) => error)), false);
  });
});
