import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { plansQuery } from '../../queries/plans.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { buttonClass } from '../../ui/controls/plain-button.tsx';
import { PortalMark } from '../../ui/identity/marks.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { ThemeChoice } from '../../ui/layout/theme-choice.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { useSessionState } from './use-session-state.ts';
import { NextSteps } from './next-steps.tsx';
import { type Choice, PlanChoice } from './plan-choice.tsx';
import './signup-page.css';
import { SignupForm } from './signup-form.tsx';

type Sent = { email: string } | null;

/**
 * Application for a workspace. The account is created once staff approve it. The build renders it as it is before any data, and the browser hydrates it without the router: its links
 * open documents.
 */
export function SignupPage({ choice, onChoice }: { choice: Choice; onChoice: (choice: Choice) => void }) {
  const [sent, setSent] = useSessionState<Sent>('portal.application-sent', null);
  const plans = useQuery(plansQuery);
  // The address may ask for a trial that is offered no more.
  const offered = plans.data?.some(({ isTrial }) => isTrial) === false ? { ...choice, trial: undefined } : choice;
  useTitle(sent ? 'Application sent' : 'Apply');
  return (
    <div className="grid min-h-dvh text-base split:grid-cols-[minmax(0,60fr)_minmax(0,40fr)]">
      <div className="flex flex-col px-5 py-5 split:bg-surface split:px-21 split:py-10">
        <header className="flex min-h-11 items-center gap-3">
          <a href="/" className="flex min-h-11 items-center gap-3">
            <PortalMark />
            <b>{PRODUCT_NAME}</b>
          </a>
          <span className="ml-auto" />
          <ThemeChoice />
          <a href="/login" className="link flex min-h-11 items-center">
            Log in
          </a>
        </header>
        <main className="my-8 w-full max-w-160">
          {sent ? (
            <SentPage email={sent.email} onAgain={() => setSent(null)} />
          ) : (
            <>
              <h1 className="text-3xl tracking-figure">Apply for a workspace</h1>
              <p className="mt-1 mb-7 text-ink-2">We review every application, usually within one working day.</p>
              <SignupForm choice={offered} planChoice={<Plans choice={offered} onChoice={onChoice} />} onSent={setSent} />
            </>
          )}
        </main>
        <footer className="mt-auto hidden text-sm text-ink-3 split:block">
          <nav aria-label="More" className="flex gap-5">
            <a href="/terms" className="hover:underline">
              Terms
            </a>
            <a href="/privacy" className="hover:underline">
              Privacy
            </a>
            <a href="/status" className="hover:underline">
              Service status
            </a>
          </nav>
        </footer>
      </div>
      {sent ? null : (
        <aside aria-labelledby="next-head" className="border-line px-5 pb-10 split:border-l split:px-16 split:pt-34">
          <div className="split:sticky split:top-16">
            <h2 id="next-head" className="mb-3 text-lg">
              What happens next
            </h2>
            <NextSteps isSent={false} />
          </div>
        </aside>
      )}
    </div>
  );
}

function Plans({ choice, onChoice }: { choice: Choice; onChoice: (choice: Choice) => void }) {
  const plans = useQuery(plansQuery);
  if (plans.error) return <ErrorBlock error={plans.error} onRetry={() => void plans.refetch()} />;
  if (!plans.data) return <SkeletonBlock className="signup-plans" />;
  return <PlanChoice plans={plans.data} choice={choice} onChange={onChoice} />;
}

/** Confirmation, identical for known and unknown e-mail addresses. */
function SentPage({ email, onAgain }: { email: string; onAgain: () => void }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <>
      <h1 ref={head} tabIndex={-1} className="text-3xl tracking-figure outline-0">
        We received your application
      </h1>
      <p className="mt-1 mb-7 max-w-[56ch] text-ink-2">
        We review every application, usually within one working day. Our answer goes to <b className="text-ink">{email}</b>.
      </p>
      <h2 className="mb-3 text-lg">What happens next</h2>
      <NextSteps isSent />
      <div className="mt-7 flex flex-wrap items-center gap-4">
        <a href="/" className={buttonClass('default', 'lg')}>
          Back to home
        </a>
        <button type="button" className="link min-h-11" onClick={onAgain}>
          Send another application
        </button>
      </div>
    </>
  );
}
