import { STEP_LISTS } from '@partner-portal/core/provisioning/provisioning.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import type { System } from '../harness/system.ts';
import type { Loss } from './kill-line.ts';

/** Where an attempt is when its process dies, and what the reaper is to find of it. */
export type Point = { label: string; order: number | null; isBegun: boolean };
export type StepPoint = Point & { order: number; status: 'running' | 'succeeded' };
export type CallPoint = Point & { nth: number; name: string; loss: Loss };

/** Just before the work of each step (its start is not yet written) and just after it (its end is not). */
export function stepPoints(mode: AttemptMode): StepPoint[] {
  return STEP_LISTS[mode].flatMap((name, index) => [
    { label: `${mode} before ${name}`, order: index + 1, status: 'running' as const, isBegun: false },
    { label: `${mode} after ${name}`, order: index + 1, status: 'succeeded' as const, isBegun: true },
  ]);
}

/** Each engine call of an attempt, lost on its way there and on its way back. One that only reads leaves the same behind either way. */
export function callPoints(mode: AttemptMode, names: readonly string[]): CallPoint[] {
  return names.flatMap((name, index) => {
    const losses = name.startsWith('GET ') ? (['unanswered'] as const) : (['unsent', 'unanswered'] as const);
    return losses.map((loss) => {
      const nth = index + 1;
      return { label: `${mode} at call ${nth}, ${name}, ${loss}`, nth, name, loss, order: null, isBegun: true };
    });
  });
}

/** The lock that steps are held by; nothing else uses it. */
export const LOCK = [7311, 1] as const;

/** A step whose row is in `held_step` waits where its start or its end is written, inside the transaction that writes it. */
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
