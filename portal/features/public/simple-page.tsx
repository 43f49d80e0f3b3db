import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import type { ReactNode } from 'react';
import { useAgencyIcon } from '../../shared/agency-icon.ts';
import { useAgencyBrand } from '../../shared/brand.ts';
import { ownHost } from '../../app/own-host.ts';
import { getSession, homeOf } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { AgencyMark, PortalMark } from '../../ui/identity/marks.tsx';

type Props = { title: string; children: ReactNode; foot?: ReactNode; words?: typeof ENGLISH };

/** Pages of agencies and staff are in English. */
const ENGLISH = { portal: 'Go to the portal', login: 'Log in', status: 'Service status' };

/** A public one-column page. Clients see the partner's branding, never the platform's. */
export function SimplePage({ title, children, foot, words = ENGLISH }: Props) {
  const session = getSession();
  const agency = session?.user.role === 'CLIENT' ? session.user.partner : ownHost;
  const owner = session?.user.role === 'ADMIN' ? undefined : (session?.user.partner ?? ownHost);
  useAgencyBrand(agency);
  useAgencyIcon(agency);
  useTitle(title, owner?.name);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-190 flex-col px-5 text-base">
      <header className="flex h-16 items-center gap-3 border-b border-line">
        <a href="/" className="flex min-h-11 items-center gap-3">
          {agency ? <AgencyMark name={agency.name} logoUrl={agency.logoUrl} logoAlt={agency.logoAlt} /> : <PortalMark />}
          <b>{agency?.name ?? PRODUCT_NAME}</b>
        </a>
        <a href={session ? homeOf(session.user.role) : '/login'} className="link ml-auto flex min-h-11 items-center">
          {session ? words.portal : words.login}
        </a>
      </header>
      <main className="w-full flex-1 py-10 md:py-14">{children}</main>
      {/* The host of an agency has no page of the platform's status. */}
      {foot || !ownHost ? (
        <footer className="border-t border-line py-5 text-sm text-ink-3">
          {foot ?? (
            <a href="/status" className="hover:underline">
              {words.status}
            </a>
          )}
        </footer>
      ) : null}
    </div>
  );
}
