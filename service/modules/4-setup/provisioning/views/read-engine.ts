import type { Actor } from '#platform/actor.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { countRuns, countStuck, listHours } from './store-views.ts';

type Deps = Pick<ProvisioningDeps, 'db' | 'engine' | 'settings' | 'clock'>;

const DAY_MS = 86_400_000;
const HEALTH_BUDGET_MS = 3_000;
/** A healthy engine with a longer response time is shown as slow. */
const SLOW_MS = 1_000;

/** The engine page of staff. An unavailable engine is shown, never an error. */
export async function readEngine(deps: Deps, actor: Actor) {
  const { settings } = deps;
  const now = deps.clock.now();
  const numbers = await deps.db.asStaff(actor, async (tx) => {
    const [counts, byHour, stuckAttempts] = await Promise.all([
      countRuns(tx, new Date(now.getTime() - DAY_MS)),
      listHours(tx, now),
      countStuck(tx, settings.provisionTimeoutMinutes),
    ]);
    const sum = (word: 'succeeded' | 'failed'): number => byHour.reduce((total, hour) => total + hour[word], 0);
    return { runs24h: { ...counts, succeeded: sum('succeeded'), failed: sum('failed') }, byHour, stuckAttempts };
  });
  return {
    ...(await lookAtEngine(deps)),
    edition: settings.edition,
    embedded: settings.embedded,
    enabled: settings.engineEnabled,
    tenancyMode: settings.tenancyMode,
    baseUrl: settings.engineBaseUrl(),
    projectId: settings.engineProjectId(),
    session: deps.engine.session(),
    ...numbers,
  };
}

type EngineCheck = {
  health: 'ok' | 'degraded' | 'down' | 'disabled';
  message: string | null;
  responseMs: number | null;
  version: string | null;
};

/** Also used for readiness. */
export async function lookAtEngine(deps: Pick<Deps, 'engine' | 'settings'>): Promise<EngineCheck> {
  if (!deps.settings.engineEnabled)
    return {
      health: 'disabled',
      message: 'Off: AUTOMATION_ENGINE_ENABLED is not exactly "true".',
      responseMs: null,
      version: null,
    };
  const health = await deps.engine.health(Math.min(HEALTH_BUDGET_MS, deps.settings.healthTimeoutMs));
  if (health.state !== 'healthy') return { health: 'down', message: health.message, responseMs: health.responseMs, version: null };
  const { responseMs } = health;
  try {
    const { version, tested } = await deps.engine.version();
    if (!tested)
      return {
        health: 'degraded',
        message: `This release was not tested with engine ${version}: setups are refused.`,
        responseMs,
        version,
      };
    if ((responseMs ?? 0) > SLOW_MS) return { health: 'degraded', message: 'The engine responds slowly.', responseMs, version };
    return { health: 'ok', message: null, responseMs, version };
  } catch (error) {
    return { health: 'degraded', message: error instanceof Error ? error.message : String(error), responseMs, version: null };
  }
}
