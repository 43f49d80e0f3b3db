import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { StepError } from '../steps/step.ts';
import { budgetsOf, createRooms } from '../memory.ts';
import { createCodeSandbox } from './pool.ts';

// No step that ends by itself is judged by how long a busy machine took for it.
const sandbox = createCodeSandbox(60_000);
const call = { fairnessKey: 'k', room: createRooms(budgetsOf()).forStep('k', new AbortController().signal) };
after(() => sandbox.close());
const run = (body: string, inputs: unknown = {}, limitMs?: number): Promise<unknown> =>
  sandbox.run(`export const code = async (inputs) => { ${body} };`, inputs, call, limitMs);
/** For steps that only a limit ends. */
const SHORT_MS = 500;

test('a step gets its inputs and gives back JSON; undefined becomes null', async () => {
  assert.deepEqual(await run('return { doubled: inputs.n * 2, list: [1, "é"] };', { n: 21 }), { doubled: 42, list: [1, 'é'] });
  assert.equal(await run(''), null);
  assert.equal(await run('return null;'), null);
});

test('a step may be a plain function, wait for promises and use what flows need', async () => {
  assert.equal(await sandbox.run('export const code = (inputs) => inputs.a + 1;', { a: 1 }, call), 2);
  assert.equal(await run('return await Promise.resolve(5);'), 5);
  assert.equal(
    await run(
      "return new Intl.DateTimeFormat('en-US', { timeZone: 'America/Chicago', hour: 'numeric', hourCycle: 'h23' }).format(new Date('2026-11-21T18:00:00Z'));",
    ),
    '12',
  );
});

const hostile: [string, string, RegExp, number?][] = [
  ['an endless loop', 'for (;;) {}', /ran longer/, SHORT_MS],
  ['an endless loop after an await', 'await null; for (;;) {}', /ran longer/, SHORT_MS],
  ['a promise that never settles', 'await new Promise(() => {});', /ran longer|not JSON/, SHORT_MS],
  ['a memory bomb', 'const all = []; for (;;) all.push(new Array(100000).fill(Math.random()));', /memory/],
  ['a string bomb', "let s = 'x'; for (;;) s += s;", /memory|Invalid string length/],
  ['a typed array bomb', 'const all = []; for (;;) all.push(new Uint8Array(50 * 1024 * 1024).fill(1));', /memory|allocation/],
  ['a regular expression bomb', "return /^(a+)+$/.test('a'.repeat(40) + 'b');", /ran longer/, SHORT_MS],
  ['endless recursion', 'const f = () => f() + 1; return f();', /Maximum call stack/],
  ['an answer of 5 MB', "return 'x'.repeat(5 * 1024 * 1024);", /larger than 1 MiB/],
  ['an import', "const fs = await import('fs'); return fs.readFileSync('/etc/passwd', 'utf8');", /./],
  ['a thrown value that is no error', 'throw { toString: () => "odd" };', /odd/],
  ['a toString that throws', 'throw { toString() { throw new Error("again"); } };', /./],
];
for (const [name, body, message, limitMs] of hostile) {
  test(`${name} fails its step and leaves the next one unharmed`, async () => {
    await assert.rejects(run(body, {}, limitMs), (error: unknown) => error instanceof StepError && message.test(error.message));
    assert.equal(await run('return 1;'), 1);
  });
}

test('a step has no WebAssembly: machine code of its own would run outside the checks of the language', async () => {
  assert.deepEqual(await run("return [typeof WebAssembly, typeof globalThis.WebAssembly, 'WebAssembly' in globalThis];"), [
    'undefined',
    'undefined',
    false,
  ]);
  assert.equal(await run('return typeof (0, eval)(\'typeof WebAssembly === "undefined" ? 1 : WebAssembly.Module\');'), 'number');
  assert.equal(await run("return Object.getOwnPropertyNames(Function('return this')()).includes('WebAssembly');"), false);
});

test('nothing of the host or the web can be reached from a step', async () => {
  const names = [
    'process',
    'require',
    'module',
    'Buffer',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'setTimeout',
    'Deno',
    'ivm',
    'URLSearchParams',
    'URL',
    'btoa',
    'atob',
    'structuredClone',
    'TextEncoder',
    'crypto',
  ];
  assert.deepEqual(await run('return inputs.names.filter((name) => typeof globalThis[name] !== "undefined");', { names }), []);
  assert.equal(await run("return (0, eval)('typeof process');"), 'undefined');
  assert.equal(await run("return inputs.constructor.constructor('return typeof process')();"), 'undefined');
  await assert.rejects(sandbox.run("import fs from 'node:fs'; export const code = async () => fs.readdirSync('/');", {}, call), StepError);
});

test('a step leaves nothing behind for the next: globals and prototypes start afresh', async () => {
  await run('globalThis.left = 1; Object.prototype.polluted = 1; Array.prototype.map = () => []; return 1;');
  assert.deepEqual(await run('return [typeof left, typeof ({}).polluted, [1].map((x) => x + 1)];'), ['undefined', 'undefined', [2]]);
});

