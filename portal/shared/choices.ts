import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { type Agent, agentNamesQuery, agentQuery } from '../queries/agents.ts';
import { type Client, clientNamesQuery, clientQuery } from '../queries/clients.ts';
import { keys } from '../queries/keys.ts';
import { type Partner, partnerNamesQuery, partnerQuery } from '../queries/partners.ts';
import type { Option, OptionSearch } from '../ui/forms/select.tsx';
import { formatNumber } from '../ui/text/format.ts';
import { uiText } from '../ui/text/reader.ts';

/** Placeholder for a client or an agency until its name is loaded. */
export const ONE_CLIENT = 'One client';
export const ONE_AGENCY = 'One agency';

type Page<Row> = { data: Row[]; nextCursor: string | null };
type Query<Data> = UseQueryOptions<Data, Error, Data, string[]>;
type Choices = {
  options: readonly Option[];
  /** Absent when `options` are all there are. */
  search: OptionSearch | undefined;
  /** The name of what is chosen, also when it is not among the options. */
  name: string | undefined;
  /** Why there are no options; null when there are. */
  error: Error | null;
  retry: () => void;
};
export type ClientChoices = Choices;

/** Clients to choose one from, however many there are. `isAsked` false asks for none until they are shown; `partnerId` is for staff. */
export function useClientChoices(
  chosen: string | undefined,
  { isAsked = true, partnerId }: { isAsked?: boolean; partnerId?: string } = {},
): Choices {
  return useChoices<Client>({
    page: (text) => clientNamesQuery(text, partnerId),
    one: (id) => clientQuery(id),
    all: keys.clients.allNames,
    chosen,
    isAsked,
    toOption: toNamedOption,
  });
}

/** Agents of one client or of all to choose one from, however many there are. */
export function useAgentChoices(chosen: string | undefined, clientId: string | undefined): Choices {
  return useChoices<Agent>({
    page: (text) => agentNamesQuery(clientId, text),
    one: (id) => agentQuery(id),
    all: keys.agents.allNames,
    chosen,
    isAsked: true,
    toOption: clientId === undefined ? toAgentOption : toNamedOption,
  });
}

/** Agencies to choose one from, however many there are, for staff. */
export function usePartnerChoices(chosen: string | undefined, { isAsked = true }: { isAsked?: boolean } = {}): Choices {
  return useChoices<Partner>({
    page: partnerNamesQuery,
    one: partnerQuery,
    all: keys.partners.allNames,
    chosen,
    isAsked,
    toOption: toNamedOption,
  });
}

const toNamedOption = ({ id, name }: { id: string; name: string }): Option => ({ value: id, label: name });
const toAgentOption = ({ id, name, clientName }: Agent): Option => ({
  value: id,
  label: name,
  ...(clientName ? { hint: clientName } : {}),
});

/** Adds a first option that is no record, such as "All". A search hides it, because it finds only records. */
export function withFirst(first: Option, { options, search, name }: Choices) {
  return { options: search?.text ? options : [first, ...options], search, chosenName: name };
}

type Asked<Row> = {
  page: (text: string | undefined) => Query<Page<Row>>;
  one: (id: string) => Query<Row>;
  all: QueryKey;
  chosen: string | undefined;
  isAsked: boolean;
  toOption: (row: Row) => Option;
};

/**
 * A short list is loaded once and filtered in the browser. For a long list, this loads the first page, then the matches for the typed text, and the name of the chosen
 * record if it is on no page.
 */
function useChoices<Row extends { id: string; name: string }>({ page, one, all, chosen, isAsked, toOption }: Asked<Row>): Choices {
  const [text, setText] = useState('');
  const first = useQuery({ ...page(undefined), enabled: isAsked });
  const hasMore = typeof first.data?.nextCursor === 'string';
  const found = useQuery({ ...page(text), enabled: hasMore && text !== '' });
  const rows = text === '' ? first.data : (found.data ?? first.data);
  // A record that was picked is on a loaded page.
  const known = chosen === undefined ? undefined : (rows?.data.find(({ id }) => id === chosen) ?? onAnyPage<Row>(all, chosen));
  const read = useQuery({ ...one(chosen ?? ''), enabled: first.isSuccess && chosen !== undefined && known === undefined });
  const options = useMemo(() => (rows?.data ?? []).map(toOption), [rows, toOption]);
  return {
    options,
    search: hasMore
      ? {
          text,
          onText: setText,
          isBusy: text !== '' && found.isPending,
          note: found.isError
            ? uiText('ui.more-failed')
            : rows?.nextCursor
              ? uiText('ui.showing-first', { count: formatNumber(rows.data.length) })
              : undefined,
        }
      : undefined,
    name: chosen === undefined ? undefined : (known ?? read.data)?.name,
    error: first.error,
    retry: () => void first.refetch(),
  };
}

function onAnyPage<Row extends { id: string }>(all: QueryKey, id: string): Row | undefined {
  return queryClient
    .getQueriesData<Page<Row>>({ queryKey: all })
    .flatMap(([, page]) => page?.data ?? [])
    .find((row) => row.id === id);
}
