import { Link } from '@tanstack/react-router';
import { formatNumber, formatPhone, inPlace } from '../../ui/text/format.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Figures, KeyValues, Panel, Section } from '../../ui/layout/layout.tsx';
import { AttentionSection } from './attention-list.tsx';
import { LatestRuns } from './latest-runs.tsx';
import { summaryQuery } from '../../queries/agency.ts';
import type { Client } from '../../queries/clients.ts';
import { useLoaded } from '../../app/route-data.ts';

/** One client today: figures, attention items and contact details. */
export function ClientOverview({ client }: { client: Client }) {
  const data = useLoaded(summaryQuery(client.id));
  const { today, timezone } = data;
  const where = inPlace(timezone);
  return (
    <>
      <Figures
        items={[
          {
            label: `Runs today${where}`,
            value: formatNumber(today.runs),
            note: today.failed ? <span className="text-bad">{formatNumber(today.failed)} failed</span> : 'none failed',
          },
          { label: `Texts sent today${where}`, value: formatNumber(today.textsSent) },
          { label: 'Hours saved', value: formatNumber(Math.round(today.hoursSavedMonth * 10) / 10), note: 'this month' },
          {
            label: 'Agents on',
            value: formatNumber(data.counts.agentsOn),
            unit: ` of ${data.counts.agents}`,
            note: (
              <Link to="/dashboard/clients/$id" params={{ id: client.id }} search={{ tab: 'agents' }}>
                View agents
              </Link>
            ),
          },
        ]}
      />
      <div className="grid items-start gap-x-6 rail:grid-cols-[minmax(0,1fr)_320px]">
        <div>
          <AttentionSection summary={data} clientId={client.id} />
          <Section title="Latest runs">
            {data.latestRuns.length === 0 ? (
              <EmptyState title="No runs yet">Runs appear here as soon as an event reaches an agent of {client.name}.</EmptyState>
            ) : (
              <LatestRuns runs={data.latestRuns} who={(run) => run.agentName} />
            )}
          </Section>
        </div>
        <Panel
          title="Business"
          aside={
            <Link className="link" to="/dashboard/clients/$id" params={{ id: client.id }} search={{ tab: 'settings' }}>
              Edit
            </Link>
          }
        >
          <KeyValues
            rows={[
              ['Contact', client.contactName ?? '–'],
              [
                'E-mail',
                client.contactEmail ? (
                  <a key="e" className="link" href={`mailto:${client.contactEmail}`}>
                    {client.contactEmail}
                  </a>
                ) : (
                  '–'
                ),
              ],
              ['Phone', client.phone ? formatPhone(client.phone) : '–'],
              [
                'Website',
                client.website ? (
                  <a key="w" className="link" href={client.website} target="_blank" rel="noreferrer">
                    {client.website.replace(/^https?:\/\//, '')}
                  </a>
                ) : (
                  '–'
                ),
              ],
              ['Time zone', client.timezone.replaceAll('_', ' ')],
              ['Trade', client.industry ?? '–'],
              ['Your reference', client.externalRef ?? '–'],
            ]}
          />
          {client.notes ? <p className="mt-2 border-t border-line-soft pt-2 whitespace-pre-wrap text-ink-2">{client.notes}</p> : null}
        </Panel>
      </div>
    </>
  );
}
