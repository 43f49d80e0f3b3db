import { STEP_LISTS } from '@partner-portal/core/provisioning/provisioning.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import type { System } from '../harness/system.ts';
import { isFull } from '../harness/full.ts';
import type { Loss } from './engine-proxy.ts';

/** Where an attempt is when its process is killed. `of` is the step or engine call, equal in every mode and repetition. */
export type Point = { of: string; label: string; order: number | null; isStarted: boolean };
export type StepPoint = Point & { order: number; status: 'running' | 'succeeded' };
export type CallPoint = Point & { nth: number; name: string; loss: Loss };

/** Returns two points per step: before its start is written, and after its work but before its end is written. */
export function stepPoints(mode: AttemptMode): StepPoint[] {
  return STEP_LISTS[mode].flatMap((name, index) =>
    (
      [
        ['before', 'running'],
        ['after', 'succeeded'],
      ] as const
    ).map(([when, status]) => {
      return { of: name, label: `${mode} ${when} ${name}`, order: index + 1, status, isStarted: when === 'after' };
    }),
  );
}

/** Returns each engine call of an attempt, lost on its way there and on its way back. For a read both leave the same state. */
export function callPoints(mode: AttemptMode, names: readonly string[]): CallPoint[] {
  return names.flatMap((name, index) => {
    const losses = name.startsWith('GET ') ? (['unanswered'] as const) : (['unsent', 'unanswered'] as const);
    return losses.map((loss) => {
      const nth = index + 1;
      return { of: name, label: `${mode} at call ${nth}, ${name}, ${loss}`, nth, name, loss, order: null, isStarted: true };
    });
  });
}

const sampled = new Set<string>();

/**
 * Returns one point of each step or call that no earlier call of this process returned, its points taken in turn: before, after, before …
 * With TEST_FULL, all points.
 */
export function sampleNew<P extends Point>(points: readonly P[]): P[] {
  if (isFull) return [...points];
  const groups = Object.values(Object.groupBy(points, ({ of }) => of)).filter((group) => group !== undefined);
  const fresh = groups.filter(([first]) => first && !sampled.has(first.of));
  for (const [first] of fresh) if (first) sampled.add(first.of);
  return fresh.flatMap((group, index) => group.slice(index % Math.min(2, group.length)).slice(0, 1));
}

/** The advisory lock that holds steps; nothing else uses it. */
export const LOCK = [7311, 1] as const;

/** Makes a step with a row in `held_step` wait inside the transaction that writes its start or its end. */
export async function holdStepsOnDemand(system: System): Promise<void> {
  await system.query('create table held_step (partner_id uuid, "order" int, status text)');
  await system.query(`create function hold_step() returns trigger language plpgsql security definer as $$ begin
      if exists (select 1 from public.held_step h where h.partner_id = new.partner_id and h."order" = new."order" and h.status = new.status) then
        perform pg_advisory_xact_lock_shared(${LOCK.join(', ')});
      end if;
      return new;
    end $$`);
  await system.query(`create trigger hold_step before update on provisioning_step for each row
    when (new.status in ('running', 'succeeded') and new.status <> old.status) execute function hold_step()`);
}
