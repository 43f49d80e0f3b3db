import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPace } from '../pace.ts';
import { showPayload } from './show-payload.ts';

it('a large payload asks for rest within it, and is shown whole', async () => {
  const pace = createPace();
  let asked = 0;
  const counted = { ...pace, rest: () => ((asked += 1), pace.rest()) };
  const items = Array.from({ length: 50_000 }, () => ({ p: 1 }));
  for (const audience of ['agency', 'client'] as const) {
    asked = 0;
    const text = JSON.stringify({ items, token: 'x' });
    const shown = await showPayload(text, { audience }, counted);
    assert.ok(asked > text.length / 50_000, `${asked} times`);
    assert.deepEqual(JSON.parse(shown ?? ''), { items, token: '[hidden]' });
  }
  assert.equal(await showPayload(null, { audience: 'client' }, counted), null);
});
