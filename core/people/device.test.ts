import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDevice } from './device.ts';

describe('a user agent', () => {
  const NAMED = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      { browser: 'Chrome', system: 'Windows' },
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      { browser: 'Safari', system: 'iOS' },
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', { browser: 'Firefox', system: 'Linux' }],
    ['', { browser: null, system: null }],
  ] as const;
  for (const [agent, device] of NAMED)
    it(`names ${device.browser ?? 'nothing'}${device.system ? ` on ${device.system}` : ' where it is empty'}`, () => {
      assert.deepEqual(describeDevice(agent), device);
    });

  it('of a program names no system', () => {
    assert.equal(describeDevice('curl/8.5.0').system, null);
  });
});
