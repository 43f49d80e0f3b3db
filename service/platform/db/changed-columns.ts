/**
 * Returns a change of some fields as the JSON that `jsonb_populate_record(row, …)` takes: by column, in snake_case. Columns that are not in it keep
 * the row's value, null empties one, and arrays and JSON columns take their members.
 */
export function changedColumns(change: { readonly [field: string]: unknown }): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(change).map(([field, value]) => [field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
    ),
  );
}
