import type { DomainProblem, DomainStatus } from '@partner-portal/contract/vocabulary.ts';
import type { Checked } from '@partner-portal/core/tenancy/domain-check.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';

export type DomainRow = {
  partnerId: string;
  host: string;
  token: string;
  status: DomainStatus;
  problem: DomainProblem | null;
  /** Whether the last answer about the host had an address. */
  hasAddress: boolean;
  checkedAt: Date | null;
  verifiedAt: Date | null;
  missingSince: Date | null;
  createdAt: Date;
};

const COLUMNS =
  'd.partner_id, d.host, d.token, d.status, d.problem, d.has_address, d.checked_at, d.verified_at, d.missing_since, d.created_at';

export async function findDomain(tx: Tx, partnerId: string): Promise<DomainRow | undefined> {
  const [row] = await runStatement<'domains_find', DomainRow>(tx, {
    name: 'domains_find',
    prepare: false,
    text: `select ${COLUMNS} from partner_domain d where d.partner_id = $1`,
    values: [partnerId],
  });
  return row;
}

export async function lockDomain(tx: Tx, partnerId: string): Promise<DomainRow | undefined> {
  const [row] = await runStatement<'domains_lock', DomainRow>(tx, {
    name: 'domains_lock',
    prepare: false,
    text: `select ${COLUMNS} from partner_domain d where d.partner_id = $1 for update`,
    values: [partnerId],
  });
  return row;
}

/** Whether the plan includes a custom domain. */
export async function isIncluded(tx: Tx, partnerId: string): Promise<boolean> {
  const [row] = await runStatement<'domains_included', { isIncluded: boolean }>(tx, {
    name: 'domains_included',
    prepare: false,
    text: `select has_feature($1, 'customDomain') as is_included`,
    values: [partnerId],
  });
  return row?.isIncluded ?? false;
}

/** Whether another agency has proved the host. */
export async function isTaken(tx: TenantTx, host: string): Promise<boolean> {
  const [row] = await runStatement<'domains_taken', { isTaken: boolean }>(tx, {
    name: 'domains_taken',
    prepare: false,
    text: 'select is_host_taken($1) as is_taken',
    values: [host],
  });
  return row?.isTaken ?? false;
}

/** Stores a new claim in place of the earlier one. */
export async function putClaim(tx: TenantTx, claim: { partnerId: string; host: string; token: string; at: Date }): Promise<void> {
  await runStatement(tx, {
    name: 'domains_put',
    prepare: false,
    text: `insert into partner_domain (partner_id, host, token, due_at, created_at) values ($1, $2, $3, $4, $4)
      on conflict (partner_id) do update set host = excluded.host, token = excluded.token, status = 'pending', problem = null, has_address = false, checked_at = null,
        verified_at = null, missing_since = null, due_at = excluded.due_at, created_at = excluded.created_at, updated_at = now()`,
    values: [claim.partnerId, claim.host, claim.token, claim.at],
  });
}

export async function deleteDomain(tx: TenantTx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'domains_delete',
    prepare: false,
    text: 'delete from partner_domain where partner_id = $1',
    values: [partnerId],
  });
}

/**
 * Locks the host for claims that are settled at the same time, and returns whether another agency has proved it. Taken before the row, by
 * everyone who may verify one.
 */
export async function holdHost(tx: SystemTx, host: string, partnerId: string): Promise<{ isTaken: boolean }> {
  await runStatement(tx, {
    name: 'domains_hold_host',
    prepare: false,
    text: `select pg_advisory_xact_lock(hashtextextended('partner_domain ' || $1::text, 0))::text as held`,
    values: [host],
  });
  const [row] = await runStatement<'domains_proved', { isTaken: boolean }>(tx, {
    name: 'domains_proved',
    prepare: false,
    text: `select exists (select from partner_domain d where d.host = $1 and d.status = 'verified' and d.partner_id <> $2) as is_taken`,
    values: [host, partnerId],
  });
  return { isTaken: row?.isTaken ?? false };
}

export async function saveCheck(
  tx: SystemTx,
  partnerId: string,
  { status, problem, hasAddress, verifiedAt, missingSince, at, dueAt }: Omit<Checked, 'change'> & { at: Date; dueAt: Date },
): Promise<void> {
  await runStatement(tx, {
    name: 'domains_save_check',
    prepare: false,
    text: `update partner_domain set status = $2, problem = $3, verified_at = $4, missing_since = $5, checked_at = $6, due_at = $7, has_address = $8, updated_at = now()
      where partner_id = $1`,
    values: [partnerId, status, problem, verifiedAt, missingSince, at, dueAt, hasAddress],
  });
}

/** Claims domains whose check is due, for the time a check may take at most. */
export async function claimDue(
  tx: SystemTx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<{ partnerId: string; host: string; token: string }[]> {
  return runStatement<'domains_claim_due', { partnerId: string; host: string; token: string }>(tx, {
    name: 'domains_claim_due',
    prepare: false,
    text: `update partner_domain d set due_at = $2
      where d.partner_id in (select x.partner_id from partner_domain x where x.due_at <= $1 order by x.due_at limit $3 for update skip locked)
      returning d.partner_id, d.host, d.token`,
    values: [now, until, limit],
  });
}

/** A host that is served, with the look of its agency. */
export type ServedRow = {
  host: string;
  partnerId: string;
  name: string;
  logoUrl: string | null;
  logoAlt: string | null;
  logoMediaId: string | null;
  brandColor: string | null;
};

/** Every host that is served, with the look of its agency. A suspended agency keeps its host: its clients read there why nothing works. */
export async function listServed(tx: SystemTx): Promise<ServedRow[]> {
  return runStatement<'domains_served', ServedRow>(tx, {
    name: 'domains_served',
    prepare: false,
    text: `select d.host, d.partner_id, p.name, p.logo_url, logo_text(p.logo_media_id) as logo_alt, p.logo_media_id, p.brand_color
      from partner_domain d join partner p on p.id = d.partner_id
      where d.status = 'verified' and p.status <> 'deleted' and has_feature(d.partner_id, 'customDomain')`,
  });
}
