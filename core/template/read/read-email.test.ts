import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../types.ts';
import { readEmail } from './read-email.ts';

const understood: [came: Json, address: string][] = [
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM ', 'Ada@example.com'],
  ['Ada Byron <ada@example.com>', 'ada@example.com'],
  ['"Byron, Ada" <ada@example.com>', 'ada@example.com'],
  ['"a@evil.example" <ada@example.com>', 'ada@example.com'],
  ['"Byron" and "Smith, Bob" <ada@example.com>', 'ada@example.com'],
  ['"Byron, \\"Ada\\"" <ada@example.com>', 'ada@example.com'],
  ['5" pipes <ada@example.com>', 'ada@example.com'],
  ['=?utf-8?Q?Ada?= <ada@example.com>', 'ada@example.com'],
  ['<ada@example.com>', 'ada@example.com'],
  ['mailto:ada@example.com?subject=Hello', 'ada@example.com'],
  ["'ada@example.com'", 'ada@example.com'],
  ['“ada@example.com”', 'ada@example.com'],
  ['ada@example.com (Ada)', 'ada@example.com'],
  ['ada@example.com.', 'ada@example.com'],
  ['ada@example.com; bob@example.com', 'ada@example.com'],
  ['nobody, Bob <bob@example.com>', 'bob@example.com'],
  [['ada@example.com', 'bob@example.com'], 'ada@example.com'],
  ['\u200bada@example.com\u00a0', 'ada@example.com'],
  ['ada@ex\u00e4mple.de', 'ada@xn--exmple-cua.de'],
  ['ada@EXA\u0308MPLE.de', 'ada@xn--exmple-cua.de'],
  ['ada@例え.jp', 'ada@xn--r8jz45g.jp'],
  ['ada+news@mail.example.co.uk', 'ada+news@mail.example.co.uk'],
];
const refused: Json[] = [
  '',
  'ada',
  'ada@example',
  'ada at example.com',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'Ada <ada>',
  'ada@exa mple',
  5,
  true,
  null,
  {},
  [],
  `${'a'.repeat(250)}@example.com`,
  'ada@1.2.3.4',
  `${' '.repeat(4_000)}ada@example.com`,
];

describe('a mail address', () => {
  for (const [came, value] of understood) it(`${JSON.stringify(came)} is ${value}`, () => assert.deepEqual(readEmail(came), { value }));
  for (const came of refused) it(`${JSON.stringify(came)?.slice(0, 40)} is none`, () => assert.ok('problem' in readEmail(came)));
});
