import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { signOut } from '../../app/sign-out.ts';
import type { Suspension } from '../../app/suspension.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { AgencyLinks, BillingWays } from './agency-ways.tsx';
import { ExportsPanel } from './exports-panel.tsx';
import { Quote } from './quote.tsx';
import { RequestReactivation } from './request-reactivation.tsx';
import { explainSuspension, readerOf } from './suspension-words.ts';

type Props = {
  suspension: Suspension;
  /** Whether it took the place of a page that was open. */
  isSudden: boolean;
};

/** Replaces the pages of a suspended account: what happened and why, until when, and what can be done. */
export function SuspendedPage({ suspension, isSudden }: Props) {
  const { t } = useMessages();
  const user = useUser();
  const reader = readerOf(user.role, suspension);
  const account = user.client?.name ?? user.partner.name;
  const { title, lead, effect } = explainSuspension(t, suspension, reader, { agency: user.partner.name, account });
  const size = user.role === 'CLIENT' ? 'lg' : 'md';
  useTitle(t('lifecycle.suspended'), user.partner.name);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The page that was open is gone, and the focus with it.
    if (isSudden) heading.current?.focus();
  }, [isSudden]);
  return (
    <div className="grid max-w-170 grid-cols-1 gap-8">
      <header>
        <h1 ref={heading} tabIndex={-1} className="text-2xl tracking-figure text-balance outline-0">
          {title}
        </h1>
        <p className="mt-2 max-w-prose text-base text-ink-2 text-pretty">{lead}</p>
        <p className="mt-2 max-w-prose text-base text-ink-2 text-pretty">{effect}</p>
        {suspension.reason && reader !== 'client_of_agency' ? (
          <div className="mt-5 max-w-prose">
            <h2 className="text-sm">{t('lifecycle.reason')}</h2>
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
  const { t } = useMessages();
  const { partner } = useUser();
  return (
    <div className="grid grid-cols-1 gap-2">
      {suspension.cause === 'billing' && reader === 'agency' ? <BillingWays /> : null}
      {reader === 'client_of_agency' ? (
        <p className="mb-6 text-ink-2">{t('lifecycle.ask-when', { agency: partner.name })}</p>
      ) : suspension.cause === 'archived' ? (
        <p className="mb-6 text-ink-2">{t('lifecycle.ask-archived', { agency: partner.name })}</p>
      ) : (
        <RequestReactivation
          isPending={suspension.reactivationPending}
          decider={reader === 'client' ? partner.name : t('lifecycle.our-team')}
          size={size}
        />
      )}
      <ExportsPanel account={{ scope: reader === 'agency' ? 'partner' : 'client' }} name={account} size={size} />
    </div>
  );
}

/** What still answers while suspended. */
function OtherPages() {
  const { t } = useMessages();
  const isAgency = useUser().role === 'PARTNER';
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line pt-4 text-ink-3">
      {t('lifecycle.still-open')}
      {isAgency ? (
        <AgencyLinks />
      ) : (
        <Link className="link" to="/client/settings">
          {t('lifecycle.profile-security')}
        </Link>
      )}
      <button type="button" className="link" onClick={() => void signOut()}>
        {t('lifecycle.log-out')}
      </button>
    </p>
  );
}
