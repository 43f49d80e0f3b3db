import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plural } from '../../ui/text/format.ts';
import { limitsOf, priceOf } from '../../shared/plan-labels.ts';
import { type Plan, plansQuery } from '../../queries/plans.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { PortalMark } from '../../ui/identity/marks.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { ThemeMenu } from '../../ui/layout/shell.tsx';

/** One event from missed call to charged credit. */
const STORY = [
  ['09:14:02', 'A call to the dentist goes unanswered'],
  ['09:14:03', 'The agent checks quiet hours and repeat calls'],
  ['09:14:04', 'The caller gets a text with the booking link'],
  ['09:14:05', 'The dentist reads: Texted +1 312 ··· 0121 after a missed call'],
  ['09:14:05', 'The agency is charged one credit'],
] as const;

/** The public landing page. */
export function LandingPage() {
  useTitle(undefined);
  const plans = useQuery(plansQuery);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-[1120px] flex-col px-5 text-base">
      <header className="flex h-16 items-center gap-3">
        <PortalMark />
        <b>Portal</b>
        <span className="ml-auto" />
        <ThemeMenu />
        <Link to="/login" className={buttonClass('default', 'lg')}>
          Log in
        </Link>
      </header>
      <main className="grid flex-1 content-center gap-x-20 gap-y-12 py-10 min-[901px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div>
          <h1 className="max-w-[15ch] text-[38px] leading-[1.1] font-semibold tracking-[-0.025em] text-balance md:text-[48px]">
            Agents for your clients, under your name
          </h1>
          <p className="mt-5 max-w-[48ch] text-lg text-ink-2 text-pretty">
            Run automated agents for the businesses you work for: answer missed calls by text, confirm visits, request reviews. Each client
            sees the results in your branding.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <Link to="/signup" className={buttonClass('primary', 'lg')}>
              Apply
            </Link>
            <Link to="/signup" search={{ trial: true }} className={buttonClass('default', 'lg')}>
              Start a trial
            </Link>
          </div>
          <p className="mt-3 max-w-[48ch] text-sm text-balance text-ink-3">We confirm plans by hand, usually within one working day.</p>
        </div>
        <ol className="self-center border-t border-line" aria-label="What happens after a missed call">
          {STORY.map(([at, line], index) => (
            <li key={line} className="flex items-start gap-3.5 border-b border-line py-3.5">
              <Mark kind={index === STORY.length - 1 ? 'live' : 'ok'} className="mt-1" />
              <span className="flex-1 text-pretty">{line}</span>
              <span className="tabular-nums text-sm text-ink-3">{at}</span>
            </li>
          ))}
        </ol>
        {plans.data && plans.data.length > 0 ? <Plans plans={plans.data} /> : null}
      </main>
      <footer className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line py-5 text-sm text-ink-3">
        <a href="/status" className="hover:underline">
          Service status
        </a>
        <a href="/api/docs" className="hover:underline">
          API reference
        </a>
      </footer>
    </div>
  );
}

function Plans({ plans }: { plans: readonly Plan[] }) {
  return (
    <section aria-labelledby="plans" className="min-[901px]:col-span-2">
      <h2 id="plans" className="mb-3 text-lg">
        Plans
      </h2>
      <ul className="grid border-y border-line md:auto-cols-fr md:grid-flow-col">
        {plans.map((plan) => (
          <li
            key={plan.id}
            className="border-line py-4 not-first:border-t md:px-6 md:first:pl-0 md:not-first:border-t-0 md:not-first:border-l"
          >
            <h3 className="text-base">{plan.name}</h3>
            <p className="tabular-nums text-2xl font-figure tracking-[-0.022em]">
              {plan.isTrial ? 'Free' : priceOf(plan)}
              <span className="text-sm font-normal tracking-normal text-ink-3">{plan.isTrial ? lengthOf(plan) : ' a month'}</span>
            </p>
            <p className="tabular-nums mt-1 text-sm text-ink-2">{limitsOf(plan)}</p>
            <Link
              to="/signup"
              search={plan.isTrial ? { trial: true } : { plan: plan.id }}
              className="link mt-2 inline-flex min-h-8 items-center text-sm"
              aria-label={`Apply for ${plan.name}`}
            >
              Apply
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function lengthOf({ trialDays }: Plan): string {
  return trialDays === null ? ' trial' : ` for ${plural(trialDays, 'day')}`;
}
