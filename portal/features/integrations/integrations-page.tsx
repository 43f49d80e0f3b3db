import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useDeferredValue } from 'react';
import { api } from '../../app/api.ts';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader, Section } from '../../ui/layout/layout.tsx';
import { type ReadinessCell, ReadinessGrid, ReadinessLegend, type ReadinessRow } from './readiness-grid.tsx';
import { announce, announceFailure } from '../../ui/feedback/toast.tsx';
import { useClientChoices } from '../../shared/choices.ts';
import { KeyDrawer } from './key-drawer.tsx';
import { viewOf } from './provider-state.tsx';
import { ProviderTable } from './provider-table.tsx';
import {
  type Credential,
  credentialsQuery,
  type IntegrationSearch,
  type Requirement,
  requirementCountsQuery,
  requirementsQuery,
  STORED,
  type Stored,
} from '../../queries/credentials.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useChangeSearch } from '../../app/search-state.ts';

type Props = Omit<IntegrationSearch, 'key'> & { keyId: string | undefined; client: string | undefined };

const CLOSED = { service: undefined, for: undefined, key: undefined };

/** Credentials of the partner and its clients, and the readiness of each agent. */
export function IntegrationsPage({ client, service, for: forClient, keyId }: Props) {
  const user = useUser();
  useTitle('Integrations', user.partner.name);
  const shown = useDeferredValue(client);
  const credentials = useLoaded(credentialsQuery(shown));
  const counts = useLoaded(requirementCountsQuery(shown));
  const requirements = useLoaded(requirementsQuery(shown));
  const listed = new Set(requirements.flatMap((need) => need.agents.map((agent) => agent.id))).size;
  const onSearch = useChangeSearch<IntegrationSearch>('/dashboard/integrations');
  const open = useCallback((next: IntegrationSearch) => onSearch({ ...CLOSED, ...next }), [onSearch]);
  const close = useCallback(() => open({}), [open]);
  const named = credentials.find(({ id }) => id === keyId);
  const stored = STORED.find((one) => one === (service ?? named?.provider));
  const owner = forClient ?? (named ? (named.clientId ?? undefined) : client);
  const clients = useClientChoices(owner);
  // The list may leave out agents of the client whose key is shown.
  const isCut = stored !== undefined && owner !== undefined && owner !== shown && listed < counts.agents;
  const ofOwner = useQuery({ ...requirementsQuery(owner), enabled: isCut });
  return (
    <>
      <PageHeader
        title="Integrations"
        meta="Keys are stored encrypted and never shown again. A client’s own key takes precedence over the agency default."
        actions={<CheckAll rows={credentials} />}
      />
      <ProviderTable
        views={STORED.map((provider) => viewOf(provider, credentials, counts, client))}
        clientId={client}
        codeAgents={counts.agents}
        openService={service}
        onOpen={(next) => open({ service: next })}
      />
      <Section className="mt-7" title="Readiness" note="whether each agent has the keys it needs" aside={<ReadinessLegend />}>
        <Readiness
          requirements={requirements}
          total={counts.agents}
          onAdd={(next, clientId) => open({ service: next, ...(clientId ? { for: clientId } : {}) })}
        />
      </Section>
      {stored ? (
        <KeyDrawer
          provider={stored}
          clientId={owner}
          ownerName={clients.name}
          credentials={credentials}
          requirements={requirements}
          ofOwner={isCut ? ofOwner : undefined}
          agents={owner === undefined ? counts.providers.find((one) => one.provider === stored)?.agents : undefined}
          onClose={close}
          {...(client
            ? {}
            : {
                owners: clients,
                onOwner: (next: string | undefined) => open({ service: stored, ...(next ? { for: next } : {}) }),
              })}
        />
      ) : null}
    </>
  );
}

function Readiness({
  requirements,
  total,
  onAdd,
}: {
  requirements: readonly Requirement[];
  total: number;
  onAdd: (service: Stored, clientId: string | null) => void;
}) {
  const isViewing = useIsViewing();
  const refusal = useRefusal('credentials.manage');
  const owners = new Map<string, string | null>();
  const rows = rowsOf(requirements, owners);
  const used = STORED.filter((service) => requirements.some((need) => need.provider === service));
  if (rows.length === 0)
    return (
      <EmptyState
        title="No keys needed yet"
        actions={
          <Link to="/dashboard/catalog" className="link">
            See what each agent needs
          </Link>
        }
      >
        Agents appear here with the services they need once they are added for a client.
      </EmptyState>
    );
  return (
    <ReadinessGrid
      rows={rows}
      total={total}
      services={used.map((key) => ({ key, name: PROVIDERS[key].name }))}
      renderAdd={
        isViewing
          ? undefined
          : (row, service) => (
              <Button
                size="sm"
                kind="quiet"
                disabledReason={refusal}
                onClick={() => {
                  const found = STORED.find((one) => one === service);
                  if (found) onAdd(found, owners.get(row.key) ?? null);
                }}
              >
                Add
              </Button>
            )
      }
    />
  );
}

/** Builds a row per agent from the requirements per client; fills `owners` with the client of each agent. */
function rowsOf(requirements: readonly Requirement[], owners: Map<string, string | null>): ReadinessRow[] {
  const rows = new Map<
    string,
    { key: string; client: string; agent: ReadinessRow['agent']; name: string; cells: Record<string, ReadinessCell | undefined> }
  >();
  for (const need of requirements) {
    for (const agent of need.agents) {
      const cells: Record<string, ReadinessCell | undefined> = {};
      const row = rows.get(agent.id) ?? {
        key: agent.id,
        client: need.clientName ?? 'Agency',
        name: agent.name,
        agent: (
          <Link className="hover:underline" to="/dashboard/agents/$id" params={{ id: agent.id }}>
            {agent.name}
          </Link>
        ),
        cells,
      };
      row.cells[need.provider] = { state: need.state, message: null };
      rows.set(agent.id, row);
      owners.set(agent.id, need.clientId);
    }
  }
  return [...rows.values()].toSorted((a, b) => a.client.localeCompare(b.client) || a.name.localeCompare(b.name));
}

/** Tests the stored keys one after the other, so that no service sees a burst. */
function CheckAll({ rows }: { rows: readonly Credential[] }) {
  const refusal = useRefusal('credentials.manage');
  const own = rows.filter((row) => !row.inherited && row.configured);
  const check = useMutation({
    mutationFn: async () => {
      let [tested, failed] = [0, 0];
      for (const { provider, clientId } of own) {
        try {
          const { ok } = await api.testCredential({ params: { provider }, query: { clientId: clientId ?? undefined } });
          if (ok !== null) tested += 1;
          if (ok === false) failed += 1;
        } catch {
          // A call that fails says nothing about the key, as a service that does not answer: it counts as not tested.
        }
      }
      return { tested, failed, all: own.length };
    },
    onSuccess: ({ tested, failed, all }) => {
      if (tested < all)
        announceFailure({
          title: `${formatNumber(tested)} of ${plural(all, 'key')} tested, ${formatNumber(failed)} not working.`,
          detail: 'The others could not be tested: try again.',
          requestId: undefined,
          retry: () => check.mutate(),
        });
      else announce(`${plural(all, 'key')} tested, ${failed > 0 ? `${formatNumber(failed)} not` : 'all'} working.`);
      void refreshAfter('credentialsChanged');
    },
  });
  return (
    <Button
      busy={check.isPending && 'Testing'}
      disabledReason={refusal ?? (own.length === 0 ? 'No keys saved yet.' : undefined)}
      onClick={() => check.mutate()}
    >
      Test all keys
    </Button>
  );
}
