import { useQuery } from '@tanstack/react-query';
import { type Plan, plansQuery } from '../../queries/plans.ts';
import { limitsOf, priceOf } from '../../shared/plan-labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { plural } from '../../ui/text/format.ts';
import '../../ui/feedback/skeleton.css';
import './landing-page.css';

const USUAL_COUNT = 4;

/** The plans, in a space that is theirs from the start: nothing below moves when they arrive, or do not. */
export function LandingPlans() {
  const plans = useQuery(plansQuery);
  return (
    <section aria-labelledby="plans" className="landing-plans">
      <h2 id="plans" className="mb-2 text-sm text-ink-3">
        Plans
      </h2>
      <div className="landing-plans-body" aria-busy={plans.isPending || undefined}>
        {plans.isPending ? (
          <Skeleton />
        ) : plans.data && plans.data.length > 0 ? (
          <ul>
            {plans.data.map((plan) => (
              <PlanItem key={plan.id} plan={plan} />
            ))}
          </ul>
        ) : (
          <Missing hasFailed={plans.isError} isBusy={plans.isFetching} onRetry={() => void plans.refetch()} />
        )}
      </div>
    </section>
  );
}

function PlanItem({ plan }: { plan: Plan }) {
  return (
    <li className="landing-plan">
      <h3 className="text-base">{plan.name}</h3>
      <p className="tabular-nums text-2xl font-figure tracking-[-0.022em]">
        {plan.isTrial ? 'Free' : priceOf(plan)}
        <span className="text-sm font-normal tracking-normal text-ink-3">{plan.isTrial ? lengthOf(plan) : ' a month'}</span>
      </p>
      <p className="tabular-nums mt-1 text-sm text-ink-2">{limitsOf(plan)}</p>
      <a
        href={plan.isTrial ? '/signup?trial=true' : `/signup?plan=${plan.id}`}
        className="link mt-1 inline-flex min-h-8 items-center text-sm"
        aria-label={plan.isTrial ? undefined : `Apply for ${plan.name}`}
      >
        {plan.isTrial ? 'Start a trial' : 'Apply'}
      </a>
    </li>
  );
}

function Missing({ hasFailed, isBusy, onRetry }: { hasFailed: boolean; isBusy: boolean; onRetry: () => void }) {
  if (!hasFailed) return <p className="max-w-[58ch] text-ink-2">Describe what you need in your application, and we suggest a plan.</p>;
  return (
    <div role="status">
      <p className="max-w-[58ch] text-ink-2">
        We could not load the plans. You can apply without choosing one; we confirm the plan with you.
      </p>
      <Button className="mt-3" busy={isBusy && 'Loading'} onClick={onRetry}>
        Load the plans again
      </Button>
    </div>
  );
}

function Skeleton() {
  return (
    <ul aria-hidden>
      {Array.from({ length: USUAL_COUNT }, (_, at) => (
        <li key={at} className="landing-plan">
          <span className="skeleton mt-1.5 block h-2.5 w-16" />
          <span className="skeleton mt-4 block h-5 w-28" />
          <span className="skeleton mt-4 block h-2.5 w-[80%]" />
        </li>
      ))}
    </ul>
  );
}

function lengthOf({ trialDays }: Plan): string {
  return trialDays === null ? ' trial' : ` for ${plural(trialDays, 'day')}`;
}
