import type { Database } from '#platform/db/tx.ts';
import { findBrandBySlug, type Brand } from '../store-brand.ts';

/**
 * Returns how an agency looks on its login page. Only for a connection that logs in: where a login starts says no more about which
 * agencies exist.
 */
export async function readBrand(deps: { db: Database }, slug: string): Promise<{ brand: Brand | null }> {
  return { brand: (await deps.db.asSystem('login', (tx) => findBrandBySlug(tx, slug))) ?? null };
}
