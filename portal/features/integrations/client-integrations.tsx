import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { isLost } from '../../app/errors.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { ReadinessGrid, ReadinessLegend } from './readiness-grid.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { viewOf } from './provider-state.tsx';
import { ProviderTable } from './provider-table.tsx';
import { credentialsQuery, readinessQuery, requirementsQuery, STORED } from '../../queries/credentials.ts';
import type { Client } from '../../queries/clients.ts';

/** The effective credentials of one client, and the readiness of its agents. */
export function ClientIntegrations({ client, service }: { client: Client; service: Provider | undefined }) {
  const navigate = useNavigate({ from: '/dashboard/clients/$id' });
  const isViewing = useIsViewing();
  const credentials = useQuery(credentialsQuery(client.id));
  const requirements = useQuery(requirementsQuery(client.id));
  const readiness = useQuery(readinessQuery(client.id));
  const open = useCallback(
    (next: Provider | undefined) => void navigate({ search: (before) => ({ ...before, service: next }), replace: true }),
    [navigate],
  );
  const close = useCallback(() => open(undefined), [open]);
  if ([credentials, requirements, readiness].some(isLost))
    return (
      <ErrorBlock
        error={credentials.error ?? requirements.error ?? readiness.error}
        onRetry={() => {
          void credentials.refetch();
          void requirements.refetch();
          void readiness.refetch();
        }}
      />
    );
  if (!credentials.data || !requirements.data || !readiness.data) return <SkeletonRows rows={7} height={50} label="Loading services" />;
  const stored = STORED.find((one) => one === service);
  const used = STORED.filter((key) => readiness.data.some((row) => row.cells.some((cell) => cell.provider === key)));
  return (
    <>
      <ProviderTable
        views={STORED.map((provider) => viewOf(provider, credentials.data, requirements.data, client.id))}
        clientId={client.id}
        codeAgents={client.counts.agents}
        openService={service}
        onOpen={open}
      />
      <Section className="mt-7" title="Readiness" note="whether each agent has the keys it needs" aside={<ReadinessLegend />}>
        {readiness.data.length === 0 ? (
          <EmptyState title="No keys needed yet">Agents of {client.name} appear here with the services they need.</EmptyState>
        ) : (
          <ReadinessGrid
            rows={readiness.data.map((row) => ({
              key: row.agentId,
              client: row.clientName ?? 'Agency',
              agent: (
                <Link className="hover:underline" to="/dashboard/agents/$id" params={{ id: row.agentId }}>
                  {row.agentName}
                </Link>
              ),
              cells: Object.fromEntries(row.cells.map((cell) => [cell.provider, { state: cell.state, message: cell.message }])),
            }))}
            services={used.map((key) => ({ key, name: PROVIDERS[key].name }))}
            renderAdd={
              isViewing
                ? undefined
                : (_, key) => (
                    <button type="button" className="lnk text-xs" onClick={() => open(STORED.find((one) => one === key))}>
                      Add
                    </button>
                  )
            }
          />
        )}
      </Section>
      {stored ? (
        <KeyDrawer provider={stored} clientId={client.id} credentials={credentials.data} requirements={requirements.data} onClose={close} />
      ) : null}
    </>
  );
}
