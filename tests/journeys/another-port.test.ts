import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { DEMO, ingestUrl, postJson } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { freePort } from '../harness/free-port.ts';
import { runSweep, seedDemo, type Service, spawnService, startSystem, type System, until } from '../harness/system.ts';

// The quick start on another port: README says how when the first one is taken.

let system: System;
let moved: Service | undefined;
before(async () => {
  system = await startSystem();
});
after(async () => {
  if (moved?.isAlive()) process.kill(moved.pid, 'SIGTERM');
  await moved?.ended;
  await system.stop();
});

it('a service that moves to another port gets the reports of flows that were made before, and finds them as it made them', async () => {
  const workspace = await seedDemo(system);
  const { pathname, search } = new URL(await ingestUrl(workspace.owner, workspace.workflowIds['missed-call-text-back']));
  const [{ movedAt } = { movedAt: new Date() }] = await system.query<{ movedAt: Date }>('select now() as "movedAt"');
  await system.kill('SIGTERM');
  const [port, metricsPort] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const service = spawnService({
    DATA_DIR: system.dataDir,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    SEED_ADMIN_EMAIL: system.admin.email,
    SEED_ADMIN_PASSWORD: system.admin.password,
  });
  moved = service;
  await until('the service is ready at its new address', async () => {
    if (!service.isAlive()) throw new Error(`The service ended: ${service.output()}`);
    return /Ready at|portal is at/.test(service.output()) && (await fetch(`${address}/health/ready`)).ok;
  });
  const { status } = await postJson(`${address}${pathname}${search}`, {
    callerNumber: '+13125550177',
    businessNumber: DEMO.businessNumber,
  });
  assert.equal(status, 202);
  const ends = await until('the run has ended', async () => {
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return /^portal_runs_ended_total\{.*$/m.exec(page)?.[0];
  });
  assert.match(ends, /status="SUCCEEDED",cause="reported"\} 1/);
  await runSweep(system, 'provisioning.check-drift');
  const states = await until('its flows were compared again', async () => {
    const found = await system.query<{ state: string; isNew: boolean }>(`select state, checked_at > $1 as "isNew" from workflow_drift`, [
      movedAt,
    ]);
    return found.length > 0 && found.every(({ isNew }) => isNew) && found.map(({ state }) => state);
  });
  assert.deepEqual(new Set(states), new Set(['none']));
});
