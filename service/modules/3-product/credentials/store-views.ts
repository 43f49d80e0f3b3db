import type { Provider, SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { Scope, Slot } from './store.ts';

/** Which template needs which provider, as two parallel lists: the catalog is data in files, so the database is told. */
export type Needs = { templateNames: string[]; providers: string[] };

export type SummaryRow = {
  id: string;
  provider: Provider;
  clientId: string | null;
  inherited: boolean;
  sourceMode: SourceMode;
  hasValue: boolean;
  updatedAt: Date;
  lastCheckOk: boolean | null;
  lastCheckAt: Date | null;
  lastCheckMessage: string | null;
  lastUsedAt: Date | null;
  usedByAgents: number;
  live: 'live' | 'pending' | 'unused';
};

/**
 * Summaries of an agency's stored rows, or with a client of what counts for that client: its own rows, and the agency's
 * defaults it has no own row for (inherited, under the client's id). `owner` is whose row an agent or connection uses.
 */
export async function listSummaries(tx: Tx, scope: Scope, needs: Needs, onlyId?: string): Promise<SummaryRow[]> {
  return runStatement<SummaryRow>(tx, {
    name: 'credentials_list_summaries',
    text: `with needs as (
        select * from unnest($3::text[], $4::text[]) as n(template_name, provider)
      ), uses as (
        select n.provider, own.client_id as owner, count(*)::int as agents
        from workflow w join needs n on n.template_name = w.template_name
        left join credential own on own.partner_id = w.partner_id and own.client_id = w.client_id and own.provider = n.provider
        where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2)
        group by 1, 2
      ), links as (
        select e.provider, own.client_id as owner, bool_or(e.status = 'pending') as pending
        from engine_connection e
        left join credential own on own.partner_id = e.partner_id and own.client_id = e.client_id and own.provider = e.provider
        where e.partner_id = $1 and ($2::uuid is null or e.client_id = $2 or e.client_id is null)
        group by 1, 2
      )
      select c.id, c.provider, coalesce(c.client_id, $2::uuid) as client_id, ($2::uuid is not null and c.client_id is null) as inherited,
        c.source_mode, c.sealed is not null as has_value, c.updated_at, c.last_check_ok, c.last_check_at, c.last_check_message, c.last_used_at,
        coalesce(u.agents, 0) as used_by_agents,
        case when l.provider is null then 'unused' when l.pending then 'pending' else 'live' end as live
      from credential c
      left join uses u on u.provider = c.provider and u.owner is not distinct from c.client_id
      left join links l on l.provider = c.provider and l.owner is not distinct from c.client_id
      where c.partner_id = $1 and ($5::uuid is null or c.id = $5)
        and ($2::uuid is null or c.client_id = $2 or (c.client_id is null and not exists (
          select 1 from credential own where own.partner_id = $1 and own.client_id = $2 and own.provider = c.provider)))
      order by c.client_id nulls first, c.provider`,
    values: [scope.partnerId, scope.clientId, needs.templateNames, needs.providers, onlyId ?? null],
  });
}

export type AgentRow = { id: string; name: string; clientId: string | null; clientName: string | null; templateName: string };

/** Agents whose needs are asked about: all of an agency, or those of one client and the agency-wide ones. */
export async function listAgents(tx: Tx, scope: Scope): Promise<AgentRow[]> {
  return runStatement<AgentRow>(tx, {
    name: 'credentials_list_agents',
    text: `select w.id, w.name, w.client_id, k.name as client_name, w.template_name
      from workflow w left join client k on k.id = w.client_id
      where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2 or w.client_id is null)
      order by k.name nulls first, w.name, w.id`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type StateRow = {
  id: string;
  provider: Provider;
  clientId: string | null;
  sourceMode: SourceMode;
  hasValue: boolean;
  lastCheckOk: boolean | null;
  lastCheckMessage: string | null;
};

/** Every stored row that may count in the scope, without its value. */
export async function listStates(tx: Tx, scope: Scope): Promise<StateRow[]> {
  return runStatement<StateRow>(tx, {
    name: 'credentials_list_states',
    text: `select id, provider, client_id, source_mode, sealed is not null as has_value, last_check_ok, last_check_message
      from credential where partner_id = $1 and ($2::uuid is null or client_id = $2 or client_id is null)`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type ChosenRow = { ord: number; id: string; clientId: string | null; sourceMode: SourceMode; hasValue: boolean };

/** For each slot, in order, the row that counts; slots without any are left out. */
export async function chooseForSlots(tx: Tx, slots: readonly Slot[]): Promise<ChosenRow[]> {
  return runStatement<ChosenRow>(tx, {
    name: 'credentials_choose_for_slots',
    text: `select s.ord::int - 1 as ord, c.id, c.client_id, c.source_mode, c.has_value
      from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as s(partner_id, client_id, provider, ord)
      cross join lateral (
        select id, client_id, source_mode, sealed is not null as has_value from credential
        where partner_id = s.partner_id and provider = s.provider and (client_id = s.client_id or client_id is null)
        order by client_id nulls last limit 1) c
      order by s.ord`,
    values: [slots.map((slot) => slot.partnerId), slots.map((slot) => slot.clientId), slots.map((slot) => slot.provider)],
  });
}
