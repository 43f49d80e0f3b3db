import type { ReactNode } from 'react';
import { limitsOf, priceOf } from '../../shared/plan-labels.ts';
import type { Plan } from '../../queries/plans.ts';
import { plural } from '../../ui/text/format.ts';
import { Switch } from '../../ui/controls/switch.tsx';

/** The selected plan, or a trial. Kept in the URL. */
export type Choice = { plan?: string | undefined; trial?: boolean | undefined };

type Props = { plans: readonly Plan[]; choice: Choice; onChange: (choice: Choice) => void };

/** Selects a trial, a plan, or a suggestion by staff. */
export function PlanChoice({ plans, choice, onChange }: Props) {
  const trial = plans.find((plan) => plan.isTrial);
  const paid = plans.filter((plan) => !plan.isTrial);
  const chosen = paid.some((plan) => plan.id === choice.plan) ? choice.plan : undefined;
  return (
    <section aria-labelledby="plan-head" className="grid gap-3">
      <h2 id="plan-head" className="text-lg">
        Plan
      </h2>
      <div className="flex items-start gap-3 border-y border-line py-3">
        <span className="flex-1">
          <span className="block font-medium" aria-hidden>
            Start with a trial
          </span>
          <span className="block text-sm text-ink-2">{trial ? termsOfTrial(trial) : 'Free. Choose a plan when it ends.'}</span>
        </span>
        <span className="pt-1">
          <Switch label="Start with a trial" checked={choice.trial === true} onChange={(on) => onChange(on ? { trial: true } : {})} />
        </span>
      </div>
      {choice.trial === true ? null : (
        <fieldset className="grid gap-2">
          <legend className="sr-only">Plan</legend>
          {paid.map((plan) => (
            <Card key={plan.id} isChosen={chosen === plan.id} onPick={() => onChange({ plan: plan.id })}>
              <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-medium">{plan.name}</span>
                <span className="tabular-nums">
                  <b>{priceOf(plan)}</b> <span className="text-sm text-ink-3">a month</span>
                </span>
              </span>
              <span className="tabular-nums block text-sm text-ink-2">{limitsOf(plan)}</span>
            </Card>
          ))}
          <Card isChosen={chosen === undefined} onPick={() => onChange({})}>
            <span className="block font-medium">Suggest a plan for me</span>
            <span className="block text-sm text-ink-2">We pick one based on your number of clients.</span>
          </Card>
        </fieldset>
      )}
    </section>
  );
}

function Card({ isChosen, onPick, children }: { isChosen: boolean; onPick: () => void; children: ReactNode }) {
  return (
    <label className="flex cursor-pointer gap-3 rounded-lg border border-line p-3.5 hover:bg-hover has-checked:border-accent-mark has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-mark">
      <input
        type="radio"
        name="plan"
        checked={isChosen}
        onChange={onPick}
        className="mt-1.5 size-4 flex-none accent-accent-mark outline-0"
      />
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  );
}

function termsOfTrial(plan: Plan): string {
  const days = plan.trialDays === null ? '' : `${plural(plan.trialDays, 'day')}, `;
  return `${days}${limitsOf(plan)}. Free; choose a plan when it ends.`;
}
