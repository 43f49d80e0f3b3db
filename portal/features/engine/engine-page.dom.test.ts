import { test } from 'node:test';
import { open, reads, see } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

const WORKERS = { seenAt: null, isSilent: false };

test('counts a run that timed out once, as one that failed', async () => {
  const runs24h = { succeeded: 10, failed: 2, timedOut: 2, running: 0, waiting: 0 };
  await open('staff', '/admin/engine', { getEngine: reply('getEngine', { health: 'ok', workers: WORKERS, runs24h }) });
  await reads(document.body, /Runs ended in 24 h122 failed/);
});

for (const [embedded, says] of [
  [true, /Provisioning is unavailable, and runs wait for the engine until they fail\./],
  [false, /Provisioning is unavailable\. Installed agents still run:/],
] as const)
  test(`says what an engine that is switched off still does: ${embedded ? 'the embedded one' : 'one of its own'}`, async () => {
    await open('staff', '/admin/engine', { getEngine: reply('getEngine', { health: 'disabled', embedded, workers: WORKERS }) });
    await see(says);
  });
