import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useUser } from '../../app/session.ts';
import { signOut } from '../../app/sign-out.ts';
import type { Suspension } from '../../app/suspension.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Section } from '../../ui/layout/layout.tsx';
import { ExportsPanel } from './exports-panel.tsx';
import { Quote } from './quote.tsx';
import { RequestReactivation } from './request-reactivation.tsx';
import { effectOf, explainSuspension, readerOf } from './suspension-words.ts';

type Props = {
  suspension: Suspension;
  /** Whether it took the place of a page that was open. */
  isSudden: boolean;
};

/** Replaces the pages of a suspended account: what happened and why, until when, and what can be done. */
export function SuspendedPage({ suspension, isSudden }: Props) {
  const user = useUser();
  const reader = readerOf(user.role, suspension);
  const account = user.client?.name ?? user.partner.name;
  const { title, lead } = explainSuspension(suspension, reader, { agency: user.partner.name, account });
  const size = user.role === 'CLIENT' ? 'lg' : 'md';
  useTitle('Suspended', user.partner.name);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The page that was open is gone, and the focus with it.
    if (isSudden) heading.current?.focus();
  }, [isSudden]);
  return (
    <div className="grid max-w-[680px] grid-cols-[minmax(0,1fr)] gap-8">
      <header>
        <h1 ref={heading} tabIndex={-1} className="text-2xl tracking-[-0.02em] text-balance outline-0">
          {title}
        </h1>
        <p className="mt-2 max-w-[65ch] text-base text-ink-2 text-pretty">{lead}</p>
        <p className="mt-2 max-w-[65ch] text-base text-ink-2 text-pretty">{effectOf(reader)}</p>
        {suspension.reason && reader !== 'client_of_agency' ? (
          <div className="mt-5 max-w-[65ch]">
            <h2 className="text-sm">Reason</h2>
            <Quote text={suspension.reason} />
          </div>
        ) : null}
      </header>
      <Ways suspension={suspension} reader={reader} size={size} account={account} />
      <OtherPages />
    </div>
  );
}

type WaysProps = { suspension: Suspension; reader: ReturnType<typeof readerOf>; size: 'md' | 'lg'; account: string };

function Ways({ suspension, reader, size, account }: WaysProps) {
  const { partner } = useUser();
  const isOwed = suspension.cause === 'billing' && reader === 'agency';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {isOwed ? (
        <Section title="Pay">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="max-w-[60ch] text-ink-2">Once what is due is paid, the account is active again by itself.</p>
            <Link to="/dashboard/billing/invoices" className={buttonClass('primary')}>
              See invoices
            </Link>
          </div>
        </Section>
      ) : null}
      {reader === 'client_of_agency' ? (
        <p className="mb-6 text-ink-2">Ask {partner.name} when your agents continue.</p>
      ) : suspension.cause === 'archived' ? (
        <p className="mb-6 text-ink-2">Ask {partner.name} to make it active again.</p>
      ) : (
        <RequestReactivation
          isPending={suspension.reactivationPending}
          decider={reader === 'client' ? partner.name : 'Our team'}
          size={size}
        />
      )}
      <ExportsPanel account={{ scope: reader === 'agency' ? 'partner' : 'client' }} name={account} size={size} />
    </div>
  );
}

/** What still answers while suspended. */
function OtherPages() {
  const isAgency = useUser().role === 'PARTNER';
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line pt-4 text-ink-3">
      Still open:
      {isAgency ? (
        <>
          <Link className="link" to="/dashboard/billing">
            Billing
          </Link>
          <Link className="link" to="/dashboard/settings/profile">
            Profile
          </Link>
          <Link className="link" to="/dashboard/settings/security">
            Security
          </Link>
        </>
      ) : (
        <Link className="link" to="/client/settings">
          Profile and security
        </Link>
      )}
      <button type="button" className="link" onClick={() => void signOut()}>
        Log out
      </button>
    </p>
  );
}
