import { explainEngineError, isEngineError } from '#adapters/engine-client.ts';
import type { ProvisioningDeps } from '../deps.ts';

type Deps = Pick<ProvisioningDeps, 'engine' | 'settings' | 'clock' | 'log'>;

export type EngineCheck = {
  health: 'ok' | 'degraded' | 'down' | 'disabled';
  message: string | null;
  responseMs: number | null;
  version: string | null;
};

/** `fresh`: checks again also what only calls with a session show. `login`: asks the engine now whether it still accepts our session. */
export type EngineLook = (options?: { fresh?: boolean; login?: boolean }) => Promise<EngineCheck>;

/** Results that only calls with a session give, and when they were read. */
type Finding = { health: 'ok' | 'degraded' | 'down'; message: string | null; at: number };

const HEALTH_BUDGET_MS = 3_000;
/** Readiness is asked for every few seconds: what costs the engine work is looked at less often. */
const GOOD_FOR_MS = 60_000;
const BAD_FOR_MS = 5_000;
const WORKER_BUDGET_MS = 15_000;
/** A healthy engine with a longer response time is shown as slow; the deeper look goes on behind an answer that cannot wait for it. */
type LookTimes = { slowMs: number; waitMs: number };
/** Said until the first deeper look has ended. */
const UNCHECKED: Finding = { health: 'degraded', message: 'The login to the engine is still being checked.', at: 0 };
const TIMES: LookTimes = { slowMs: 1_000, waitMs: 2_500 };

/** Health and version only. Never throws. */
export async function lookAtHealth({ engine, settings }: Pick<Deps, 'engine' | 'settings'>, { slowMs } = TIMES): Promise<EngineCheck> {
  if (!settings.engineEnabled) {
    const message = 'Off: AUTOMATION_ENGINE_ENABLED is not exactly "true".';
    return { health: 'disabled', message, responseMs: null, version: null };
  }
  const health = await engine.health(Math.min(HEALTH_BUDGET_MS, settings.healthTimeoutMs));
  if (health.state !== 'healthy') return { health: 'down', message: health.message, responseMs: health.responseMs, version: null };
  const { responseMs } = health;
  try {
    const { version, tested } = await engine.version();
    if (!tested) {
      const message = `This release was not tested with engine ${version}: setups are refused.`;
      return { health: 'degraded', message, responseMs, version };
    }
    if ((responseMs ?? 0) > slowMs) return { health: 'degraded', message: 'The engine responds slowly.', responseMs, version };
    return { health: 'ok', message: null, responseMs, version };
  } catch (error) {
    return { health: 'degraded', message: messageOf(error), responseMs, version: null };
  }
}

/**
 * Creates the look at the engine that readiness and the engine page share: its health now, and whether it takes our sign-in, has the project and
 * the pieces, and has a worker, at most a minute old. The engine reports itself healthy without any of these. Never throws.
 */
export function createEngineLook(deps: Deps, times: LookTimes = TIMES): EngineLook {
  let last: Finding | undefined;
  let looking: Promise<Finding> | undefined;
  const isFresh = ({ health, at }: Finding): boolean => deps.clock.now().getTime() - at < (health === 'ok' ? GOOD_FOR_MS : BAD_FOR_MS);
  const inTime = <T>(work: Promise<T>, otherwise: () => T): Promise<T> => {
    const late = Promise.withResolvers<T>();
    const timer = setTimeout(() => late.resolve(otherwise()), times.waitMs);
    return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
  };
  /** One call with the session. A login that is refused makes what was found before it worthless. */
  const askLogin = async (): Promise<void> => {
    const isAccepted = deps.engine.findProject().then(
      () => true,
      () => false,
    );
    if (!(await inTime(isAccepted, () => true))) last = undefined;
  };
  const find = async (): Promise<Finding> => {
    if (last && isFresh(last)) return last;
    looking ??= lookDeeper(deps)
      .then((found) => {
        if (found.health !== 'ok' && found.message !== last?.message)
          deps.log.warn({ reason: found.message }, 'the engine lacks something');
        last = { ...found, at: deps.clock.now().getTime() };
        return last;
      })
      .finally(() => (looking = undefined));
    return inTime(looking, () => last ?? UNCHECKED);
  };
  return async ({ fresh = false, login = false } = {}) => {
    if (fresh) last = undefined;
    const check = await lookAtHealth(deps, times);
    if (check.health === 'down' || check.health === 'disabled') {
      // Checks the engine again once it is back.
      last = undefined;
      return check;
    }
    if (login && last?.health === 'ok' && isFresh(last)) await askLogin();
    const { health, message } = await find();
    return health === 'ok' ? check : { ...check, health, message };
  };
}

async function lookDeeper({ engine, settings }: Deps): Promise<Omit<Finding, 'at'>> {
  try {
    const first = await engine.findProject();
    const own = settings.tenancyMode === 'shared' ? settings.engineProjectId() : null;
    if (settings.tenancyMode === 'shared') {
      if (own === null) return { health: 'degraded', message: 'AUTOMATION_ENGINE_PROJECT_ID is not set, which shared tenancy needs.' };
      if (!(await engine.hasProject(own))) {
        return { health: 'degraded', message: `The engine has no project "${own}" (AUTOMATION_ENGINE_PROJECT_ID).` };
      }
    }
    await engine.pieceVersions();
    const projectId = own ?? first;
    // The embedded engine has no workers apart from itself.
    if (!settings.embedded && projectId !== null) await engine.demandWorker(projectId, WORKER_BUDGET_MS);
    return { health: 'ok', message: null };
  } catch (error) {
    return { health: isEngineError(error, 'no_worker') ? 'down' : 'degraded', message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  if (isEngineError(error)) return explainEngineError(error);
  return error instanceof Error ? error.message : String(error);
}
