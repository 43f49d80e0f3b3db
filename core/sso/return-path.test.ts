import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { returnPath } from './return-path.ts';

const BASE = 'https://portal.test';

describe('the page to return to after a login', () => {
  const cases: [given: string, path: string | null][] = [
    ['/dashboard/runs?status=FAILED', '/dashboard/runs?status=FAILED'],
    ['/dashboard/runs#today', '/dashboard/runs#today'],
    ['/dashboard/../client', '/client'],
    ['/a//b', '/a//b'],
    ['https://portal.test/dashboard', null],
    ['https://evil.test/', null],
    ['//evil.test', null],
    ['/\\evil.test', null],
    ['/\t/evil.test', null],
    ['/.//evil.test', null],
    ['/./\\evil.test', null],
    ['/a/..//evil.test', null],
    ['/%2e//evil.test', null],
    ['/\n//evil.test', null],
    ['javascript:alert(1)', null],
    ['dashboard', null],
    ['', null],
  ];
  for (const [given, path] of cases) {
    it(`${JSON.stringify(given)} is ${path ?? 'none'}`, () => {
      const found = returnPath(BASE, given);
      assert.equal(found, path);
      if (found !== null) assert.equal(new URL(found, BASE).origin, BASE, 'as a browser opens it');
    });
  }
});
