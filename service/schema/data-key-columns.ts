/**
 * Columns of `partner_data_key k` for a statement that reads a sealed value: it joins the key of the value's partner (`left join
 * partner_data_key k on k.partner_id = …`) and needs no round trip of its own. 1-ledger/data-keys opens them.
 */
export const DATA_KEY = `k.id as data_key_id, k.sealed_key as data_key_sealed, k.master_key_id as data_key_master_id,
  k.destroyed_at as data_key_destroyed_at`;

/** The row of a data key as a left join returns it: all null without one, only id and time of a destroyed one. */
export type DataKeyRow = {
  dataKeyId: string | null;
  dataKeySealed: Buffer | null;
  dataKeyMasterId: string | null;
  dataKeyDestroyedAt: Date | null;
};
