import { STEP_LISTS, type StepName } from '@partner-portal/core/provisioning/provisioning.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import type { System } from '../harness/system.ts';
import { isFull } from '../harness/full.ts';
import type { Loss } from './engine-proxy.ts';

/**
 * Where an attempt is when its process is killed: in the transaction that writes the start or the end of a step, or in an engine call that is lost on
 * its way there or back. `of` is what the step or call does, equal in every mode and repetition.
 */
export type Point = { mode: AttemptMode; of: string; label: string } & (
  | { at: 'step'; order: number; status: 'running' | 'succeeded' }
  | { at: 'call'; nth: number; name: string; loss: Loss }
);

/** Steps that only read, and leave the same state wherever they end. */
const READING: Partial<Record<StepName, string>> = {
  feature_gate: 'reads before the claim',
  partner_lookup: 'reads before the claim',
  resolve_endpoint: 'reads',
  verify_connectivity: 'reads',
  resolve_credentials: 'reads',
  verify_flows: 'reads',
};

/** Returns two points per step: before its start is written, and after its work but before its end is written. */
export function stepPoints(mode: AttemptMode): Point[] {
  return STEP_LISTS[mode].flatMap((name, index) => {
    const point = { mode, of: READING[name] ?? name, at: 'step', order: index + 1 } as const;
    return [
      { ...point, label: `${mode} before ${name}`, status: 'running' } as const,
      { ...point, label: `${mode} after ${name}`, status: 'succeeded' } as const,
    ];
  });
}

/** Returns each engine call of an attempt, lost on its way there and on its way back. For a read both leave the same state. */
export function callPoints(mode: AttemptMode, names: readonly string[]): Point[] {
  return names.flatMap((name, index) => {
    const isRead = name.startsWith('GET ');
    const nth = index + 1;
    const losses = isRead ? (['unanswered'] as const) : (['unsent', 'unanswered'] as const);
    return losses.map((loss) => {
      return {
        mode,
        of: isRead ? 'a read' : name,
        label: `${mode} at call ${nth}, ${name}, ${loss}`,
        at: 'call',
        nth,
        name,
        loss,
      } as const;
    });
  });
}

/** Returns one point of each kind, before and after in turn; with TEST_FULL all points. */
export function sample(points: readonly Point[]): Point[] {
  if (isFull) return [...points];
  return [...Map.groupBy(points, ({ of }) => of).values()].flatMap((group, index) =>
    group.slice(index % Math.min(2, group.length)).slice(0, 1),
  );
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
