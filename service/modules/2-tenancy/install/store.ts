import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

export type BrandRow = { id: string; name: string; brandColor: string | null; logoMediaId: string | null };

export async function findBrand(tx: SystemTx, partnerId: string): Promise<BrandRow | undefined> {
  const [row] = await runStatement<'install_brand', BrandRow>(tx, {
    name: 'install_brand',
    text: "select p.id, p.name, p.brand_color, p.logo_media_id from partner p where p.id = $1 and p.status <> 'deleted' and not p.is_house",
    values: [partnerId],
  });
  return row;
}
