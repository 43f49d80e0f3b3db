import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callEngine, startSink, startTestEngine } from './harness.ts';
import type { Reply, Sink, TestEngine } from './harness.ts';
import { STATES } from './states.ts';
import type { Names } from './states.ts';

type Exchange = {
  name: string;
  given: string;
  request: { method: string; path: string; body?: unknown; rawBody?: string; headers?: Record<string, string>; authorization?: string };
  /** `shape`: of its body, or the name of one in shapes.json. */
  response: { status: number; code?: string; message?: string; params?: string[]; shape?: unknown };
};

const FIXTURES = join(import.meta.dirname, 'fixtures');
const files = readdirSync(FIXTURES).filter((name) => name.endsWith('.json'));
const SHAPES = new Map<unknown, unknown>(
  Object.entries(JSON.parse(readFileSync(join(import.meta.dirname, 'shapes.json'), 'utf8')) as object),
);
const exchangesOf = (file: string): Exchange[] => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
/** The steps of the recorded import, which exchanges name; `bare` without the dates of the steps. */
const { trigger: TREE } = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded-behaviour.json'), 'utf8')).importRequest;
const TREES = new Map<unknown, unknown>([
  ['<tree>', TREE],
  ['<bare tree>', JSON.parse(JSON.stringify(TREE, (key, value: unknown) => (key === 'lastUpdatedDate' ? undefined : value)))],
]);
let sink: Sink;
let on: TestEngine;
before(async () => {
  sink = await startSink();
  on = await startTestEngine([`127.0.0.1:${sink.port}`]);
});
after(async () => {
  await on.close();
  await sink.close();
});

function fill(given: unknown, names: Names): unknown {
  const value = TREES.get(given) ?? given;
  if (typeof value === 'string') {
    const big = /^\{"d":"<(\d+) MiB of the letter x>"\}$/.exec(value);
    if (big !== null) return JSON.stringify({ d: 'x'.repeat(Number(big[1]) * 1024 * 1024) });
    return value.replaceAll(/<([a-z]+)>/g, (match, name: string) => names[name] ?? match);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, names));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)]));
  return value;
}

/** Tokens the recordings could not keep: made again with the engine's own secret. */
function tokenFor(name: string): string | undefined {
  const [header = '', payload = '', signature = ''] = on.token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const signed = (changed: Record<string, unknown>): string => {
    const body = Buffer.from(JSON.stringify({ ...claims, ...changed })).toString('base64url');
    return `Bearer ${header}.${body}.${createHmac('sha256', on.options.jwtSecret).update(`${header}.${body}`).digest('base64url')}`;
  };
  switch (name) {
    case 'auth-bad-signature':
      return `Bearer ${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    case 'auth-expired-token':
      return signed({ exp: 1_700_000_000 });
    case 'auth-unknown-user':
      return signed({ id: 'aaaaaaaaaaaaaaaaaaaaa' });
    case 'auth-token-version-mismatch':
      return signed({ tokenVersion: 'aaaaaaaaaaaaaaaaaaaaa' });
    default:
      return undefined;
  }
}

function assertShape(actual: unknown, shape: unknown, path: string): void {
  if (shape === 'any' || shape === 'null') return;
  if (Array.isArray(shape)) {
    assert.ok(Array.isArray(actual), `${path} is a list`);
    if (shape.length > 0 && actual.length > 0) assertShape(actual[0], shape[0], `${path}[0]`);
    return;
  }
  if (typeof shape === 'object' && shape !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, `${path} is an object`);
    for (const [key, inner] of Object.entries(shape)) {
      assert.ok(key in actual, `${path}.${key} is there`);
      assertShape(Reflect.get(actual, key), inner, `${path}.${key}`);
    }
    return;
  }
  assert.equal(actual === null ? 'null' : typeof actual, shape, path);
}

async function play(exchange: Exchange): Promise<Reply> {
  const projects = await on.call('GET', '/api/v1/projects');
  for (const project of (projects.body as { data: { id: string; type: string }[] }).data) {
    if (project.type === 'TEAM') await on.call('DELETE', `/api/v1/projects/${project.id}`);
  }
  const names = { project: on.projectId, ...(await STATES[exchange.given]?.(on, sink.url)) };
  const { request } = exchange;
  const recorded = exchange.name.startsWith('auth-') ? request.authorization : (request.authorization ?? 'Bearer <jwt>');
  const authorization = tokenFor(exchange.name) ?? recorded?.replace('<jwt>', on.token);
  const filled = fill(request.rawBody ?? request.body, names);
  const body = exchange.name.startsWith('sign-in') ? asAdmin(filled) : filled;
  return callEngine(on.base, undefined, request.method, String(fill(request.path, names)), body, {
    ...(authorization === undefined ? {} : { authorization }),
    ...request.headers,
  });
}

function asAdmin(body: unknown): unknown {
  const text = JSON.stringify(body).replace('<admin-password>', on.options.adminPassword);
  return typeof body === 'string' ? body : JSON.parse(text);
}

for (const file of files) {
  describe(`recorded exchanges: ${file.replace('.json', '')}`, () => {
    for (const exchange of exchangesOf(file)) {
      test(`${exchange.name} is answered as recorded`, async () => {
        const reply = await play(exchange);
        const expected = exchange.response;
        assert.equal(reply.status, expected.status, JSON.stringify(reply.body).slice(0, 300));
        const body = reply.body as { code?: string; message?: string; params?: object };
        assert.equal(body.code, expected.code);
        if (expected.message !== undefined) assert.equal(body.message, expected.message);
        if (expected.params !== undefined) assert.deepEqual(Object.keys(body.params ?? {}).toSorted(), expected.params);
        if (expected.shape !== undefined) assertShape(reply.body, SHAPES.get(expected.shape) ?? expected.shape, 'body');
      });
    }
  });
}

const readList = <T>(name: string): T[] => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

test('each of the 230 recorded exchanges is replayed, covered by an existing test, or left out with a reason', () => {
  const played = files.flatMap(exchangesOf).map(({ name }) => name);
  const outside = readList<{ name: string; reason: string }>('outside-subset.json');
  const covered = readList<{ name: string; file: string; test: string; differs?: string }>('covered-by-tests.json');
  assert.deepEqual([played.length, covered.length, outside.length], [177, 23, 30]);
  const all = [...played, ...[...covered, ...outside].map(({ name }) => name)];
  assert.equal(new Set(all).size, 230, 'each of them once');
  for (const { name, reason } of outside) assert.ok(reason.length > 20, `${name} has a reason`);
  for (const { name, file, test: title, differs } of covered) {
    assert.ok(readFileSync(join(import.meta.dirname, file), 'utf8').includes(title), `${name}: ${file} has no test “${title}”`);
    assert.ok(differs === undefined || differs.length > 20, name);
  }
});
