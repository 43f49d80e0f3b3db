import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { followChanges } from '#platform/http/follow-changes.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import { refuse } from '#platform/refuse.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { attemptOf, publicViewOf, readInstance, stepAnswer } from './read-automation.ts';
import { findInstance, listAttempts, listSteps } from './store-views.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import { provisioningChanged } from './topic.ts';

type Deps = Pick<ProvisioningDeps, 'db' | 'catalog' | 'settings' | 'notices' | 'log'>;

/**
 * Position of a stream: attempt number and the number of step changes sent. Steps run one after another, so start and end of step n are
 * changes 2n-1 and 2n, and the end of the attempt follows. Written as `14.7` it is the event id.
 */
type Mark = { attempt: number; change: number };

const START: Mark = { attempt: 0, change: 0 };

/** Another attempt is sent even with a lower number: of concurrent first setups the newest is shown until one has claimed the instance. */
function isNews(mark: Mark, seen: Mark): boolean {
  return mark.attempt !== seen.attempt || mark.change > seen.change;
}

function parseMark(id: string | null): Mark {
  const found = /^(\d{1,9})\.(\d{1,9})$/.exec(id ?? '');
  return found ? { attempt: Number(found[1]), change: Number(found[2]) } : START;
}

type Change = { mark: Mark; event: string; data: unknown };
type Progress = { order: number; startedAt: Date | null; finishedAt: Date | null };

function changeOf(step: Progress): number {
  return step.finishedAt ? step.order * 2 : step.startedAt ? step.order * 2 - 1 : 0;
}

/** For staff: `step` for each change of a step, `attempt` with the instance when an attempt ends. */
export async function streamAutomation(deps: Deps, actor: Actor, partnerId: string): Promise<EventsAnswer> {
  await readInstance(deps, actor, partnerId);
  const read = (): Promise<Change[]> =>
    deps.db.asStaff(actor, async (tx) => {
      const instance = await findInstance(tx, partnerId);
      const [attempt] = await listAttempts(tx, partnerId, 1, instance?.currentAttemptId);
      if (!attempt) return [];
      const steps = await listSteps(tx, attempt.id);
      const changes: Change[] = steps.flatMap((step) => {
        const change = changeOf(step);
        return change === 0 ? [] : [{ mark: { attempt: attempt.number, change }, event: 'step', data: stepAnswer(step) }];
      });
      if (attempt.status !== 'running') {
        // Read after the attempt, which may have ended since.
        const ended = await findInstance(tx, partnerId);
        const { status, lastError = null, errorPublic = null, provisionedAt = null } = ended ?? { status: 'unprovisioned' };
        changes.push({
          mark: { attempt: attempt.number, change: steps.length * 2 + 1 },
          event: 'attempt',
          data: { attempt, instance: { status, lastError, errorPublic, provisionedAt } },
        });
      }
      return changes;
    });
  return follow(deps, partnerId, read);
}

/** For a partner: `stages` with all four at each change; no internal texts. */
export async function streamMyAutomation(deps: Deps, actor: Actor, givenPartnerId: string | undefined): Promise<EventsAnswer> {
  const partnerId = actor.role === 'ADMIN' ? (givenPartnerId ?? actor.partnerId) : actor.partnerId;
  const read = (): Promise<Change[]> =>
    inScope(deps.db, actor, partnerId, async (tx) => {
      if (actor.role === 'ADMIN' && !(await findPartnerRef(tx, partnerId))) return refuse('not_found');
      const { state, steps, stages } = await publicViewOf(tx, partnerId);
      if (state.attemptNumber === null) return [];
      const ended = state.finishedAt !== null;
      const change = ended ? steps.length * 2 + 1 : Math.max(0, ...steps.map(changeOf));
      const data = {
        status: state.status,
        stages,
        errorPublic: state.errorPublic,
        provisionedAt: state.provisionedAt,
        attempt: attemptOf(state),
      };
      return [{ mark: { attempt: state.attemptNumber, change }, event: 'stages', data }];
    });
  await read();
  return follow(deps, partnerId, read);
}

/** Sends what the reader has not seen, initially and after each notice. */
function follow({ notices, log }: Deps, partnerId: string, read: () => Promise<Change[]>): EventsAnswer {
  const open = async (send: (event: ServerEvent) => void, lastEventId: string | null): Promise<() => void> => {
    let seen = parseMark(lastEventId);
    const stream = followChanges({
      log,
      what: 'a setup',
      subscribe: (changed) =>
        notices.subscribe(
          provisioningChanged,
          (change) => {
            if (change.partnerId === partnerId) changed();
          },
          changed,
        ),
      read: async () => {
        for (const { mark, event, data } of await read()) {
          if (!isNews(mark, seen)) continue;
          seen = mark;
          send({ id: `${mark.attempt}.${mark.change}`, event, data });
        }
      },
    });
    await stream.read();
    return stream.stop;
  };
  return { kind: 'events', source: { open } };
}
