import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';
import type { PartnerColumns, SessionRow } from '../store.ts';

/** The viewed scope: a partner, or one of its clients. */
export type ViewedScope = { partnerId: string; clientId: string | null };

/** Returns the partner or client if it is visible and may be viewed; never the house partner. */
export async function findViewed(
  tx: Tx,
  partnerId: string | null,
  clientId: string | null,
): Promise<(ViewedScope & { name: string }) | undefined> {
  const [row] = await runStatement<'view_find', ViewedScope & { name: string }>(tx, {
    name: 'view_find',
    text: `select p.id as partner_id, c.id as client_id, coalesce(c.name, p.name) as name
      from partner p left join client c on c.partner_id = p.id and c.id = $2::uuid and c.status <> 'deleted'
      where p.id = coalesce($1::uuid, (select partner_id from client where id = $2::uuid)) and not p.is_house and p.status <> 'deleted'
        and ($2::uuid is null or c.id is not null)`,
    values: [partnerId, clientId],
  });
  return row;
}

export type NewView = ViewedScope & {
  id: string;
  actingUserId: string;
  actingJti: string;
  reason: string;
  startedAt: Date;
  expiresAt: Date;
};

/** Stores the view-as session with the current name and address of the viewing user. */
export async function insertView(tx: Tx, view: NewView): Promise<void> {
  await runStatement(tx, {
    name: 'view_insert',
    text: `insert into view_as_session (id, partner_id, client_id, acting_user_id, acting_jti, acting_email, acting_name, reason, started_at, expires_at)
      select $1, $2, $3, u.id, $5, u.email, coalesce(nullif(u.full_name, ''), u.email), $6, $7, $8 from app_user u where u.id = $4`,
    values: [view.id, view.partnerId, view.clientId, view.actingUserId, view.actingJti, view.reason, view.startedAt, view.expiresAt],
  });
}

/** A view-as session with its partner and client. Plan and features are the partner's; a client sees none. */
export type ViewRow = Pick<SessionRow, keyof PartnerColumns | 'clientId' | 'clientName' | 'clientStatus' | 'features' | 'suspension'> & {
  actingUserId: string;
  actingEmail: string;
  actingName: string;
  reason: string;
  startedAt: Date;
  expiresAt: Date;
};

export async function findView(tx: Tx, id: string): Promise<ViewRow | undefined> {
  const [row] = await runStatement<'view_read', ViewRow>(tx, {
    name: 'view_read',
    text: `select v.partner_id, v.client_id, v.acting_user_id, v.acting_email, v.acting_name, v.reason, v.started_at, v.expires_at,
        p.name as partner_name, p.slug as partner_slug, p.logo_url as partner_logo_url, logo_text(p.logo_media_id) as partner_logo_alt,
        p.brand_color as partner_brand_color, p.status as partner_status, p.timezone as partner_timezone, c.name as client_name, c.status as client_status, features_of(g.features, s.overrides) as features,
        case when p.status <> 'active' or c.status <> 'active' then account_suspension(v.partner_id, v.client_id) end as suspension
      from view_as_session v join partner p on p.id = v.partner_id left join client c on c.id = v.client_id
        left join subscription s on s.partner_id = v.partner_id left join plan g on g.id = s.plan_id
      where v.id = $1`,
    values: [id],
  });
  return row;
}

export async function endView(tx: TenantTx, id: string, at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'view_end',
    text: 'update view_as_session set ended_at = $2 where id = $1 and ended_at is null',
    values: [id, at],
  });
}
