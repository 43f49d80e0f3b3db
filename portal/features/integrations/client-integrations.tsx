import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { ReadinessGrid, ReadinessLegend } from './readiness-grid.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { viewOf } from './provider-state.tsx';
import { ProviderTable } from './provider-table.tsx';
import { credentialsQuery, readinessQuery, requirementCountsQuery, requirementsQuery, STORED } from '../../queries/credentials.ts';
import type { Client } from '../../queries/clients.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useChangeSearch } from '../../app/search-state.ts';

/** The effective credentials of one client, and the readiness of its agents. */
export function ClientIntegrations({ client, service }: { client: Client; service: Provider | undefined }) {
  const isViewing = useIsViewing();
  const refusal = useRefusal('credentials.manage');
  const credentials = useLoaded(credentialsQuery(client.id));
  const counts = useLoaded(requirementCountsQuery(client.id));
  const requirements = useLoaded(requirementsQuery(client.id));
  const readiness = useLoaded(readinessQuery(client.id));
  const onSearch = useChangeSearch<{ service?: Provider }>('/dashboard/clients/$id');
  const open = useCallback((next: Provider | undefined) => onSearch({ service: next }), [onSearch]);
  const close = useCallback(() => open(undefined), [open]);
  const stored = STORED.find((one) => one === service);
  const used = STORED.filter((key) => readiness.some((row) => row.cells.some((cell) => cell.provider === key)));
  return (
    <>
      <ProviderTable
        views={STORED.map((provider) => viewOf(provider, credentials, counts, client.id))}
        clientId={client.id}
        codeAgents={client.counts.agents}
        openService={service}
        onOpen={open}
      />
      <Section className="mt-7" title="Readiness" note="whether each agent has the keys it needs" aside={<ReadinessLegend />}>
        {readiness.length === 0 ? (
          <EmptyState title="No keys needed yet">Agents of {client.name} appear here with the services they need.</EmptyState>
        ) : (
          <ReadinessGrid
            rows={readiness.map((row) => ({
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
                    <Button size="sm" kind="quiet" disabledReason={refusal} onClick={() => open(STORED.find((one) => one === key))}>
                      Add
                    </Button>
                  )
            }
          />
        )}
      </Section>
      {stored ? (
        <KeyDrawer
          provider={stored}
          clientId={client.id}
          ownerName={client.name}
          credentials={credentials}
          requirements={requirements}
          onClose={close}
        />
      ) : null}
    </>
  );
}
