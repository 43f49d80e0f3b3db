import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hideSecrets } from './payload.ts';

describe('a payload for the agency', () => {
  it('hides members named like secrets and cuts long texts, at any depth', () => {
    const shown = hideSecrets({ apiKey: 'x', list: [{ authToken: 'y', phone: '+1' }], long: 'a'.repeat(3_000), password: '' });
    assert.deepEqual(shown, {
      apiKey: '[hidden]',
      list: [{ authToken: '[hidden]', phone: '+1' }],
      long: `${'a'.repeat(2_000)}…`,
      password: '',
    });
  });
});