// The same code of the same owner gets the same isolate again: each of these runs must be as the first one.
test('the same code leaves nothing behind for its next run', async () => {
  const body = `
    const seen = [typeof globalThis.left, typeof ({}).polluted, [1].map((x) => x + 1)[0], RegExp.$1, Error.stackTraceLimit, typeof URLSearchParams,
      Object.keys(globalThis).length, Reflect.ownKeys(Symbol).length, String(await Promise.resolve('own'))];
    globalThis.left = inputs;
    Object.prototype.polluted = inputs;
    Array.prototype.map = () => ['other'];
    Promise.prototype.then = () => undefined;
    JSON.parse = () => ({ forged: true });
    Reflect.ownKeys(Symbol).length;
    Symbol.left = 1;
    Error.stackTraceLimit = 3;
    /(other)/.exec('other');
    return JSON.stringify({ ...seen, n: inputs.n });`;
  const runs: unknown[] = [];
  for (let n = 0; n < 20; n += 1) runs.push(JSON.parse(String(await run(body, { n }))));
  const [first, ...others] = runs as Record<string, unknown>[];
  assert.deepEqual([first?.[0], first?.[2], first?.[8]], ['undefined', 2, 'own']);
  for (const [index, other] of others.entries()) assert.deepEqual(other, { ...first, n: index + 1 });
});

test('what the same code leaves in memory or leaves running does not reach its next run', async () => {
  const leaving = `
    if (inputs.what === 'memory') globalThis.kept = Array.from({ length: 20 }, () => new Array(65536).fill(Math.random()));
    const spin = () => void Promise.resolve().then(spin);
    if (inputs.what === 'work') spin();
    return inputs.n;`;
  for (let n = 0; n < 12; n += 1) assert.equal(await run(leaving, { what: 'memory', n }), n);
  for (let n = 0; n < 2; n += 1) {
    await run(leaving, { what: 'work', n }, SHORT_MS).catch((error: unknown) => assert.match(String(error), /ran longer/));
    assert.equal(await run(leaving, { what: 'nothing', n }), n);
  }
});

test('a step that replaces JSON before it runs can only spoil its own answer', async () => {
  for (const forged of ["() => 'not json'", '() => 5', '() => "[]"']) {
    await assert.rejects(sandbox.run(`JSON.stringify = ${forged}; export const code = async () => 1;`, {}, call), StepError);
  }
  assert.equal(await run('return 1;'), 1);
});

test("a syntax error and a missing `code` are the step's failure", async () => {
  await assert.rejects(sandbox.run('export const code = async ( => 1;', {}, call), StepError);
  await assert.rejects(sandbox.run('export const other = 1;', {}, call), StepError);
});

test('inputs and code beyond their limits are refused before anything runs; those within pass', async () => {
  await assert.rejects(run('return 1;', { big: 'x'.repeat(1024 * 1024) }), /inputs are larger/);
  assert.equal(await run('return inputs.big.length;', { big: 'x'.repeat(512 * 1024) }), 512 * 1024);
  await assert.rejects(sandbox.run(`export const code = async () => 1; // ${'x'.repeat(256 * 1024)}`, {}, call), /code is larger/);
});

test('many steps at once are all answered, each with its own result', async () => {
  const results = await Promise.all(Array.from({ length: 60 }, (_unused, n) => run('return inputs.n;', { n })));
  assert.deepEqual(
    results,
    Array.from({ length: 60 }, (_unused, n) => n),
  );
});

test('a step that comes while an idle child is being ended has another one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const idling = createCodeSandbox(60_000);
  const step = 'export const code = async (inputs) => inputs.n;';
  assert.equal(await idling.run(step, { n: 1 }, call), 1);
  // The child is killed, and its exit has not been reported yet.
  t.mock.timers.tick(60_000);
  assert.equal(await idling.run(step, { n: 2 }, call), 2);
  await idling.close();
});

test('steps that wait take turns by their key: a burst of one delays another by one step', async () => {
  const started = new Set<string>();
  // Inputs are read when their step starts. The order of the ends would depend on how fast each child is.
  const as = (fairnessKey: string, name: string): Promise<unknown> => {
    const inputs = {
      get name() {
        started.add(name);
        return name;
      },
    };
    return sandbox.run('export const code = async () => 1;', inputs, { ...call, fairnessKey });
  };
  await Promise.all([...Array.from({ length: 20 }, (_unused, n) => as('burst', `burst ${n}`)), as('other', 'other')]);
  assert.ok([...started].indexOf('other') <= 3, [...started].join());
  assert.equal(started.size, 21);
});

test('inputs that name one large part many times, and outputs nested too deep, fail the step', async () => {
  const part = 'x'.repeat(256 * 1024);
  await assert.rejects(run('return 1;', { parts: Array.from({ length: 4_000 }, () => part) }), /inputs are larger/);
  await assert.rejects(run('let deep = []; for (let n = 0; n < 1000; n += 1) deep = [deep]; return deep;'), /nested too deep/);
});

test('after steps have ended, in whichever way and order, none is held; also when the sandbox closes meanwhile', async () => {
  const endings: [string, number?][] = [
    ['return 1;'],
    ['throw new Error("on purpose");'],
    ['for (;;) {}', SHORT_MS],
    ['await new Promise(() => {});', SHORT_MS],
    ['const all = []; for (;;) all.push(new Array(100000).fill(Math.random()));'],
    ["return 'x'.repeat(5 * 1024 * 1024);"],
    ['this is no code'],
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...endings), { minLength: 3, maxLength: 8 }), async (steps) => {
      const outcomes = steps.map(([body, limitMs]) => run(body, {}, limitMs).catch(() => undefined));
      assert.equal(sandbox.held(), steps.length);
      await Promise.all(outcomes);
      assert.equal(sandbox.held(), 0);
    }),
    { numRuns: 2, examples: [[endings]] },
  );
  const closing = createCodeSandbox(60_000);
  const left = [1, 2, 3, 4].map(() => closing.run('export const code = async () => { for (;;) {} };', {}, call).catch(() => undefined));
  assert.equal(closing.held(), 4);
  await closing.close();
  await Promise.all(left);
  assert.equal(closing.held(), 0);
});
