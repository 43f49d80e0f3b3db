import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import type { HealthDeps } from './deps.ts';
import { readChecks, readSystem } from './read-health.ts';

export function healthHandlers(deps: HealthDeps) {
  return defineHandlers({
    getHealth: () => ({ status: 'ok' as const }),
    getReadiness: async () => {
      const { status, checks } = await readChecks(deps);
      return answer(status === 'down' ? 503 : 200, { status, checks });
    },
    getSystem: (_input, { actor }) => readSystem(deps, actor),
  });
}
