import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsIn, resolveForLog, resolveValue } from './expressions.ts';

const body = { n: 7, name: 'Ann', flag: true, nul: null, obj: { a: [1, 2] }, items: ['x', 'y'], 'weird key': 'wk', text: ' Hi ' };
const scope = new Map<string, unknown>([
  ['trigger', { output: { body } }],
  ['failed', { error: { message: '{"m":1}' } }],
]);
const connections = new Map<string, unknown>([['openai', { type: 'CUSTOM_AUTH', props: { apiKey: 'sk-1', baseUrl: 'http://a' } }]]);
const T = "trigger['output'].body";

const table: [string, unknown][] = [
  [`{{${T}.n}}`, 7],
  [`{{ ${T}.n }}`, 7],
  [`{{trigger.output.body['n']}}`, 7],
  [`{{${T}.flag}}`, true],
  [`{{${T}.obj}}`, { a: [1, 2] }],
  [`{{${T}.items[0]}}`, 'x'],
  [`{{${T}.items.length}}`, 2],
  [`{{${T}['weird key']}}`, 'wk'],
  [`n={{${T}.n}}`, 'n=7'],
  [`obj={{${T}.obj}}`, 'obj={"a":[1,2]}'],
  [`[{{${T}.nope}}]`, '[]'],
  [`{{${T}.nope}}`, ''],
  [`{{${T}.nope.deeper}}`, ''],
  [`{{${T}.nul}}`, ''],
  ['{{nostep.x}}', ''],
  ['{{ }}', ''],
  ['{{trigger.body.n}}', ''],
  [`{{${T}.n + 1}}`, 8],
  [`{{${T}.n > 3 ? 'yes' : 'no'}}`, 'yes'],
  [`{{${T}.n === 7 && ${T}.flag}}`, true],
  [`{{${T}.nope || 'fallback'}}`, 'fallback'],
  [`{{${T}.nope?.x ?? 'none'}}`, 'none'],
  [`{{!${T}.flag}}`, false],
  [`{{-(2 + 3) * 2 % 4}}`, -2],
  [`{{"a" + ${T}.name}}`, 'aAnn'],
  [`{{${T}.text.trim().toUpperCase()}}`, 'HI'],
  [`{{${T}.items.join('; ')}}`, 'x; y'],
  [`{{${T}.items.includes('y')}}`, true],
  [`{{failed['error'].message}}`, '{"m":1}'],
  ['{{failed.output.x}}', ''],
  ["{{connections['openai']}}", { type: 'CUSTOM_AUTH', props: { apiKey: 'sk-1', baseUrl: 'http://a' } }],
  ['{{connections.openai.props.apiKey}}', 'sk-1'],
  ["{{connections['openai'].props.apiKey}}", ''],
  ['Bearer {{connections.openai.props.apiKey}}', 'Bearer sk-1'],
  ['no token here', 'no token here'],
  ['{{unclosed', '{{unclosed'],
  [`{{${T}.name}}{{${T}.n}}`, 'Ann7'],
];
for (const [text, expected] of table) {
  test(`${text} resolves to ${JSON.stringify(expected)}`, () => assert.deepEqual(resolveValue(text, scope, connections), expected));
}

test('no expression reaches a prototype, a constructor or a function', () => {
  for (const text of [
    '{{trigger.constructor}}',
    '{{trigger.__proto__}}',
    "{{trigger['constructor']['constructor']('return 1')()}}",
    '{{process.env}}',
    '{{globalThis}}',
    `{{${T}.name.constructor}}`,
    `{{${T}.items.map}}`,
    `{{${T}.items.map(x => x)}}`,
    `{{${T}.name.repeat(10)}}`,
    '{{(() => 1)()}}',
    '{{`x`}}',
    '{{new Date()}}',
    '{{a = 1}}',
  ])
    assert.equal(resolveValue(text, scope, connections), '', text);
});

test('hostile nesting resolves to nothing instead of exhausting the stack', () => {
  assert.equal(resolveValue(`{{${'('.repeat(50_000)}1${')'.repeat(50_000)}}}`, scope, connections), '');
  assert.equal(resolveValue(`{{${'!'.repeat(50_000)}1}}`, scope, connections), '');
});

test('values are resolved at any depth and a key named __proto__ stays data', () => {
  const value = JSON.parse(`{"a":[{"b":"{{${T}.n}}"}],"__proto__":{"x":"{{${T}.name}}"}}`) as unknown;
  const resolved = resolveValue(value, scope, connections) as Record<string, unknown>;
  assert.deepEqual(resolved['a'], [{ b: 7 }]);
  assert.deepEqual(Object.getOwnPropertyDescriptor(resolved, '__proto__')?.value, { x: 'Ann' });
  assert.equal(({} as { x?: unknown }).x, undefined);
});

test('the log form covers every value that names a connection and shows the rest', () => {
  const input = {
    a: 'Bearer {{connections.openai.props.apiKey}}',
    b: "{{connections['openai']}}",
    c: `{{${T}.n}}`,
    d: '{{connections[trigger.x]}}',
    e: '{{ connections.openai.props.apiKey + "x" }}',
    f: '{{connections ~ broken}}',
  };
  assert.deepEqual(resolveForLog(input, scope), {
    a: 'Bearer **REDACTED**',
    b: '**REDACTED**',
    c: 7,
    d: '**REDACTED**',
    e: '**REDACTED**',
    f: '**REDACTED**',
  });
});

test('the connections a step needs are found in every spelling', () => {
  assert.deepEqual(
    connectionsIn({
      a: "{{connections['one']}}",
      b: ['x {{connections.two.props.k}}'],
      c: "{{connections['three'].x}}",
      d: 'plain',
      e: '{{connections.a:b-c.secret_text}}',
    }),
    ['one', 'two', 'three', 'a:b-c'],
  );
});

test('texts that tokens fill are limited; a value that is one token is a reference and needs no room', () => {
  const large = new Map<string, unknown>([['big', { output: 'x'.repeat(256 * 1024) }]]);
  const many = Array.from({ length: 1_000 }, () => '{{big.output}}');
  assert.throws(() => resolveValue({ text: many.map((token) => `${token};`).join('') }, large, new Map()), /larger than 2 MiB/);
  assert.throws(() => resolveValue({ texts: many.map((token) => `a ${token}`) }, large, new Map()), /larger than 2 MiB/);
  assert.equal((resolveValue({ all: many }, large, new Map()) as { all: string[] }).all.length, 1_000);
});
