import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { AVAILABLE, TERMS } from './store.ts';

export type Brand = { name: string; logoUrl: string | null; brandColor: string | null };

/** Returns name, logo and colour of the agency with this slug; undefined unless a login through its provider could start. */
export async function findBrandBySlug(tx: SystemTx, slug: string): Promise<Brand | undefined> {
  const [row] = await runStatement<'sso_brand', Brand>(tx, {
    name: 'sso_brand',
    text: `select p.name, p.logo_url, p.brand_color from partner p join sso_connection c on c.partner_id = p.id ${TERMS}
      where p.slug = $1 and p.status <> 'deleted' and c.status = 'verified' and ${AVAILABLE}`,
    values: [slug],
  });
  return row;
}
