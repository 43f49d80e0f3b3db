import { limitsOf, priceOf } from '../../shared/plan-labels.ts';
import type { Plan } from '../../queries/plans.ts';
import { plural } from '../../ui/text/format.ts';
import { RadioCard } from '../../ui/forms/radio-card.tsx';
import { PlainSwitch } from '../../ui/controls/plain-switch.tsx';

/** The selected plan, or a trial. Kept in the URL. */
export type Choice = { plan?: string | undefined; trial?: boolean | undefined };

type Props = { plans: readonly Plan[]; choice: Choice; onChange: (choice: Choice) => void };

/** Selects a trial, if a plan for one is offered, a plan, or a suggestion by staff. */
export function PlanChoice({ plans, choice, onChange }: Props) {
  const trial = plans.find((plan) => plan.isTrial);
  const paid = plans.filter((plan) => !plan.isTrial);
  const chosen = paid.some((plan) => plan.id === choice.plan) ? choice.plan : undefined;
  return (
    <section aria-labelledby="plan-head" className="grid gap-3">
      <h2 id="plan-head" className="text-lg">
        Plan
      </h2>
      {trial ? (
        <div className="flex items-start gap-3 border-y border-line py-3">
          <span className="flex-1">
            <span className="block font-medium" aria-hidden>
              Start with a trial
            </span>
            <span className="block text-sm text-ink-2">{termsOfTrial(trial)}</span>
          </span>
          <span className="pt-1">
            <PlainSwitch
              label="Start with a trial"
              checked={choice.trial === true}
              onChange={(on) => onChange(on ? { trial: true } : {})}
            />
          </span>
        </div>
      ) : null}
      {choice.trial === true ? null : (
        <fieldset className="grid gap-2">
          <legend className="sr-only">Plan</legend>
          {paid.map((plan) => (
            <RadioCard name="plan" key={plan.id} isChosen={chosen === plan.id} onPick={() => onChange({ plan: plan.id })}>
              <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-medium">{plan.name}</span>
                <span className="tabular-nums">
                  <b>{priceOf(plan)}</b> <span className="text-sm text-ink-3">a month</span>
                </span>
              </span>
              <span className="tabular-nums block text-sm text-ink-2">{limitsOf(plan)}</span>
            </RadioCard>
          ))}
          <RadioCard name="plan" isChosen={chosen === undefined} onPick={() => onChange({})}>
            <span className="block font-medium">Suggest a plan for me</span>
            <span className="block text-sm text-ink-2">We pick one based on your number of clients.</span>
          </RadioCard>
        </fieldset>
      )}
    </section>
  );
}

function termsOfTrial(plan: Plan): string {
  const days = plan.trialDays === null ? '' : `${plural(plan.trialDays, 'day')}, `;
  return `${days}${limitsOf(plan)}. Free; choose a plan when it ends. We review trials like every application.`;
}
