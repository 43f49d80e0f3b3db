import { explainOtherTenancy } from '@partner-portal/core/provisioning/tenancy.ts';
import { readRefusals } from '#modules/3-product/executions/index.ts';
import type { Actor } from '#platform/actor.ts';
import { readWorkerState } from '#platform/jobs/heartbeat.ts';
import type { ProvisioningDeps } from '../deps.ts';
import type { EngineLook } from './look-at-engine.ts';
import { countOtherTenancy, countRuns, countStuck, listHours } from './store-views.ts';

type Deps = Pick<ProvisioningDeps, 'db' | 'engine' | 'settings' | 'clock'>;

const DAY_MS = 86_400_000;

/** What a start says when agencies were set up in another tenancy mode; null when there are none. */
export async function readTenancyMessage({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<string | null> {
  const agencies = await db.asSystem('provisioning', (tx) => countOtherTenancy(tx, settings.tenancyMode));
  return explainOtherTenancy(settings.tenancyMode, agencies);
}

/** The engine page of staff. An unavailable engine is shown, never an error. */
export async function readEngine(deps: Deps, actor: Actor, look: EngineLook, options: Parameters<EngineLook>[0] = { login: true }) {
  const { settings } = deps;
  const now = deps.clock.now();
  const numbers = await deps.db.asStaff(actor, async (tx) => {
    const [counts, byHour, stuckAttempts, byReason, otherTenancy] = await Promise.all([
      countRuns(tx, new Date(now.getTime() - DAY_MS)),
      listHours(tx, now),
      countStuck(tx, settings.provisionTimeoutMinutes),
      readRefusals(tx, now),
      countOtherTenancy(tx, settings.tenancyMode),
    ]);
    const sum = (word: 'succeeded' | 'failed'): number => byHour.reduce((total, hour) => total + hour[word], 0);
    return {
      runs24h: { ...counts, succeeded: sum('succeeded'), failed: sum('failed') },
      byHour,
      stuckAttempts,
      tenancyMessage: explainOtherTenancy(settings.tenancyMode, otherTenancy),
      callbackFailures: { total: byReason.reduce((total, { reports }) => total + reports, 0), byReason },
    };
  });
  return {
    ...(await look(options)),
    workers: await readWorkerState(deps.db),
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
