import { z } from 'zod';
import { explainEngineError, isEngineError } from '#adapters/engine-client.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { announce, defineTopic } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import type { ProvisioningDeps } from '../deps.ts';
import type { EngineLook } from './look-at-engine.ts';
import { readEngine } from './read-engine.ts';

type Deps = Pick<ProvisioningDeps, 'db' | 'engine' | 'settings' | 'clock' | 'notices'>;

/** Staff had the process `by` log in again: the others drop their sessions. A process that misses the notice renews its session once the engine refuses it. */
const engineSessionDropped = defineTopic('engine_session', z.object({ by: z.uuid() }));

/** Creates what has every process drop its session with the engine, and this one log in again. */
export function createEngineRefresh(deps: Deps, look: EngineLook) {
  const self = newId();
  const unsubscribe = deps.notices.subscribe(engineSessionDropped, ({ by }) => {
    if (by !== self) deps.engine.forgetSession();
  });
  return {
    async refresh(context: RequestContext) {
      const { actor } = context;
      await deps.db.asStaff(actor, async (tx) => {
        await recordAudit(tx, { partnerId: actor.partnerId, actor, action: 'engine.session_refreshed', origin: originOf(context) });
        await announce(tx, engineSessionDropped, { by: self });
      });
      if (!deps.settings.engineEnabled) refuse('engine_unavailable', { detail: 'Off: AUTOMATION_ENGINE_ENABLED is not exactly "true".' });
      try {
        await deps.engine.refreshSession(context.now);
      } catch (error) {
        if (!isEngineError(error)) throw error;
        refuse('engine_unavailable', { detail: explainEngineError(error), cause: error });
      }
      return readEngine(deps, actor, look, { fresh: true });
    },
    stop: unsubscribe,
  };
}

export type EngineRefresh = ReturnType<typeof createEngineRefresh>;
