import { EVENT_TYPES, type EventType } from '@partner-portal/contract/vocabulary.ts';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { choiceParam, onlySet } from '../../app/search-params.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { useUser } from '../../app/session.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { PageHeader, Tabs } from '../../ui/layout/layout.tsx';
import { EventCatalogue } from './event-catalogue.tsx';
import { QuickStart } from './quick-start.tsx';
import { SignatureVerifier } from './signature-verifier.tsx';

const TABS = ['events', 'verify'] as const;
export type DeveloperSearch = { tab?: (typeof TABS)[number] | undefined; event?: EventType | undefined };

export function parseDeveloperSearch(search: Record<string, unknown>): DeveloperSearch {
  const tab = choiceParam(TABS, search.tab);
  return onlySet({ tab, event: tab === 'events' ? choiceParam(EVENT_TYPES, search.event) : undefined });
}

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
