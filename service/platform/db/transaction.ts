import type { Kysely } from 'kysely';
import type { DB } from '#schema/types.gen.ts';

declare const tenantBrand: unique symbol;
declare const systemBrand: unique symbol;

/** A transaction fenced to one tenant by row-level security. Store functions take it as their first argument. */
export type TenantTx = Kysely<DB> & { readonly [tenantBrand]: true };
/** A transaction that sees all tenants. Every place that opens one names its reason. */
export type SystemTx = Kysely<DB> & { readonly [systemBrand]: true };
export type Tx = TenantTx | SystemTx;
