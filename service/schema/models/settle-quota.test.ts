import assert from 'node:assert/strict';
import { it } from 'node:test';
import { crossThresholds } from './settle-quota.ts';

const at = (used: number, announced = 0, limit = 200) => crossThresholds({ thresholds: [80, 50, 100], announced, used, limit });

const cases: [name: string, actual: ReturnType<typeof at>, expected: ReturnType<typeof at>][] = [
  ['nothing below the lowest', at(99), { crossed: [], announced: 0 }],
  ['one exactly when it is reached', at(100), { crossed: [50], announced: 50 }],
  ['several at once, lowest first', at(400), { crossed: [50, 80, 100], announced: 100 }],
  ['those announced before are left out', at(170, 50), { crossed: [80], announced: 80 }],
  ['none a second time after credits were added', at(120, 80), { crossed: [], announced: 80 }],
  ['all of them without any credits', at(0, 0, 0), { crossed: [50, 80, 100], announced: 100 }],
];
for (const [name, actual, expected] of cases) it(`thresholds: ${name}`, () => assert.deepEqual(actual, expected));
