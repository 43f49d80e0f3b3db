import type { ClientImportMode } from '@partner-portal/contract/vocabulary.ts';

/** Identifiers of a client: its ID, else the agency's own reference, else name and contact address together. */
export type Identity = {
  id?: string | null | undefined;
  externalRef?: string | null | undefined;
  name: string;
  contactEmail?: string | null | undefined;
};
export type RowRefusal = { code: RefusalCode; field: 'externalRef' | 'name' | null };
export type RefusalCode = 'duplicate_in_file' | 'ambiguous' | 'client_limit_reached';

export type Planned<Client> = { does: 'create' } | { does: 'match'; client: Client } | { does: 'refuse'; refusal: RowRefusal };

/**
 * Decides about rows that passed their own checks, in the order of the file. A row with the ID of a live client is that client, one with a reference the live client with that reference; one
 * without is the live client of the same name and contact address, or of the name where the row has no address. More clients than the plan includes
 * are refused from the end.
 */
export function planImport<Client extends Identity>(
  rows: readonly Identity[],
  clients: readonly Client[],
  free: number,
): Planned<Client>[] {
  const byRef = groupBy(clients, ({ externalRef }) => externalRef || null);
  const byNameAndAddress = groupBy(clients, nameKey);
  const byName = groupBy(clients, ({ name }) => name);
  const byId = groupBy(clients, ({ id }) => id ?? null);
  const ofId = ({ id }: Identity): readonly Client[] | undefined => (id ? byId.get(id) : undefined);
  const exactly = (row: Identity): readonly Client[] =>
    ofId(row) ?? (row.externalRef ? byRef.get(row.externalRef) : byNameAndAddress.get(nameKey(row))) ?? [];
  const named = new Set(rows.flatMap(exactly));
  const matches = (row: Identity): readonly Client[] => {
    const exact = exactly(row);
    if (exact.length > 0 || row.externalRef || row.contactEmail) return exact;
    const [client, ...others] = byName.get(row.name) ?? [];
    // A file that names it with its address as well means another client by the row without.
    if (client === undefined || (others.length === 0 && named.has(client))) return [];
    return [client, ...others];
  };
  const seen = new Set<string>();
  const matched = new Set<Client>();
  let left = free;
  return rows.map((row): Planned<Client> => {
    const field = row.externalRef ? 'externalRef' : 'name';
    const key = ofId(row) ? `id ${row.id}` : row.externalRef ? `ref ${row.externalRef}` : `name ${nameKey(row)}`;
    if (seen.has(key)) return refused('duplicate_in_file', field);
    seen.add(key);
    const [client, another] = matches(row);
    if (another) return refused('ambiguous', field);
    if (client) {
      // One row names it by its reference, another by its name.
      if (matched.has(client)) return refused('duplicate_in_file', field);
      matched.add(client);
      return { does: 'match', client };
    }
    if (left <= 0) return refused('client_limit_reached', null);
    left -= 1;
    return { does: 'create' };
  });
}

/** Whether anything is written: with `all`, only when no row is refused. */
export function isCarriedOut(mode: ClientImportMode, refused: number): boolean {
  return mode === 'valid' || refused === 0;
}

const SENTENCES: Readonly<Record<RefusalCode, string>> = {
  duplicate_in_file: 'Another row of this file refers to the same client. Give each its own reference, or remove one.',
  ambiguous: 'Several clients match. Give each of them a reference of its own first.',
  client_limit_reached: 'The plan includes no more clients. Archive one or request a larger plan.',
};

export function refusalText(code: RefusalCode): string {
  return SENTENCES[code];
}

function nameKey({ name, contactEmail }: Identity): string {
  return `${name}\n${(contactEmail ?? '').toLowerCase()}`;
}

function refused(code: RefusalCode, field: RowRefusal['field']): { does: 'refuse'; refusal: RowRefusal } {
  return { does: 'refuse', refusal: { code, field } };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
