import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { useUser } from '../../app/session.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { PageHeader, Tabs } from '../../ui/layout/layout.tsx';
import type { DeveloperSearch } from './developer-search.ts';
import { EventCatalogue } from './event-catalogue.tsx';
import { QuickStart } from './quick-start.tsx';
import { SignatureVerifier } from './signature-verifier.tsx';

/** The first tab has no search parameter, so other tabs' must not match it. */
const EXACT = { explicitUndefined: true };

/** Developer documentation: calling the API, events, and verifying signatures. */
export function DeveloperPage({ search }: { search: DeveloperSearch }) {
  const user = useUser();
  useTitle('Developer', user.partner.name);
  return (
    <>
      <PageHeader
        title="Developer"
        meta="Call the API and receive events in your own systems"
        actions={
          <a href="/api/docs" target="_blank" rel="noreferrer" className={buttonClass()}>
            API reference
            <ExternalLink aria-hidden />
          </a>
        }
      />
      <Tabs label="Developer">
        <Link to="/dashboard/developer" search={{ tab: undefined }} activeOptions={EXACT}>
          Quick start
        </Link>
        <Link to="/dashboard/developer" search={{ tab: 'events' }} activeOptions={EXACT}>
          Events
        </Link>
        <Link to="/dashboard/developer" search={{ tab: 'verify' }} activeOptions={EXACT}>
          Verify a signature
        </Link>
      </Tabs>
      {search.tab === 'events' ? (
        <EventCatalogue chosen={search.event} />
      ) : search.tab === 'verify' ? (
        <SignatureVerifier />
      ) : (
        <QuickStart />
      )}
    </>
  );
}
