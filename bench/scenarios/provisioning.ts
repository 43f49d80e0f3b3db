import { performance } from 'node:perf_hooks';
import { startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import type { BenchDatabase } from '../support/database.ts';

const PROVIDERS = ['anthropic', 'calcom', 'openai', 'postgres', 'resend', 'twilio'];
const ROUNDS = 3;

/**
 * All twelve templates of one partner, from unprovisioned to ready: the route, the twelve steps, the vault, the embedded engine over HTTP,
 * and a durable database. Service, engine and sandbox share this process; in production the engine has its own.
 */
export async function benchProvisioning(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const service = await startProvisioningService({ database: database.asTestDatabase() });
  try {
    const templateNames = service.catalog.map((bundle) => bundle.template.name);
    const automation = `/partners/${service.world.partnerId}/automation`;
    let calls = 0;
    service.wire.around = (call, send) => {
      calls += 1;
      return send(call);
    };
    const timed = async (what: string, path: string, body: object): Promise<void> => {
      calls = 0;
      const startedAt = performance.now();
      const { body: answer } = await service.call('POST', `${automation}/${path}`, { as: 'staff', body });
      const ms = performance.now() - startedAt;
      if (answer.status !== 'succeeded') throw new Error(`The attempt did not succeed: ${answer.instance?.lastError}`);
      const perFlow = `${calls} engine calls, ${(calls / templateNames.length).toFixed(1)} a flow`;
      const steps: { name: string; durationMs: number }[] = answer.steps;
      const longest = steps.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 3);
      say(`${what.padEnd(12)} ${ms.toFixed(0)} ms, ${perFlow}; ${longest.map((step) => `${step.name} ${step.durationMs} ms`).join(', ')}`);
    };
    for (let round = 1; round <= ROUNDS; round += 1) {
      await service.forget();
      for (const provider of PROVIDERS) await service.saveKey(provider);
      await timed(`provision ${round}`, 'provision', { templateNames });
    }
    await timed('repair', 'reprovision', { mode: 'repair' });
    await timed('recreate', 'reprovision', { mode: 'recreate' });
    say(`${templateNames.length} templates, ${PROVIDERS.length} connections (target: a provision in 3000 ms or less, the first included)`);
  } finally {
    await service.close();
  }
}
