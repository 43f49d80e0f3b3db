import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { isLost } from '../../app/errors.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { agentsQuery } from '../../queries/agents.ts';
import { stepIcon } from '../../ui/identity/icons.tsx';
import { type Credential, credentialsQuery } from '../../queries/credentials.ts';
import type { CatalogEntry } from '../../queries/catalog.ts';
import { keyFor, refusedKeys } from './key-state.ts';
import '../../shared/message-bubble.css';
import '../../ui/layout/section-header.css';

/** One template: sample conversation, steps, requirements and the clients that use it. */
export function CatalogDetail({
  entry,
  clientId,
  clientName,
}: {
  entry: CatalogEntry;
  clientId: string | undefined;
  clientName: string | undefined;
}) {
  return (
    <div className="grid gap-6">
      <p className="text-ink-2">{entry.summary}</p>
      {entry.sampleConversation.length > 0 ? (
        <section className="rounded-lg border border-line bg-sunken p-4">
          <p className="mb-2 text-center text-xs text-ink-3">Sample conversation</p>
          <ul className="grid gap-2">
            {entry.sampleConversation.map((line, at) => (
              <li
                key={at}
                className={`message-bubble ${line.from === 'business' ? '!bg-surface' : ''}`}
                data-side={line.from === 'business' ? undefined : 'in'}
              >
                {line.text}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section>
        <div className="section-header">
          <h3>Steps</h3>
        </div>
        <ol className="border-t border-line">
          {entry.steps.map((step) => (
            <li
              key={step.name}
              className="flex items-center gap-3 border-b border-line-soft py-1.5 [&_svg]:size-4 [&_svg]:stroke-[1.5] [&_svg]:text-ink-3"
            >
              {stepIcon(step)}
              <span className="flex-1">{step.label}</span>
              <span className="text-ink-3">{step.provider && step.provider !== 'code' ? PROVIDERS[step.provider].name : ''}</span>
            </li>
          ))}
        </ol>
      </section>
      <Needs entry={entry} clientId={clientId} clientName={clientName} />
      <KeyValues
        rows={[
          ['Costs', entry.creditsPerRun === undefined ? '–' : `${plural(entry.creditsPerRun, 'credit')} a run`],
          ['Saves', entry.hoursSavedPerRun ? `about ${Math.round(entry.hoursSavedPerRun * 60)} minutes a run` : '–'],
          ['Times out after', entry.timeoutMinutes === undefined ? '–' : plural(entry.timeoutMinutes, 'minute')],
          [
            'Event fields',
            entry.inputs
              .filter((input) => input.required)
              .map((input) => input.label)
              .join(', ') || 'none',
          ],
        ]}
      />
      <InUse entry={entry} clientId={clientId} />
      <section>
        <div className="section-header">
          <h3>Versions</h3>
        </div>
        <ul className="border-t border-line">
          {entry.changelog.map((change) => (
            <li key={change.version} className="flex gap-3 border-b border-line-soft py-1.5">
              <span className="w-8 text-ink-3">v{change.version}</span>
              {change.text}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Needs({ entry, clientId, clientName }: { entry: CatalogEntry; clientId: string | undefined; clientName: string | undefined }) {
  // Requirements hold only what installed agents need.
  const { data } = useQuery(credentialsQuery(clientId));
  const needed = entry.requiredConnections.filter((provider) => provider !== 'code');
  const refused = refusedKeys(entry, data, clientId);
  const isReady = entry.ready && refused.length === 0;
  if (needed.length === 0) return <p className="text-ink-2">Needs no key: it uses built-in steps only.</p>;
  return (
    <section>
      <div className="section-header">
        <h3>
          {isReady ? 'Ready' : 'Not ready'} for {clientName ?? 'your agency'}
        </h3>
      </div>
      <ul className="border-t border-line">
        {needed.map((provider) => {
          const isMissing = entry.missingConnections.includes(provider);
          const key = keyFor(data, clientId, provider);
          const isRefused = refused.includes(provider);
          const tone = isMissing ? 'warn' : isRefused ? 'bad' : undefined;
          return (
            <li key={provider} className="flex items-center gap-3 border-b border-line-soft py-1.5">
              <span className="flex-1">
                <Status mark={tone ?? 'ok'} {...(tone ? { tone } : {})}>
                  {PROVIDERS[provider].name}
                </Status>
              </span>
              {key && !isMissing ? (
                <span className="text-ink-3">
                  {sourceOf(key)}
                  {isRefused ? ', refused' : ''}
                </span>
              ) : null}
              {isMissing || isRefused ? (
                // A refused default is replaced where it is: for the agency.
                <Link
                  className="link"
                  to="/dashboard/integrations"
                  search={{ service: provider, client: isRefused && key?.clientId === null ? undefined : clientId }}
                >
                  {isMissing ? 'Add key' : 'Replace key'}
                </Link>
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function sourceOf({ clientId, sourceMode }: Credential): string {
  if (clientId === null) return 'agency default';
  return sourceMode === 'platform' ? 'platform key' : 'own key';
}

function InUse({ entry, clientId }: { entry: CatalogEntry; clientId: string | undefined }) {
  const list = useInfiniteQuery(agentsQuery({ template: entry.name, client: clientId }));
  const agents = list.data?.pages[0]?.data ?? [];
  if (isLost(list)) return <ErrorBlock error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonRows rows={2} label="Loading where it is in use" />;
  if (agents.length === 0) return <p className="text-ink-3">Not in use yet.</p>;
  return (
    <section>
      <div className="section-header">
        <h3>In use</h3>
        <span className="text-ink-3">{`${formatNumber(agents.length)}${list.hasNextPage ? ' or more' : ''}`}</span>
      </div>
      <ul className="border-t border-line">
        {agents.map((agent) => (
          <li key={agent.id} className="border-b border-line-soft py-1.5">
            <Link className="link" to="/dashboard/agents/$id" params={{ id: agent.id }}>
              {agent.clientName ?? agent.name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
