import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { until } from '@partner-portal/tests/harness/system.ts';
import { createLog, openLogFile, stripToken } from './log.ts';
import { Secret } from './secret.ts';

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('debug', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  it('strikes out secrets by name, at the top and below', () => {
    const written = linesOf((log) => {
      log.info({ password: 'canary-1', headers: { authorization: 'canary-2' }, a: { b: { apiKey: 'canary-3' } }, kept: 'plain' }, 'x');
    });
    assert.doesNotMatch(written, /canary/);
    assert.match(written, /plain/);
  });

  it('names the trace of a run where traces are recorded, unless the line names a span itself', () => {
    const executionId = '0199d3a0-1b2c-7d3e-8f40-112233445566';
    const lines: string[] = [];
    const log = createLog('debug', { write: (line: string) => void lines.push(line) }, { isTraced: true });
    log.info({ executionId }, 'of a run');
    log.info({ executionId, trace_id: 'a', span_id: 'b' }, 'of a span');
    log.child({ requestId: 'r' }).info('of neither');
    linesOf((plain) => plain.info({ executionId }, 'untraced'))
      .split('\n')
      .filter(Boolean)
      .forEach((line) => lines.push(line));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as Record<string, unknown>).map(({ trace_id, span_id }) => [trace_id, span_id]),
      [
        ['0199d3a01b2c7d3e8f40112233445566', '8f40112233445566'],
        ['a', 'b'],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('takes tokens and contacts out of addresses and leaves the rest', () => {
    assert.equal(stripToken('/webhooks/agents/1?token=abc&x=1'), '/webhooks/agents/1?token=[secret]&x=1');
    assert.equal(stripToken('/invite/aB3-x_'), '/invite/[secret]');
    assert.equal(stripToken('/invitations/token/aB3-x_'), '/invitations/token/[secret]');
    assert.equal(stripToken('/chatbot/public/1/conversations/2/stream'), '/chatbot/public/1/conversations/[secret]/stream');
    for (const end of ['', '/', '/typing', '/stream', '/stream?x=1'])
      assert.equal(stripToken(`/chatbot/public/1/conversations/canary${end}`), `/chatbot/public/1/conversations/[secret]${end}`);
    assert.equal(
      stripToken('https://portal.test/chatbot/public/1/conversations/2'),
      'https://portal.test/chatbot/public/1/conversations/[secret]',
    );
    for (const contact of ['%2B13125550121', 'ada@example.com', 'export.csv@example.com', 'ada%40example.com?x=1'])
      assert.equal(stripToken(`/clients/1/stop-list/${contact}`).replace('?x=1', ''), '/clients/1/stop-list/[contact]');
    for (const path of [
      '/clients/1/stop-list',
      '/clients/1/stop-list/export.csv',
      '/clients/1/stop-list/export.csv?q=1',
      '/client/stop-list',
    ])
      assert.equal(stripToken(path), path);
    assert.equal(stripToken('/chatbot/conversations/2'), '/chatbot/conversations/2');
    assert.equal(stripToken('/invitations/0190/resend'), '/invitations/0190/resend');
    assert.doesNotMatch(
      linesOf((log) => log.info({ url: '/a?token=canary' }, 'x')),
      /canary/,
    );
  });

  it('keeps the row a database refused out of its errors', () => {
    const refused = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(canary@x.y) already exists.', code: '23505' });
    const written = linesOf((log) => log.error({ err: refused }, 'x'));
    assert.doesNotMatch(written, /canary/);
    assert.match(written, /23505/);
  });
});

describe('the log in a file', () => {
  it('is for the eyes of its owner only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-log-test-'));
    const file = openLogFile(join(folder, 'service.log'));
    await once(file, 'ready');
    assert.equal(statSync(join(folder, 'service.log')).mode & 0o077, 0);
    file.end();
    await once(file, 'close');
    rmSync(folder, { recursive: true });
  });

  it('is kept to two files of bounded size, of which the newest lines are whole and in order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-log-test-'));
    const path = join(folder, 'service.log');
    const file = openLogFile(path, { bytesMax: 40_000 });
    const log = createLog('info', file);
    for (let n = 0; n < 300; n += 1) log.info({ n, filler: 'x'.repeat(900) }, 'line');
    const linesIn = (name: string): number[] =>
      readFileSync(name, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { n: number }).n); // our own lines
    const isWhole = (text: string): boolean => text.endsWith('\n') && text.includes('"n":299,');
    await until('the last line is there', () => existsSync(path) && isWhole(readFileSync(path, 'utf8')));
    assert.deepEqual(readdirSync(folder).toSorted(), ['service.log', 'service.log.1']);
    const kept = [...linesIn(`${path}.1`), ...linesIn(path)];
    assert.ok(kept.length >= 40 && kept.length < 150, `${kept.length} lines`);
    assert.deepEqual(
      kept,
      Array.from(kept, (_, at) => 300 - kept.length + at),
    );
    // One write of the log's own buffer may come on top.
    for (const name of readdirSync(folder)) {
      assert.ok(statSync(join(folder, name)).size < 40_000 + 17_000, name);
      assert.equal(statSync(join(folder, name)).mode & 0o077, 0);
    }
    file.end();
    await once(file, 'close');
    rmSync(folder, { recursive: true });
  });

  it('on a full disk ends neither the service nor its end: lines wait, and standard error says why', async () => {
    // A device on which every write fails as on a full disk.
    const script = `
      import { openLogFile, createLog } from '${new URL('log.ts', import.meta.url).href}';
      const file = openLogFile('/dev/full');
      const log = createLog('info', file);
      file.once('error', () => setImmediate(() => { log.info('more'); console.log('still here'); process.exit(3); }));
      log.info('first');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.deepEqual([code, output], [3, 'still here\n'], errors);
    assert.match(errors, /^The log file cannot be written: ENOSPC/);
  });

  it('whose disk has room again holds the lines that waited, in order', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-log-test-'));
    const path = join(folder, 'service.log');
    const file = openLogFile(path);
    await once(file, 'ready');
    const full = t.mock.method(fs, 'write', (...args: unknown[]) =>
      setImmediate(
        args.at(-1) as (error: Error) => void,
        Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
      ),
    );
    const said = t.mock.method(process.stderr, 'write', () => true);
    const log = createLog('info', file);
    for (const n of [1, 2, 3]) {
      log.info({ n }, 'line');
      await once(file, 'error');
    }
    full.mock.restore();
    assert.equal(said.mock.callCount(), 1);
    said.mock.restore();
    log.info({ n: 4 }, 'line');
    const lines = () => readFileSync(path, 'utf8').split('\n').filter(Boolean);
    await until('all lines are there', () => lines().length === 4);
    assert.deepEqual(
      lines().map((line) => (JSON.parse(line) as { n: number }).n), // our own lines
      [1, 2, 3, 4],
    );
    file.end();
    await once(file, 'close');
    rmSync(folder, { recursive: true });
  });

  it('that has grown over its size before is put aside at the start, and a smaller one is gone on with', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-log-test-'));
    const path = join(folder, 'service.log');
    for (const [before, names] of [
      ['short', ['service.log']],
      ['x'.repeat(2_000), ['service.log', 'service.log.1']],
    ] as const) {
      writeFileSync(path, before);
      const file = openLogFile(path, { bytesMax: 1_000 });
      await once(file, 'ready');
      assert.deepEqual(readdirSync(folder).toSorted(), names);
      file.end();
      await once(file, 'close');
      assert.equal(readFileSync(join(folder, names.at(-1) ?? ''), 'utf8'), before);
    }
    rmSync(folder, { recursive: true });
  });
});

describe('a secret', () => {
  it('prints as [secret] however it is printed, and is given away only on purpose', () => {
    const secret = new Secret('canary');
    for (const text of [String(secret), JSON.stringify({ secret }), inspect({ secret }), `${secret}`]) assert.match(text, /\[secret\]/);
    assert.equal(secret.reveal(), 'canary');
  });
});
