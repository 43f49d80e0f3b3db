import { test } from 'node:test';
import { setInterval as forever } from 'node:timers/promises';

await test('waits without end', async () => {
  for await (const _tick of forever(1_000));
});
