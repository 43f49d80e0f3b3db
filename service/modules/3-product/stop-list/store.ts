import type { StopListReason } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type StopListRow = {
  id: string;
  contact: string;
  reason: StopListReason;
  executionId: string | null;
  agentName: string | null;
  templateName: string | null;
  note: string | null;
  addedByName: string | null;
  isOfAgency: boolean;
  createdAt: Date;
};

type Owner = { partnerId: string; clientId: string };

const COLUMNS = `o.id, o.contact, o.reason, e.id as execution_id, w.name as agent_name, w.template_name, o.note, nullif(u.full_name, '') as added_by_name,
  o.client_id is null as is_of_agency, o.at as created_at`;
/** A run that was refused or deleted is not there; those of the agency itself are seen by the agency only. */
const FROM = `from opt_out o left join execution e on e.id = o.execution_id and e.partner_id = o.partner_id left join workflow w on w.id = e.workflow_id
  left join app_user u on u.id = o.added_by where o.partner_id = $1 and (o.client_id = $2 or o.client_id is null)`;

/** `part`: what a contact has to contain. */
export function listStopList(
  tx: Tx,
  { partnerId, clientId, part }: Owner & { part: string | null },
  before: string | null,
  limit: number,
): Promise<StopListRow[]> {
  return runStatement<'stop_list_list', StopListRow>(tx, {
    name: 'stop_list_list',
    text: `select ${COLUMNS} ${FROM} and ($3::text is null or position($3 in o.contact) > 0) and ($4::uuid is null or o.id < $4) order by o.id desc limit $5`,
    values: [partnerId, clientId, part, before, limit],
  });
}

export async function findOnStopList(
  tx: Tx,
  { partnerId, clientId, contact }: Owner & { contact: string },
): Promise<StopListRow | undefined> {
  const [row] = await runStatement<'stop_list_find', StopListRow>(tx, {
    name: 'stop_list_find',
    text: `select ${COLUMNS} ${FROM} and o.contact = $3 order by o.client_id nulls last limit 1`,
    values: [partnerId, clientId, contact],
  });
  return row;
}

/** Returns false when the contact was on it before. */
export async function insertOnStopList(
  tx: Tx,
  one: Owner & { contact: string; reason: 'agency' | 'client'; note: string | null; userId: string },
): Promise<boolean> {
  const rows = await runStatement<'stop_list_insert', { contact: string }>(tx, {
    name: 'stop_list_insert',
    text: `insert into opt_out (partner_id, client_id, contact, reason, note, added_by) values ($1, $2, $3, $4, $5, $6)
      on conflict (partner_id, client_id, contact) do nothing returning contact`,
    values: [one.partnerId, one.clientId, one.contact, one.reason, one.note, one.userId],
  });
  return rows.length > 0;
}

/** Takes a contact off the list of its client and of the agency itself, as far as the caller sees them. Returns false when it was on neither. */
export async function deleteFromStopList(tx: Tx, { partnerId, clientId, contact }: Owner & { contact: string }): Promise<boolean> {
  const rows = await runStatement<'stop_list_delete', { contact: string }>(tx, {
    name: 'stop_list_delete',
    text: 'delete from opt_out o where o.partner_id = $1 and (o.client_id = $2 or o.client_id is null) and o.contact = $3 returning o.contact',
    values: [partnerId, clientId, contact],
  });
  return rows.length > 0;
}
