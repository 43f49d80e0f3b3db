import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { useLoginMessages } from '../../app/messages.ts';
import { type ReactNode, useEffect } from 'react';
import { ownHost } from '../../app/own-host.ts';
import { useAgencyIcon } from '../../shared/agency-icon.ts';
import { AgencyMark, PortalMark } from '../../ui/identity/marks.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';

/** Sample activity. Decorative: hidden from screen readers. */
const LEDGER = [
  'login.ledger1',
  'login.ledger2',
  'login.ledger3',
  'login.ledger4',
  'login.ledger5',
  'login.ledger6',
  'login.ledger7',
  'login.ledger8',
] as const;

/** Layout of the forms that need no session: form at the left, sample activity at the right. */
export function PublicPage({
  agency = ownHost,
  foot,
  children,
}: {
  agency?: { name: string; logoUrl: string | null; logoAlt?: string | null; brandColor?: string | null } | undefined;
  foot?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useLoginMessages();
  useAgencyIcon(agency);
  useClientFace(ownHost !== undefined);
  return (
    <div className="grid min-h-dvh text-base split:grid-cols-[minmax(0,44fr)_minmax(0,56fr)]">
      <div className="flex flex-col px-5 py-5 split:bg-surface split:px-21 split:py-10">
        <header className="flex h-9 items-center gap-3">
          {agency ? <AgencyMark name={agency.name} logoUrl={agency.logoUrl} logoAlt={agency.logoAlt} /> : <PortalMark />}
          <b>{agency?.name ?? PRODUCT_NAME}</b>
        </header>
        <main className="my-6 w-full max-w-105 split:my-auto split:py-8">{children}</main>
        <footer className="mt-auto text-sm text-ink-3">{foot}</footer>
      </div>
      <aside aria-hidden className="hidden items-center overflow-hidden border-l border-line px-16 split:flex">
        <ol className="w-full max-w-130 [mask-image:linear-gradient(to_bottom,black_10%,transparent)]">
          {LEDGER.map((line, at) => (
            <li key={line} className="flex h-13 items-center gap-3.5 border-b border-line whitespace-nowrap">
              <Mark kind={at === 0 ? 'run' : 'ok'} />
              {t(line)}
            </li>
          ))}
        </ol>
      </aside>
    </div>
  );
}

/** On the host of an agency the page wears its colours, which the service wrote into the page. */
function useClientFace(isOn: boolean): void {
  useEffect(() => {
    if (isOn) document.body.dataset['interface'] = 'client';
  }, [isOn]);
}
