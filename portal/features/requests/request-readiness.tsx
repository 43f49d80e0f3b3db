import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { CatalogEntry } from '../../queries/catalog.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { joinWords, plural } from '../../ui/text/format.ts';
import { type Ready, requestReadinessQuery } from './queries.ts';
import '../../ui/forms/field.css';

/** Choices within this time share one check. */
const GATHER_MS = 200;

/** Shows which keys or settings the agent still needs for the chosen clients. */
export function RequestReadiness({ entry, chosen }: { entry: CatalogEntry; chosen: readonly string[] }) {
  const [asked, setAsked] = useState(chosen);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(chosen), GATHER_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  const query = useQuery({ ...requestReadinessQuery(entry.name, asked), enabled: asked.length > 0 });
  if (asked.length === 0) return null;
  return (
    <section aria-label="What it needs" aria-busy={query.isPlaceholderData}>
      <Loaded query={query} skeleton={<SkeletonRows rows={2} label="Checking what it needs" />}>
        {(clients) => {
          const [only] = clients;
          return clients.length === 1 && only ? <OneClient entry={entry} client={only} /> : <ManyClients clients={clients} />;
        }}
      </Loaded>
    </section>
  );
}

const REFUSED: Partial<Record<Ready['state'], string>> = {
  has_agent: 'already has this agent',
  requested: 'already has a request for this agent',
  not_allowed: 'is suspended or archived',
};

function OneClient({ entry, client }: { entry: CatalogEntry; client: Ready }) {
  const refused = REFUSED[client.state];
  if (refused !== undefined)
    return (
      <Note tone="warn">
        {client.clientName} {refused}.
      </Note>
    );
  const providers = entry.requiredConnections.filter((provider) => provider !== 'code');
  const lacks = client.missingConnections.length + client.refusedConnections.length + client.missingSettings.length;
  return (
    <>
      <h3 className="field-label">{lacks === 0 ? 'Ready to install' : 'What it still needs'}</h3>
      <ul className="border-t border-line">
        {providers.map((provider) => {
          const isMissing = client.missingConnections.includes(provider);
          const isRefused = client.refusedConnections.includes(provider);
          return (
            <Need
              key={provider}
              mark={isMissing ? 'warn' : isRefused ? 'bad' : 'ok'}
              name={`${PROVIDERS[provider].name} key`}
              state={isMissing ? 'Not saved' : isRefused ? 'Refused by the provider' : 'Saved'}
            >
              {isMissing || isRefused ? (
                <Link
                  className="link"
                  to="/dashboard/integrations"
                  search={{ service: provider, client: client.clientId }}
                  target="_blank"
                  aria-label={`${isMissing ? 'Add' : 'Replace'} the ${PROVIDERS[provider].name} key in a new tab`}
                >
                  {isMissing ? 'Add key' : 'Replace key'}
                </Link>
              ) : null}
            </Need>
          );
        })}
        {client.missingSettings.map(({ key, label }) => (
          <Need key={key} mark="warn" name={label} state="Add it to the agent once it is installed" />
        ))}
        {providers.length === 0 && client.missingSettings.length === 0 ? (
          <Need mark="ok" name="No key needed" state="It uses built-in steps only" />
        ) : null}
      </ul>
      <p className="mt-2 text-xs text-ink-3">
        {client.missingConnections.length > 0
          ? 'You can request it now. It is installed once we approve it, usually within one working day, and the key is saved.'
          : 'It is installed once we approve it, usually within one working day.'}
      </p>
    </>
  );
}

function Need({ mark, name, state, children }: { mark: MarkKind; name: string; state: string; children?: ReactNode }) {
  return (
    <li className="flex items-center gap-2.5 border-b border-line-soft py-1.5">
      <Mark kind={mark} size={14} />
      <span className="flex-1">{name}</span>
      <span className="text-ink-3">{state}</span>
      {children}
    </li>
  );
}

/** Clients that lack the same are one line. */
function ManyClients({ clients }: { clients: readonly Ready[] }) {
  const groups = [...Map.groupBy(clients, inWords)];
  return (
    <>
      <h3 className="field-label">What they need</h3>
      <ul className="max-h-45 overflow-y-auto border-t border-line" tabIndex={0} aria-label="What the clients need">
        {groups.map(([words, group]) => {
          const [first] = group;
          const mark = first === undefined ? 'ok' : markOf(first);
          return (
            <li key={words} className="border-b border-line-soft py-1.5">
              <Status mark={mark}>
                {plural(group.length, 'client')}: {words}
              </Status>
              {mark === 'ok' ? null : <p className="text-xs text-ink-3">{joinWords(group.map(({ clientName }) => clientName))}</p>}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function markOf({ state, refusedConnections, missingSettings }: Ready): MarkKind {
  if (REFUSED[state] !== undefined) return 'skip';
  if (refusedConnections.length > 0) return 'bad';
  return state === 'missing' || missingSettings.length > 0 ? 'warn' : 'ok';
}

/** "needs a key for Twilio". Also decides which clients are one line. */
function inWords({ state, missingConnections, refusedConnections, missingSettings }: Ready): string {
  const refused = REFUSED[state];
  if (refused !== undefined) return refused;
  const names = (providers: Ready['missingConnections']): string => joinWords(providers.map((provider) => PROVIDERS[provider].name));
  const parts = [
    ...(missingConnections.length > 0 ? [`a key for ${names(missingConnections)}`] : []),
    ...(refusedConnections.length > 0 ? [`another key for ${names(refusedConnections)}`] : []),
    ...(missingSettings.length > 0 ? [joinWords(missingSettings.map(({ label }) => label.toLowerCase()))] : []),
  ];
  return parts.length === 0 ? 'ready to install' : `needs ${joinWords(parts)}`;
}
