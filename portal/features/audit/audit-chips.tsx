import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from '@partner-portal/contract/audit-actions.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { ONE_CLIENT, useClientChoices } from '../../shared/choices.ts';
import { FilterChip } from '../../ui/controls/chips.tsx';
import type { AuditEntry, AuditSearch } from './queries.ts';
import { spanChoices } from '../../shared/spans.ts';

const ACTIONS = AUDIT_ACTION_NAMES.map((value) => ({ value, label: AUDIT_ACTIONS[value].label })).toSorted((a, b) =>
  a.label.localeCompare(b.label),
);
const TIMES = spanChoices('today', '7d', '30d', '90d');
const RESULTS = [
  { value: 'ok', label: 'Done' },
  { value: 'refused', label: 'Refused' },
] as const;
const KINDS = [
  { value: 'user', label: 'Members and clients' },
  { value: 'staff', label: 'Platform staff' },
  { value: 'system', label: 'The service' },
];

type Props = { search: AuditSearch; rows: readonly AuditEntry[]; isStaff: boolean; onSearch: (change: SearchChange<AuditSearch>) => void };

/** Filter chips of the audit log. Actor and target can also be picked in an entry. */
export function AuditChips({ search, rows, isStaff, onSearch }: Props) {
  // Staff pick a client in an entry: there are too many to list.
  const clients = useClientChoices(search.client, { isAsked: !isStaff });
  return (
    <>
      <FilterChip name="When" value={search.time} options={TIMES} onChange={(time) => onSearch({ time })} />
      <FilterChip name="Action" value={search.action} options={ACTIONS} onChange={(action) => onSearch({ action })} />
      <FilterChip name="Who" value={search.actor} options={whoOptions(search.actor, rows)} onChange={(actor) => onSearch({ actor })} />
      <FilterChip name="Result" value={search.result} options={RESULTS} onChange={(result) => onSearch({ result })} />
      {isStaff && !search.client ? null : (
        <FilterChip
          name="Client"
          value={search.client}
          options={clients.options}
          search={clients.search}
          chosenName={clients.name ?? rows.find(({ clientId }) => clientId === search.client)?.clientName ?? ONE_CLIENT}
          onChange={(client) => onSearch({ client })}
        />
      )}
      {search.target ? (
        <FilterChip
          name="About"
          value={search.target}
          options={[{ value: search.target, label: labelOf(search.target, rows) }]}
          onChange={(target) => onSearch({ target })}
        />
      ) : null}
    </>
  );
}

/** Actor types, and the actors of the loaded entries. */
function whoOptions(chosen: string | undefined, rows: readonly AuditEntry[]) {
  const people = new Map(rows.flatMap(({ actor }) => (actor.id && actor.name ? [[actor.id, actor.name]] : [])));
  if (chosen && !people.has(chosen) && KINDS.every(({ value }) => value !== chosen)) people.set(chosen, chosen);
  return [...KINDS, ...[...people].map(([value, label]) => ({ value, label: label ?? value }))];
}

function labelOf(id: string, rows: readonly AuditEntry[]): string {
  return rows.find(({ target }) => target?.id === id && target.label)?.target?.label ?? id.slice(0, 8);
}
