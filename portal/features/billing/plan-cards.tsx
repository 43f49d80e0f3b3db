import type { ReactNode } from 'react';
import type { Billing } from '../../queries/billing.ts';
import type { Plan } from '../../queries/plans.ts';
import { amountOf, billingDay } from '../../shared/billing-labels.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { RadioCard } from '../../ui/forms/radio-card.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { CUSTOM } from './plan-request.tsx';

type Props = { billing: Billing; plans: readonly Plan[]; choice: string | undefined; onChange: (choice: string) => void };

/** The plans side by side, each compared with the terms in force. The plan of the next period is shown but not chosen. */
export function PlanCards({ billing, plans, choice, onChange }: Props) {
  const { planId, planName, terms, pendingPlan, status } = billing.subscription;
  const next = pendingPlan && pendingPlan.planId !== planId ? pendingPlan : null;
  const hasEnded = status === 'expired' || status === 'cancelled';
  // Asking for the present plan takes back the one that is scheduled, or begins to pay for it.
  const canStay = (next !== null || hasEnded || status === 'trialing') && plans.some(({ id }) => id === planId);
  const present = (
    <>
      <Head
        name={planName}
        price={terms.monthlyPriceMinor}
        currency={terms.currency}
        badge={<Badge>{hasEnded ? 'Your last plan' : 'Your plan'}</Badge>}
      />
      <Limits given={terms} />
    </>
  );
  // The currency is open as long as nothing was charged (BILL-1).
  const isPriced = ({ currency }: Plan): boolean => currency === terms.currency || status === 'trialing';
  const others = plans.filter((plan) => plan.id !== planId && plan.id !== next?.planId && isPriced(plan));
  return (
    <fieldset className="grid items-stretch gap-4 md:grid-cols-2 2xl:grid-cols-4">
      <legend className="sr-only">Plan</legend>
      {canStay ? (
        <RadioCard name="plan" isChosen={choice === planId} onPick={() => onChange(planId)}>
          {present}
        </RadioCard>
      ) : (
        <Shown>{present}</Shown>
      )}
      {next ? (
        <Shown>
          <Head
            name={next.planName}
            price={next.terms.monthlyPriceMinor}
            currency={next.terms.currency}
            badge={<Badge>{`From ${billingDay(next.at)}${next.exceeds.length > 0 ? ', if it fits' : ''}`}</Badge>}
          />
          <Limits given={next.terms} than={terms} />
        </Shown>
      ) : null}
      {others.map((plan) => (
        <RadioCard key={plan.id} name="plan" isChosen={choice === plan.id} onPick={() => onChange(plan.id)}>
          <Head name={plan.name} price={plan.monthlyPriceMinor} currency={plan.currency} />
          <Limits given={plan} than={terms} />
        </RadioCard>
      ))}
      <RadioCard name="plan" isChosen={choice === CUSTOM} onPick={() => onChange(CUSTOM)}>
        <span className="block font-medium">Custom terms</span>
        <span className="block text-ink-2">Describe what you need, and we send you a price.</span>
      </RadioCard>
    </fieldset>
  );
}

function Shown({ children }: { children: ReactNode }) {
  return <div className="rounded-lg border border-line bg-sunken p-3.5">{children}</div>;
}

function Head({ name, price, currency, badge }: { name: string; price: number; currency: string; badge?: ReactNode }) {
  return (
    <span className="tabular-nums mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="flex items-center gap-2 font-semibold">
        {name}
        {badge}
      </span>
      <span>
        <b>{amountOf(price, currency)}</b> <span className="text-ink-3">a month</span>
      </span>
    </span>
  );
}

type Given = Pick<Plan, 'includedSeats' | 'includedClients' | 'monthlyCredits' | 'seatPriceMinor' | 'features' | 'currency'>;

function Limits({ given, than }: { given: Given; than?: Given }) {
  const counts = [
    ['Clients', given.includedClients, than?.includedClients],
    ['Seats included', given.includedSeats, than?.includedSeats],
    ['Credits a month', given.monthlyCredits, than?.monthlyCredits],
  ] as const;
  return (
    <>
      {counts.map(([name, count, before]) => (
        <span key={name} className="tabular-nums flex justify-between gap-3 leading-6">
          <span className="text-ink-3">{name}</span>
          <span>
            {before === undefined || before === count ? null : (
              <span className="mr-1 text-xs text-ink-3">
                {count > before ? `+${formatNumber(count - before)}` : `−${formatNumber(before - count)}`}
              </span>
            )}{' '}
            {formatNumber(count)}
          </span>
        </span>
      ))}
      <span className="tabular-nums flex justify-between gap-3 leading-6">
        <span className="text-ink-3">Each further seat</span>
        <span>{amountOf(given.seatPriceMinor, given.currency)}</span>
      </span>
      <span className="mt-2 block border-t border-line-soft pt-2">
        {FEATURE_NAMES.map((name) => (
          <span key={name} className="flex items-center gap-2 leading-6">
            <Mark kind={given.features[name] ? 'ok' : 'none'} size={12} label={given.features[name] ? 'Included:' : 'Not included:'} />
            <span className={given.features[name] ? undefined : 'text-ink-3'}>{PLAN_FEATURES[name]}</span>
          </span>
        ))}
      </span>
    </>
  );
}
